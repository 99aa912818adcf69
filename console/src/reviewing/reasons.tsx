import { Icon } from '../ui/icon.tsx'

/** Shows the reasons for a company and those against it apart. A label may hold it, so it has no element of a block. */
export function Reasons({ reasons, against }: { reasons: string[]; against: string[] }) {
  if (reasons.length === 0) return null
  const isAgainst = (reason: string) => against.includes(reason)
  const sorted = [...reasons.filter((reason) => !isAgainst(reason)), ...reasons.filter(isAgainst)]
  return (
    <span className="checklist small" role="list">
      {sorted.map((reason) => (
        <Reason key={reason} words={reason} kind={isAgainst(reason) ? 'against' : 'for'} />
      ))}
    </span>
  )
}

const LOOKS = {
  for: { className: 'met', icon: 'check', word: 'For: ' },
  against: { className: 'unmet', icon: 'x', word: 'Against: ' },
} as const

function Reason({ words, kind }: { words: string; kind: keyof typeof LOOKS }) {
  const { className, icon, word } = LOOKS[kind]
  return (
    <span className={className} role="listitem">
      <Icon name={icon} />
      <span>
        <span className="visually-hidden">{word}</span>
        {words}
      </span>
    </span>
  )
}
