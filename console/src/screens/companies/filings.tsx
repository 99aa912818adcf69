import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CompanyFilings, CompanyProfile, Filing } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Choice } from '../../ui/fields.tsx'
import { Paged } from '../../ui/paged.tsx'
import { Card } from '../../ui/parts.tsx'
import { showDay } from '../../ui/words.ts'
import { PART_NAMES } from './part-names.ts'
import { registerPage } from './register-page.ts'
import { AsOf, None, Titled } from './register-parts.tsx'

/** The groups that the register's own site offers: an older company may have none of them among its newest filings. */
const USUAL_KINDS: ReadonlyArray<readonly [category: string, name: string]> = [
  ['accounts', 'Accounts'],
  ['confirmation-statement', 'Confirmation statement'],
  ['annual-return', 'Annual return'],
  ['capital', 'Share capital'],
  ['mortgage', 'Charges'],
  ['incorporation', 'Incorporation'],
  ['officers', 'Officers'],
]

/** Filings as a dated table, of all kinds or of one, with links to the documents. */
export function Filings({ profile }: { profile: CompanyProfile }) {
  const [category, setCategory] = useState('')
  const { filings, filings_next_cursor: older } = profile
  const kinds = new Map([
    ...(filings ?? []).map((filing) => [filing.category ?? '', filing.category_text ?? 'Other'] as const),
    ...(older === null ? [] : USUAL_KINDS),
  ])
  return (
    <Card title={<Titled name={PART_NAMES.filings} count={profile.totals.filings ?? 0} />} stacked>
      {kinds.size > 1 && (
        <Choice
          label="Kind of filing"
          value={category}
          onChange={setCategory}
          options={[['', 'All kinds'], ...[...kinds].filter(([code]) => code !== '')]}
        />
      )}
      {older === null ? (
        <Held profile={profile} category={category} />
      ) : (
        <Pages profile={profile} category={category} />
      )}
    </Card>
  )
}

/** The profile has them all. */
function Held({ profile, category }: { profile: CompanyProfile; category: string }) {
  const filings = profile.filings ?? []
  const shown = filings.filter((filing) => category === '' || filing.category === category)
  return (
    <>
      <FilingTable profile={profile} filings={shown} />
      <AsOf shown={filings.length} total={profile.totals.filings ?? 0} asOf={profile.as_of.filings} />
    </>
  )
}

/** The profile has the newest; the others, and those of one kind, come from the register page by page. */
function Pages({ profile, category }: { profile: CompanyProfile; category: string }) {
  const number = profile.company_number
  const asOf = profile.as_of.filings
  const newest = {
    data: profile.filings ?? [],
    total: profile.totals.filings ?? 0,
    next_cursor: profile.filings_next_cursor,
    as_of: asOf ?? '',
  }
  const pages = useInfiniteQuery({
    queryKey: ['company', number, 'filings', category, asOf],
    queryFn: ({ pageParam, signal }) => {
      const query = { category: category || undefined, cursor: pageParam }
      return callApi<CompanyFilings>('GET', `/v1/companies/${number}/filings`, { query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    ...(category === '' ? { initialData: { pages: [newest], pageParams: [undefined] } } : {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Paged query={pages} what="the filings" more="Older filings">
        {(items) => {
          const shown = onePerId(items)
          const [first] = pages.data?.pages ?? []
          return (
            <>
              <FilingTable profile={profile} filings={shown} />
              <AsOf shown={shown.length} total={first?.total ?? 0} asOf={first?.as_of || null} />
            </>
          )
        }}
      </Paged>
      <p className="small">
        <a href={registerPage(number, 'filing-history')} target="_blank" rel="noreferrer">
          See all filings on the register
        </a>
      </p>
    </>
  )
}

/** A new filing moves the older ones on by one, so that a page may begin with the end of the page before. */
function onePerId(filings: readonly Filing[]): Filing[] {
  const ids = new Set<string>()
  return filings.filter(({ transaction_id: id }) => id === null || (!ids.has(id) && ids.add(id)))
}

/** The site sends the document itself, or leads to the register's own site where it cannot. */
function DocumentLink({ number, filing }: { number: string; filing: Filing }) {
  const { transaction_id: id, document_url: publicUrl, description_text: text } = filing
  if (id === null || publicUrl === null) return <span className="soft">not yet</span>
  return (
    <a href={`/filings/${number}/${encodeURIComponent(id)}`} target="_blank" rel="noreferrer">
      Open<span className="visually-hidden"> the document of {text}</span>
    </a>
  )
}

function FilingTable({ profile, filings }: { profile: CompanyProfile; filings: Filing[] }) {
  if (filings.length === 0) return <None profile={profile} part="filings" />
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Filings">
      <table className="filings">
        <caption className="visually-hidden">Filings, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Filing</th>
            <th scope="col">Kind</th>
            <th scope="col">Document</th>
          </tr>
        </thead>
        <tbody>
          {filings.map((filing, index) => (
            <tr key={filing.transaction_id ?? index}>
              <td className="day">{filing.date ? showDay(filing.date) : ''}</td>
              <td>
                {filing.description_text}
                {filing.details_text.map((detail, nth) => (
                  <p className="small soft" key={nth}>
                    {detail}
                  </p>
                ))}
              </td>
              <td className="soft">{[filing.category_text, filing.type].filter(Boolean).join(' · ')}</td>
              <td>
                <DocumentLink number={profile.company_number} filing={filing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
