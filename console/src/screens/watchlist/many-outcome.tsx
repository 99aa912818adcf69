import type { BulkWatched } from '../../api/bodies.ts'
import { Badge } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { plural, showNumber } from '../../ui/words.ts'

type Outcome = BulkWatched['data'][number]['outcome']

/** In the order in which somebody has something to do about them. */
const OUTCOMES: Record<Outcome, { tone: Tone; word: string }> = {
  invalid: { tone: 'bad', word: 'Not a company number' },
  not_found: { tone: 'bad', word: 'Not found' },
  limit_reached: { tone: 'warn', word: 'No room on the list' },
  already_watched: { tone: 'neutral', word: 'Watched already' },
  watched: { tone: 'good', word: 'Watched' },
}
const ORDER = Object.keys(OUTCOMES) as Outcome[]

/** What became of each number that was sent. */
export function ManyOutcome({ answer }: { answer: BulkWatched }) {
  const { counts, data } = answer
  const rows = data.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <div className="stack-small" role="status">
      <p>
        <strong>{plural(counts.watched, 'company is', 'companies are')} watched now.</strong>{' '}
        {ORDER.filter((outcome) => outcome !== 'watched' && counts[outcome] > 0)
          .map((outcome) => `${OUTCOMES[outcome].word}: ${showNumber(counts[outcome])}.`)
          .join(' ')}
      </p>
      {counts.not_found > 0 && (
        <p className="small soft">
          A company that is very new may not be in our copy of the register yet. Watch it by itself above, and it is
          looked up there.
        </p>
      )}
      <div className="outcomes" tabIndex={0} role="region" aria-label="What became of each number">
        <ul className="list small">
          {rows.map(({ company_number: number, outcome }, place) => (
            <li key={place} className="row spread">
              <span className="mono">{number}</span>
              <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</Badge>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
