import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { LedgerEntry, Ledger as LedgerPage } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Paged } from '../../ui/paged.tsx'
import { Card } from '../../ui/parts.tsx'
import { showMoment, showNumber } from '../../ui/words.ts'
import { LedgerDownload } from './ledger-download.tsx'
import { changeOf, showChange, showKind, showReason } from './ledger-words.ts'

const PAGE_ENTRIES = 20

export function Ledger() {
  const ledger = useInfiniteQuery({
    queryKey: ['ledger'],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      callApi<LedgerPage>('GET', '/v1/account/ledger', {
        query: { limit: PAGE_ENTRIES, cursor: pageParam, only: 'answers' },
      }),
    getNextPageParam: (page) => page.next_cursor,
  })
  return (
    <Card title="Ledger" aside={<LedgerDownload />}>
      <Paged query={ledger} what="the ledger" more="Show older entries">
        {(entries) => (entries.length === 0 ? <NoEntries /> : <Entries entries={entries} />)}
      </Paged>
    </Card>
  )
}

function NoEntries() {
  return <p className="soft">No entries yet. Every movement of credits is recorded here and never changes.</p>
}

function Entries({ entries }: { entries: LedgerEntry[] }) {
  return (
    <ul className="list ledger">
      {entries.map((entry) => (
        <li key={entry.id}>
          <div className="what">
            <Subject entry={entry} />
            <p className="small soft">
              {showKind(entry)}
              {entry.subject !== null && ` · ${showReason(entry)}`} · {showMoment(entry.created_at)}
            </p>
          </div>
          <span className={changeOf(entry) === 0 ? 'soft small' : 'change'}>{showChange(entry)}</span>
          <span className="after">
            <span className="soft small">balance</span> {showNumber(entry.balance_after)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Names the domain or company that the credit was for, with a link. */
function Subject({ entry }: { entry: LedgerEntry }) {
  const { subject, resolution_id: answer } = entry
  if (subject === null) return <strong>{showReason(entry)}</strong>
  const asked = subject.includes('.') ? `/?domain=${encodeURIComponent(subject)}` : `/companies/${subject}`
  const href = answer === null ? asked : `/resolutions/${answer}`
  return (
    <Link href={href} className="subject">
      {subject.includes('.') ? subject : `Web site of company ${subject}`}
    </Link>
  )
}
