import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlikeReviews, CompanyGroup, ReviewDetail, Reviews, ReviewsDone } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { type Seen, toAgain } from '../../reviewing/replaced.ts'
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

/** A review with the decision that the person saw. */
interface SeenReview {
  id: string
  seen_decision: Seen
}

export interface ManyDecisions {
  /** With the decision that the person saw, null for none: another one since then stays. */
  items: Array<ReviewDecision & SeenReview>
  reviewer?: string
  reason?: string
}

/** Decides one review, or several in one request. */
export function useDecide(onDone: (done: ReviewsDone) => void) {
  return useChange((body: ManyDecisions) => callApi<ReviewsDone>('POST', `${PATH}/decisions`, { body }), onDone)
}

export function useWithdraw(onDone: (done: ReviewsDone) => void) {
  return useChange((review: SeenReview) => withdraw([review]), onDone)
}

const withdraw = (items: SeenReview[]) =>
  callApi<ReviewsDone>('POST', `${PATH}/decisions/withdraw`, { body: { items } })

/** Makes the decisions again that were replaced, and withdraws the others. Another decision that was made since then stays. */
export async function undoDecisions(changed: readonly Changed[]): Promise<ReviewsDone['data']> {
  const items = changed.flatMap(({ id, replaced, made }) =>
    replaced ? [{ id, ...toAgain(replaced), seen_decision: made }] : [],
  )
  const others = changed.flatMap(({ id, replaced, made }) => (replaced ? [] : [{ id, seen_decision: made }]))
  const again = items.length === 0 ? [] : [await callApi<ReviewsDone>('POST', `${PATH}/decisions`, { body: { items } })]
  const withdrawn = others.length === 0 ? [] : [await withdraw(others)]
  const done = [...again, ...withdrawn].flatMap(({ data }) => data)
  throwIfRefused(done)
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
      throwIfRefused(done.data)
      return done
    },
    onSuccess: async (done) => {
      onDone(done)
      await queries.invalidateQueries({ queryKey: ['reviews'] })
    },
  })
}

/** Throws a single refusal. One because of another decision since then is a result: what was asked for is not wrong. */
function throwIfRefused([only, other]: ReviewsDone['data']): void {
  if (only?.problem && !only.decided_since && !other) throw new Error(only.problem.detail)
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
