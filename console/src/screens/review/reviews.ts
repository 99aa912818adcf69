import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlikeReviews, CompanyGroup, ReviewDetail, Reviews, ReviewsDone } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { toAgain } from '../../reviewing/replaced.ts'
import { type DeskFilter, toQuery } from './desk-filter.ts'
import type { Changed } from './undo.ts'

const PATH = '/v1/reviews'
const PAGE_REVIEWS = 20

export function useReviews(filter: DeskFilter) {
  return useInfiniteQuery({
    queryKey: ['reviews', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      callApi<Reviews>('GET', PATH, { query: { ...toQuery(filter), limit: PAGE_REVIEWS, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })
}

export function useReview(id: string) {
  return useQuery({
    queryKey: ['reviews', 'one', id],
    queryFn: ({ signal }) => callApi<ReviewDetail>('GET', pathOf(id), { signal }),
  })
}

export function useGroup(companyNumber: string) {
  return useQuery({
    queryKey: ['company', companyNumber, 'group'],
    queryFn: ({ signal }) => callApi<CompanyGroup>('GET', `/v1/companies/${companyNumber}/group`, { signal }),
  })
}

export interface ReviewDecision {
  action: 'accept' | 'reject' | 'reassign'
  company_number?: string
}

/** Returns the open reviews to which the decision applies too; none for a company that is no candidate. */
export function useAlike(id: string, decision: ReviewDecision | null) {
  const { action = 'reassign', company_number: number } = decision ?? {}
  return useQuery({
    queryKey: ['reviews', 'alike', id, action, number],
    enabled: action !== 'reassign',
    queryFn: ({ signal }) =>
      callApi<AlikeReviews>('GET', `${pathOf(id)}/similar`, { query: { action, company_number: number }, signal }),
  })
}

export interface ManyDecisions {
  /** With the decision that the person saw, null for none: another one since then stays. */
  items: Array<ReviewDecision & { id: string; seen_decision: { action: string; company_number: string | null } | null }>
  reviewer?: string
  reason?: string
}

/** Decides one review, or several in one request. A single refusal is thrown. */
export function useDecide(onDone: (done: ReviewsDone) => void) {
  return useChange((body: ManyDecisions) => callApi<ReviewsDone>('POST', `${PATH}/decisions`, { body }), onDone)
}

export function useWithdraw(onDone: (done: ReviewsDone) => void) {
  return useChange((ids: string[]) => withdraw(ids), onDone)
}

const withdraw = (ids: string[]) => callApi<ReviewsDone>('POST', `${PATH}/decisions/withdraw`, { body: { ids } })

/** Makes the decisions again that were replaced, and withdraws the others. A single refusal is thrown. */
export async function undoDecisions(changed: readonly Changed[]): Promise<ReviewsDone['data']> {
  const items = changed.flatMap(({ id, replaced }) => (replaced ? [{ id, ...toAgain(replaced) }] : []))
  const ids = changed.flatMap(({ id, replaced }) => (replaced ? [] : [id]))
  const made = items.length === 0 ? [] : [await callApi<ReviewsDone>('POST', `${PATH}/decisions`, { body: { items } })]
  const withdrawn = ids.length === 0 ? [] : [await withdraw(ids)]
  const done = [...made, ...withdrawn].flatMap(({ data }) => data)
  const [only, other] = done
  if (only?.problem && !other) throw new Error(only.problem.detail)
  return done
}

/** Calls `onDone`, which may open another review, and then reloads all reviews. */
function useChange<Variables>(
  mutationFn: (variables: Variables) => Promise<ReviewsDone>,
  onDone: (done: ReviewsDone) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (variables: Variables) => {
      const done = await mutationFn(variables)
      const [only, other] = done.data
      if (only?.problem && !other) throw new Error(only.problem.detail)
      return done
    },
    onSuccess: async (done) => {
      onDone(done)
      await queries.invalidateQueries({ queryKey: ['reviews'] })
    },
  })
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
