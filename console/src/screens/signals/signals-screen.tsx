import { useLocation, useSearch } from 'wouter'
import { Choice } from '../../ui/fields.tsx'
import { Paged } from '../../ui/paged.tsx'
import { ScreenHead } from '../../ui/parts.tsx'
import { plural, showDay } from '../../ui/words.ts'
import { readSignalType, SIGNAL_WORDS, type SignalType } from '../../watching/signal-words.ts'
import './signals.css'
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Signal, SignalFeed } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { SignalLine } from '../../watching/signal-line.tsx'
import { NoSignals } from './no-signals.tsx'

export function SignalsScreen() {
  const type = readSignalType(new URLSearchParams(useSearch()).get('type'))
  const [, go] = useLocation()
  const { feed, news, isCutOff } = useFeed(type)
  const show = (chosen: string) => go(chosen === '' ? '/signals' : `/signals?type=${chosen}`, { replace: true })
  return (
    <div className="stack">
      <ScreenHead title="Signals">Changes to the companies you watch, since you started to watch them.</ScreenHead>
      <div className="signal-tools">
        <TypeFilter type={type} onChange={show} />
        <p className="small soft" role="status">
          {isCutOff ? 'Cannot load new signals. Trying again.' : describeNews(news)}
        </p>
      </div>
      <Paged query={feed} what="your signals" more="Older signals">
        {(signals) =>
          signals.length === 0 ? (
            <NoSignals type={type} onShowAll={() => show('')} />
          ) : (
            <Days signals={signals} newIds={news.ids} />
          )
        }
      </Paged>
    </div>
  )
}

function describeNews({ ids, isMore }: News): string {
  if (ids.length === 0) return 'New signals appear automatically'
  return `${isMore ? 'More than ' : ''}${plural(ids.length, 'new signal')} since you opened this`
}

function TypeFilter({ type, onChange }: { type: SignalType | null; onChange: (chosen: string) => void }) {
  return (
    <Choice
      label="Show"
      value={type ?? ''}
      onChange={onChange}
      options={[['', 'Everything'], ...Object.entries(SIGNAL_WORDS)]}
    />
  )
}

/** Groups signals by the day we detected them, which is the order of the feed. Each line shows the day of the fact. */
function Days({ signals, newIds }: { signals: Signal[]; newIds: string[] }) {
  const byDay = Map.groupBy(signals, ({ detected_at: at }) => toLocalDate(new Date(at)))
  return [...byDay].map(([day, items]) => (
    <section className="card day" key={day}>
      <h2>{formatDay(day)}</h2>
      <ol className="timeline">
        {items.map((signal) => (
          <SignalLine key={signal.id} signal={signal} linksCompany isNew={newIds.includes(signal.id)} />
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

type Pages = InfiniteData<SignalFeed, string | undefined>

interface News {
  ids: string[]
  /** More signals arrived at once than fit on a page. */
  isMore: boolean
}

const NO_NEWS: News = { ids: [], isMore: false }

/** Returns the feed, newest first, and the ids that arrived since it was opened. Only the first page is polled. */
function useFeed(type: SignalType | null) {
  const queries = useQueryClient()
  const read = (cursor?: string, signal?: AbortSignal) =>
    callApi<SignalFeed>('GET', '/v1/signals', { query: { signal_type: type ?? undefined, cursor }, signal })
  const feedKey = ['signals', 'feed', type]
  const feed = useInfiniteQuery({
    queryKey: feedKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
  const newsKey = ['signals', 'news', type]
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

function newOf(head: Signal[], { pages }: Pages): Signal[] {
  const shown = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)))
  return head.filter(({ id }) => !shown.has(id))
}

function putBefore({ pages, pageParams }: Pages, came: Signal[]): Pages {
  const [first, ...rest] = pages
  return first ? { pages: [{ ...first, data: [...came, ...first.data] }, ...rest], pageParams } : { pages, pageParams }
}
