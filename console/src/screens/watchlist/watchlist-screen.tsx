import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAccount } from '../../account.ts'
import type { ListEntries } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { useOpenedFind } from '../../palette/opened-find.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Paged } from '../../ui/paged.tsx'
import { Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { showNumber } from '../../ui/words.ts'
import { ALL_LISTS, DEFAULT_LIST, useLists } from '../../watching/lists.ts'
import './watchlist.css'
import { AddCompany } from './add-company.tsx'
import { AddMany } from './add-many.tsx'
import { ImportCompanies } from './import-companies.tsx'
import { ListCalendarCard } from './list-calendar.tsx'
import { ListEmailsCard } from './list-emails.tsx'
import { Entry } from './list-entry.tsx'
import { FILTERS, ListTools } from './list-tools.tsx'

export function WatchlistScreen() {
  const { filter, setFilter } = useAddressFilter('/watchlist', FILTERS)
  const { data: lists } = useLists()
  const shown = filter.list ?? ALL_LISTS
  const chosen = lists?.data.find(({ id }) => id === shown)
  const address = `/watchlist?list=${encodeURIComponent(shown)}`
  useOpenedFind(chosen ? { title: chosen.name, detail: 'Watchlist', href: address } : null)
  // Without a chosen list, companies go to the default one.
  const target = chosen?.id ?? DEFAULT_LIST
  const entries = useInfiniteQuery({
    queryKey: ['watchlist', 'entries', filter],
    queryFn: ({ pageParam, signal }) =>
      callApi<ListEntries>('GET', `/v1/watchlists/${encodeURIComponent(shown)}/companies`, {
        query: { tag: filter.tag, q: filter.q, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  const isFiltered = filter.tag !== undefined || filter.q !== undefined
  return (
    <div className="stack">
      <ScreenHead title="Watchlist" actions={<Room />}>
        Changes to these companies appear in Signals and go to your webhooks. If you like, we also e-mail them: all
        together once a day, or list by list. Watching is free.
      </ScreenHead>
      <section className="card stack-small" aria-label="Watch more companies">
        <AddCompany list={target} />
        <AddMany list={target} />
        <ImportCompanies list={target} />
      </section>
      <ListTools lists={lists} filter={filter} onChange={setFilter} />
      <Paged query={entries} what="your watchlist" more="More companies">
        {(found) =>
          found.length > 0 ? (
            <Card>
              <ul className="list close" aria-label="Companies you watch">
                {found.map((entry) => (
                  <Entry key={entry.company_number} entry={entry} list={chosen} />
                ))}
              </ul>
            </Card>
          ) : isFiltered ? (
            <NoneFits onClear={() => setFilter({ tag: '', q: '' })} />
          ) : chosen ? (
            <EmptyList name={chosen.name} />
          ) : (
            <EmptyWatchlist />
          )
        }
      </Paged>
      {chosen && <ListEmailsCard key={`emails of ${chosen.id}`} list={chosen} />}
      {chosen && <ListCalendarCard key={chosen.id} list={chosen.id} name={chosen.name} />}
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

function NoneFits({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title="No company fits"
      action={
        <Button look="quiet" onClick={onClear}>
          Show all
        </Button>
      }
    >
      No company on this list has this tag, or these words in its name, number or note.
    </Empty>
  )
}

function EmptyList({ name }: { name: string }) {
  return (
    <Empty title="This list is empty">
      Add companies above, by name, number or file. They go to “{name}”, and count once for your plan if they are on
      other lists too.
    </Empty>
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
