import type { BulkWatched } from '../../api/bodies.ts'
import { Badge } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { plural, showNumber } from '../../ui/words.ts'

type Outcome = BulkWatched['data'][number]['outcome']

/** In display order: problems to fix come first. */
const OUTCOMES: Record<Outcome, { tone: Tone; word: string }> = {
  invalid: { tone: 'bad', word: 'Not a company number' },
  not_found: { tone: 'bad', word: 'Not found' },
  limit_reached: { tone: 'warn', word: 'Watchlist is full' },
  already_watched: { tone: 'neutral', word: 'Already watched' },
  watched: { tone: 'good', word: 'Watched' },
}
const ORDER = Object.keys(OUTCOMES) as Outcome[]

/** Shows the result for each number. */
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
          A very new company may not be in our copy of the register yet. Add it alone above, and we look it up in the
          register.
        </p>
      )}
      <div className="outcomes" tabIndex={0} role="region" aria-label="Result for each number">
        <ul className="list small">
          {rows.map(({ company_number: number, outcome }, index) => (
            <li key={index} className="row spread">
              <span className="mono">{number}</span>
              <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</Badge>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
