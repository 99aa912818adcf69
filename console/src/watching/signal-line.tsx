import { Link } from 'wouter'
import type { Signal } from '../api/bodies.ts'
import { Badge } from '../ui/parts.tsx'
import { toneOfSeverity } from '../ui/tones.ts'
import { showDay, showWord } from '../ui/words.ts'
import './signal-line.css'
import { SIGNAL_WORDS } from './signal-words.ts'

/** Shows one signal: its severity, its summary and each changed field with its old and new value. */
export function SignalLine(props: SignalLineProps) {
  const { signal, linksCompany = false, isNew = false, isUnread = false, onMark } = props
  return (
    <li className={`signal ${toneOfSeverity(signal.severity)}`}>
      <div className="row tight">
        <Badge tone={toneOfSeverity(signal.severity)}>{showWord(signal.severity)}</Badge>
        <strong>{SIGNAL_WORDS[signal.signal_type]}</strong>
        {isNew && <Badge tone="good">New</Badge>}
        {isUnread && !isNew && <Badge tone="info">Unread</Badge>}
        <time className="small soft" dateTime={signal.occurred_on}>
          {showDay(signal.occurred_on)}
        </time>
        {linksCompany && <span className="small soft mono">{signal.company_number}</span>}
        {onMark && (
          <button type="button" className="signal-mark" onClick={() => onMark(isUnread)}>
            {isUnread ? 'Mark as read' : 'Mark as unread'}
          </button>
        )}
      </div>
      <p>{linksCompany ? <LinkedSummary signal={signal} /> : signal.summary}</p>
      <Changes changes={signal.changes} />
    </li>
  )
}

interface SignalLineProps {
  signal: Signal
  linksCompany?: boolean
  isNew?: boolean
  isUnread?: boolean
  /** Marks it as read, or as unread. */
  onMark?: (read: boolean) => void
}

/** Shows the summary with the company's name as a link. */
function LinkedSummary({ signal }: { signal: Signal }) {
  const { summary, company_name: name, company_number: number } = signal
  const at = summary.indexOf(name)
  const link = <Link href={`/companies/${number}`}>{name}</Link>
  if (at < 0) {
    return (
      <>
        {summary} {link}
      </>
    )
  }
  return (
    <>
      {summary.slice(0, at)}
      {link}
      {summary.slice(at + name.length)}
    </>
  )
}

function Changes({ changes }: { changes: Signal['changes'] }) {
  if (changes.length === 0) return null
  return (
    <ul className="changes small">
      {changes.map(({ field, field_text: name, from_text: from, to_text: to }) => (
        <li key={field}>
          <span className="soft">{name}</span> <del>{from ?? 'none'}</del>{' '}
          <span className="soft" aria-hidden="true">
            →
          </span>{' '}
          <ins>{to ?? 'none'}</ins>
        </li>
      ))}
    </ul>
  )
}
