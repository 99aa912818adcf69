import { Icon } from '../ui/icon.tsx'

/** Shows the reasons for a company and those against it apart. */
export function Reasons({ reasons, against }: { reasons: string[]; against: string[] | null }) {
  if (reasons.length === 0) return null
  const isAgainst = (reason: string) => against?.includes(reason) ?? false
  const sorted = [...reasons.filter((reason) => !isAgainst(reason)), ...reasons.filter(isAgainst)]
  return (
    <ul className="checklist small">
      {sorted.map((reason) => (
        <Reason
          key={reason}
          words={reason}
          kind={against === null ? 'neither' : isAgainst(reason) ? 'against' : 'for'}
        />
      ))}
    </ul>
  )
}

const LOOKS = {
  for: { className: 'met', icon: 'check', word: 'For: ' },
  against: { className: 'unmet', icon: 'x', word: 'Against: ' },
  neither: { className: '', icon: 'minus', word: '' },
} as const

function Reason({ words, kind }: { words: string; kind: keyof typeof LOOKS }) {
  const { className, icon, word } = LOOKS[kind]
  return (
    <li className={className}>
      <Icon name={icon} />
      <span>
        {word && <span className="visually-hidden">{word}</span>}
        {words}
      </span>
    </li>
  )
}
