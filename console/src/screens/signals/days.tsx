import type { Signal } from '../../api/bodies.ts'
import { showDay } from '../../ui/words.ts'
import { SignalLine } from '../../watching/signal-line.tsx'

/** Groups signals by the day we detected them, which is the order of the feed. Each line shows the day of the fact. */
export function Days({ signals, newIds }: { signals: Signal[]; newIds: string[] }) {
  const byDay = Map.groupBy(signals, ({ detected_at: at }) => toLocalDate(new Date(at)))
  return [...byDay].map(([day, items]) => (
    <section className="card day" key={day}>
      <h2>{formatDay(day)}</h2>
      <ol className="timeline">
        {items.map((signal) => (
          <SignalLine key={signal.id} signal={signal} linksCompany isNew={newIds.includes(signal.id)} />
        ))}
      </ol>
    </section>
  ))
}

function formatDay(day: string): string {
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === toLocalDate(new Date())) return 'Today'
  return day === toLocalDate(yesterday) ? 'Yesterday' : showDay(day)
}

/** Returns `YYYY-MM-DD` in the time zone of the person. */
function toLocalDate(at: Date): string {
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${at.getFullYear()}-${month}-${day}`
}
