import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAccount } from '../../account.ts'
import type { Watchlist, WatchlistEntry } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { showDay, showNumber } from '../../ui/words.ts'
import './watchlist.css'
import { StatusBadge } from '../../register/status-badge.tsx'
import { toneOfSeverity } from '../../ui/tones.ts'
import { UnwatchButton } from '../../watching/unwatch-button.tsx'
import { AddCompany } from './add-company.tsx'
import { AddMany } from './add-many.tsx'

export function WatchlistScreen() {
  const list = useInfiniteQuery({
    queryKey: ['watchlist', 'entries'],
    queryFn: ({ pageParam, signal }) =>
      callApi<Watchlist>('GET', '/v1/watchlist', { query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  return (
    <div className="stack">
      <ScreenHead title="Watchlist" actions={<Room />}>
        Changes to these companies appear in Signals and go to your webhooks. If you like, we also e-mail them once a
        day. Watching is free.
      </ScreenHead>
      <section className="card stack-small" aria-label="Watch more companies">
        <AddCompany />
        <AddMany />
      </section>
      <Paged query={list} what="your watchlist" more="More companies">
        {(entries) =>
          entries.length === 0 ? (
            <EmptyWatchlist />
          ) : (
            <Card>
              <ul className="list close" aria-label="Companies you watch">
                {entries.map((entry) => (
                  <Entry key={entry.company_number} entry={entry} />
                ))}
              </ul>
            </Card>
          )
        }
      </Paged>
    </div>
  )
}

function Room() {
  const { data } = useAccount()
  if (!data) return null
  const { used, limit } = data.watchlist
  return (
    <div className="room">
      <p className="small">
        <strong>{showNumber(used)}</strong> of {showNumber(limit)} companies
      </p>
      <div className="progress" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
      </div>
      {used >= limit && <p className="small">The list is full. Remove a company or ask for a larger plan.</p>}
    </div>
  )
}

function EmptyWatchlist() {
  return (
    <Empty
      title="You watch no companies yet"
      action={
        <div className="row">
          <Link className="button quiet" href="/companies">
            Find a company
          </Link>
          <Link className="button quiet" href="/">
            Resolve a domain
          </Link>
        </div>
      }
    >
      Add customers, suppliers or competitors above, by name or by number. We notify you when one changes its status,
      moves, gains or loses a director, files late, borrows against its property, or becomes insolvent.
    </Empty>
  )
}

function Entry({ entry }: { entry: WatchlistEntry }) {
  const { company_number: number, company_name: name, latest_signal: latest } = entry
  return (
    <li className="watched-entry">
      <div className="watched-what">
        <div className="row tight">
          <Link href={`/companies/${number}`}>
            <strong>{name}</strong>
          </Link>
          <StatusBadge company={entry} unknown="Left the register" />
        </div>
        <p className="small soft">
          <span className="mono">{number}</span> · watched since {showDay(entry.watched_at)}
        </p>
        {latest ? (
          <p className="small watched-latest">
            <Badge tone={toneOfSeverity(latest.severity)}>{showDay(latest.occurred_on)}</Badge>
            <span>{latest.summary}</span>
          </p>
        ) : (
          <p className="small soft">No changes recorded yet.</p>
        )}
      </div>
      <UnwatchButton company={{ number, name }} small />
    </li>
  )
}
