import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Signal, SignalFeed } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import type { SignalType } from '../../watching/signal-words.ts'

const REFRESH_MS = 15_000

type Pages = InfiniteData<SignalFeed, string | undefined>

export interface News {
  ids: string[]
  /** More signals arrived at once than fit on a page. */
  isMore: boolean
}

const NO_NEWS: News = { ids: [], isMore: false }

/** Returns the feed, newest first, and the ids that arrived since it was opened. Only the first page is polled. */
export function useFeed(type: SignalType | null) {
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
