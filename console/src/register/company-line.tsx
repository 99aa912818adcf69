import type { SearchCandidate } from '../api/bodies.ts'
import { plural, showDay, showPounds } from '../ui/words.ts'
import { StatusBadge } from './status-badge.tsx'
import './company-line.css'

/** Shows one search result: the name with the matched words marked, and the facts that distinguish it from companies with the same name. */
export function CompanyLine({ company, typed }: { company: SearchCandidate; typed: string }) {
  const former = company.matched_on === 'previous_name' ? nearestName(company, typed) : null
  return (
    <>
      <span className="row spread">
        <span className="found-name">
          <Marked text={company.company_name} typed={former ? '' : typed} />
        </span>
        <StatusBadge company={company} />
      </span>
      {former && (
        <span className="found-former">
          Found by a previous name: <Marked text={former} typed={typed} />
        </span>
      )}
      <span className="small soft found-facts">
        <span className="mono">{company.company_number}</span>
        {company.registered_postcode && <span className="nowrap">{company.registered_postcode}</span>}
        {company.incorporated_on && <span>since {showDay(company.incorporated_on)}</span>}
        {company.employees !== null && <span className="nowrap">{plural(company.employees, 'employee')}</span>}
        {company.net_assets !== null && <span className="nowrap">net assets {showPounds(company.net_assets)}</span>}
      </span>
    </>
  )
}

/** The API reports that a previous name matched, but not which one. */
function nearestName({ previous_names: names }: SearchCandidate, typed: string): string | null {
  const wanted = wordsOf(typed)
  const fit = (name: string) => wordsOf(name).filter((word) => wanted.some((typed) => word.startsWith(typed))).length
  const [best] = names.map(({ name }) => name).toSorted((a, b) => fit(b) - fit(a))
  return best ?? null
}

function wordsOf(text: string): string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function Marked({ text, typed }: { text: string; typed: string }) {
  const wanted = wordsOf(typed)
  return text.split(/([\p{L}\p{N}]+)/u).map((piece, index) => {
    const start = wanted.find((word) => piece.toUpperCase().startsWith(word))
    if (piece === '' || start === undefined) return piece
    return (
      <span key={index}>
        <mark>{piece.slice(0, start.length)}</mark>
        {piece.slice(start.length)}
      </span>
    )
  })
}
