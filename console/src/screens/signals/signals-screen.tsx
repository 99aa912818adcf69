import { useLocation, useSearch } from 'wouter'
import { Paged } from '../../ui/paged.tsx'
import { Field, ScreenHead } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { readSignalType, SIGNAL_WORDS, type SignalType } from '../../watching/signal-words.ts'
import '../../styles/signals.css'
import { Days } from './days.tsx'
import { NoSignals } from './no-signals.tsx'
import { type News, useFeed } from './use-feed.ts'

export function SignalsScreen() {
  const type = readSignalType(new URLSearchParams(useSearch()).get('type'))
  const [, go] = useLocation()
  const { feed, news, isCutOff } = useFeed(type)
  const show = (chosen: string) => go(chosen === '' ? '/signals' : `/signals?type=${chosen}`, { replace: true })
  return (
    <div className="stack">
      <ScreenHead title="Signals">Changes to the companies you watch, since you started to watch them.</ScreenHead>
      <div className="signal-tools">
        <TypeFilter type={type} onChange={show} />
        <p className="small soft" role="status">
          {isCutOff ? 'Cannot load new signals. Trying again.' : describeNews(news)}
        </p>
      </div>
      <Paged query={feed} what="your signals" more="Older signals">
        {(signals) =>
          signals.length === 0 ? (
            <NoSignals type={type} onShowAll={() => show('')} />
          ) : (
            <Days signals={signals} newIds={news.ids} />
          )
        }
      </Paged>
    </div>
  )
}

function describeNews({ ids, isMore }: News): string {
  if (ids.length === 0) return 'New signals appear automatically'
  return `${isMore ? 'More than ' : ''}${plural(ids.length, 'new signal')} since you opened this`
}

function TypeFilter({ type, onChange }: { type: SignalType | null; onChange: (chosen: string) => void }) {
  return (
    <Field label="Show">
      {(field) => (
        <select {...field} value={type ?? ''} onChange={(event) => onChange(event.target.value)}>
          <option value="">Everything</option>
          {Object.entries(SIGNAL_WORDS).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
