import type { ImportedCompanies } from '../api/bodies.ts'
import { plural, showNumber } from '../ui/words.ts'

const WORDS = {
  limit_reached: 'beyond your plan',
  not_found: 'not found',
  invalid: 'not a company number',
  already_watched: 'already on the list',
} as const

/** Shows how many companies of an import are on the list now, and why the others are not. */
export function ImportOutcome({ imported, what }: { imported: ImportedCompanies; what: 'row' | 'match' }) {
  const { rows, counts, problems } = imported
  const others = Object.entries(WORDS).flatMap(([outcome, words]) => {
    const count = counts[outcome as keyof typeof WORDS]
    return count > 0 ? [`${showNumber(count)} ${words}`] : []
  })
  const named = problems.filter(({ outcome }) => outcome !== 'limit_reached').slice(0, 10)
  return (
    <div role="status">
      <p>
        <strong>{plural(counts.watched, 'company', 'companies')} added</strong> of{' '}
        {what === 'row' ? plural(rows, 'row') : `${showNumber(rows)} that matched`}
        {others.length > 0 && `: ${others.join(', ')}`}.
      </p>
      {named.length > 0 && (
        <p className="small soft">
          Look at{' '}
          {named
            .map(({ row, company_number: number }) => (what === 'row' ? `row ${row} (${number})` : number))
            .join(', ')}
          .
        </p>
      )}
    </div>
  )
}
