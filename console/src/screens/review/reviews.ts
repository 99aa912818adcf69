import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReviewDetail, Reviews } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'

const PATH = '/v1/reviews'
const PAGE_REVIEWS = 20

export type ReviewStatus = 'open' | 'decided'

export function useReviews(status: ReviewStatus) {
  return useInfiniteQuery({
    queryKey: ['reviews', 'list', status],
    queryFn: ({ pageParam, signal }) =>
      callApi<Reviews>('GET', PATH, { query: { status, limit: PAGE_REVIEWS, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
}

export function useReview(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => callApi<ReviewDetail>('GET', pathOf(id), { signal }),
  })
}

const AHEAD_MAX = 50

/** Returns the next open review, or the first one; null when no other review is open. */
export function useNextReview(id: string) {
  return useQuery({
    queryKey: ['reviews', 'next', id],
    queryFn: async ({ signal }) => {
      const query = { status: 'open', limit: AHEAD_MAX }
      const { data } = await callApi<Reviews>('GET', PATH, { query, signal })
      const here = data.findIndex((item) => item.id === id)
      return data[here + 1] ?? data.find((item) => item.id !== id) ?? null
    },
  })
}

export interface ReviewDecision {
  action: 'accept' | 'reject' | 'reassign'
  company_number?: string
  reviewer?: string
  reason?: string
}

export function useDecide(id: string, onDecided: () => void) {
  return useChange(id, (body: ReviewDecision) => callApi('POST', `${pathOf(id)}/decision`, { body }), onDecided)
}

export function useWithdraw(id: string, onWithdrawn: () => void) {
  return useChange<void>(id, () => callApi('DELETE', `${pathOf(id)}/decision`), onWithdrawn)
}

/** Calls `onDone`, which may leave the screen, and then reloads the lists. */
function useChange<Variables>(
  id: string,
  mutationFn: (variables: Variables) => Promise<ReviewDetail>,
  onDone: () => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (review) => {
      onDone()
      queries.setQueryData(keyOf(id), review)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['reviews', 'list'] }),
        queries.invalidateQueries({ queryKey: ['reviews', 'next'] }),
      ])
    },
  })
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
const keyOf = (id: string) => ['reviews', 'one', id]
