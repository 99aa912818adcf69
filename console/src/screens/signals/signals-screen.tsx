import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FeedSignal, SignalFeed } from '../../api/bodies.ts'
import { callApi, fetchFile } from '../../api/client.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Paged } from '../../ui/paged.tsx'
import { Button, Problem, ScreenHead } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { plural, showDay } from '../../ui/words.ts'
import { useMarkSignals, useUnread } from '../../watching/read-state.ts'
import { SignalLine } from '../../watching/signal-line.tsx'
import './signals.css'
import { NoSignals } from './no-signals.tsx'
import { FILTERS, type SignalFilter, SignalFilters, toQuery } from './signal-filters.tsx'

export function SignalsScreen() {
  const { filter, setFilter } = useAddressFilter('/signals', FILTERS)
  const { feed, news, isCutOff } = useFeed(filter)
  return (
    <div className="stack">
      <ScreenHead title="Signals" actions={<FeedActions filter={filter} />}>
        Changes to the companies you watch, since you started to watch them.
      </ScreenHead>
      <SignalFilters filter={filter} onChange={setFilter} />
      <p className="small soft" role="status">
        {isCutOff ? 'Cannot load new signals. Trying again.' : describeNews(news)}
      </p>
      <Paged query={feed} what="your signals" more="Older signals">
        {(signals) =>
          signals.length === 0 ? (
            <NoSignals filter={filter} isSearching={feed.hasNextPage} onShowAll={() => setFilter(null)} />
          ) : (
            <Days signals={signals} newIds={news.ids} />
          )
        }
      </Paged>
    </div>
  )
}

function FeedActions({ filter }: { filter: SignalFilter }) {
  const { data } = useUnread()
  const mark = useMarkSignals()
  const save = useMutation({
    mutationFn: () => fetchFile('/v1/signals/export', { query: toQuery(filter) }),
    onSuccess: (file) => saveFile(file, 'signals.csv'),
  })
  return (
    <div className="row tight">
      {mark.isError && <Problem error={mark.error} />}
      {save.isError && <Problem error={save.error} />}
      {data !== undefined && data.unread > 0 && (
        <Button look="quiet" small busy={mark.isPending} onClick={() => mark.mutate({ through: null })}>
          Mark all as read
        </Button>
      )}
      <Button look="quiet" small busy={save.isPending} onClick={() => save.mutate()}>
        Download CSV
      </Button>
    </div>
  )
}

function describeNews({ ids, isMore }: News): string {
  if (ids.length === 0) return 'New signals appear automatically'
  return `${isMore ? 'More than ' : ''}${plural(ids.length, 'new signal')} since you opened this`
}

/** Groups signals by the day we detected them, which is the order of the feed. Each line shows the day of the fact. */
function Days({ signals, newIds }: { signals: FeedSignal[]; newIds: string[] }) {
  const mark = useMarkSignals()
  const byDay = Map.groupBy(signals, ({ detected_at: at }) => toLocalDate(new Date(at)))
  return [...byDay].map(([day, items]) => (
    <section className="card day" key={day}>
      <h2>{formatDay(day)}</h2>
      <ol className="timeline">
        {items.map((signal) => (
          <SignalLine
            key={signal.id}
            signal={signal}
            linksCompany
            isNew={newIds.includes(signal.id)}
            isUnread={!signal.is_read}
            onMark={(read) => mark.mutate({ ids: [signal.id], read })}
          />
        ))}
      </ol>
    </section>
  ))
}

function formatDay(day: string): string {
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === toLocalDate(new Date())) return 'Today'
  return day === toLocalDate(yesterday) ? 'Yesterday' : showDay(day)
}

/** Returns `YYYY-MM-DD` in the time zone of the person. */
function toLocalDate(at: Date): string {
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${at.getFullYear()}-${month}-${day}`
}

const REFRESH_MS = 15_000
const EMPTY_PAGES_MAX = 20

type Pages = InfiniteData<SignalFeed, string | undefined>

interface News {
  ids: string[]
  /** More signals arrived at once than fit on a page. */
  isMore: boolean
}

const NO_NEWS: News = { ids: [], isMore: false }

/** Returns the feed, newest first, and the ids that arrived since it was opened. Only the first page is polled. */
function useFeed(filter: SignalFilter) {
  const queries = useQueryClient()
  const read = (cursor?: string, signal?: AbortSignal) =>
    callApi<SignalFeed>('GET', '/v1/signals', { query: { ...toQuery(filter), cursor }, signal })
  const feedKey = ['signals', 'feed', filter]
  const feed = useInfiniteQuery({
    queryKey: feedKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
  // A page of a narrow filter may be empty although older signals pass it.
  const pages = feed.data?.pages ?? []
  const isEmpty = pages.every(({ data }) => data.length === 0)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = feed
  useEffect(() => {
    const mayLook = isEmpty && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
    if (mayLook && pages.length < EMPTY_PAGES_MAX) void fetchNextPage()
  }, [isEmpty, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, pages.length])
  const newsKey = ['signals', 'news', filter]
  const news = useQuery({
    queryKey: newsKey,
    enabled: feed.isSuccess,
    initialData: NO_NEWS,
    staleTime: Number.POSITIVE_INFINITY,
    // Dropped with the screen: the next time it opens, these signals are not new any more.
    gcTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }): Promise<News> => {
      const head = await read(undefined, signal)
      const known = queries.getQueryData<Pages>(feedKey)
      const came = known ? newOf(head.data, known) : []
      const before = queries.getQueryData<News>(newsKey) ?? NO_NEWS
      if (came.length === 0) return before
      // When a whole page is new there may be more between it and what is shown.
      const isGap = came.length === head.data.length && head.has_more
      if (isGap) await queries.resetQueries({ queryKey: feedKey })
      else queries.setQueryData<Pages>(feedKey, (pages) => pages && putBefore(pages, came))
      return { ids: [...came.map(({ id }) => id), ...before.ids], isMore: before.isMore || isGap }
    },
  })
  return { feed, news: news.data, isCutOff: news.isError }
}

function newOf(head: FeedSignal[], { pages }: Pages): FeedSignal[] {
  const shown = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)))
  return head.filter(({ id }) => !shown.has(id))
}

function putBefore({ pages, pageParams }: Pages, came: FeedSignal[]): Pages {
  const [first, ...rest] = pages
  return first ? { pages: [{ ...first, data: [...came, ...first.data] }, ...rest], pageParams } : { pages, pageParams }
}
