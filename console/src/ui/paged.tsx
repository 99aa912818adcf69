import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button, Problem, Skeleton } from './parts.tsx'

/** Shows a paged query: loading, failed with a retry button, or loaded with a button for the next page. */
export function Paged<Item>({ query, what, more, children }: PagedProps<Item>) {
  if (query.isPending) return <Skeleton what={what} />
  if (query.data === undefined) {
    return <Problem title={`Could not load ${what}`} error={query.error} onRetry={() => void query.refetch()} />
  }
  const fetchMore = () => void query.fetchNextPage()
  return (
    <>
      {children(query.data.pages.flatMap(({ data }) => data))}
      {query.isFetchNextPageError && <Problem error={query.error} onRetry={fetchMore} />}
      {more && query.hasNextPage && !query.isFetchNextPageError && (
        <div>
          <Button look="quiet" busy={query.isFetchingNextPage} onClick={fetchMore}>
            {more}
          </Button>
        </div>
      )}
    </>
  )
}

interface PagedProps<Item> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: Item[] }>>
  /** "your watchlist": completes "Loading …" and "Could not load …". */
  what: string
  /** On the button that fetches the next page; without it there is none. */
  more?: string
  children: (items: Item[]) => ReactNode
}

/** Buttons between pages that replace each other; none where there is one page. */
export function Pager({ newer, older }: { newer: (() => void) | null; older: (() => void) | null }) {
  if (!newer && !older) return null
  return (
    <div className="row spread">
      <Button look="quiet" small disabled={!newer} onClick={() => newer?.()}>
        Newer
      </Button>
      <Button look="quiet" small disabled={!older} onClick={() => older?.()}>
        Older
      </Button>
    </div>
  )
}
