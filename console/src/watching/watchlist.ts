import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UnwatchedCompany, WatchedCompany, Watchlist } from '../api/bodies.ts'
import { callApi, newIdempotencyKey } from '../api/client.ts'
import { useSay } from '../ui/said.tsx'

const PAGE_SIZE = 100
/** A longer list is not read whole only to know what a button says. */
const PAGES_MAX = 5
const NUMBERS = ['watchlist', 'numbers']
/** A watch that is older than this was there before. */
const JUST_NOW_MS = 60_000

interface Watched {
  numbers: string[]
}

/** Which companies are watched; of a very long list, the newest. */
export function useWatchedNumbers() {
  return useQuery({ queryKey: NUMBERS, queryFn: ({ signal }) => readNumbers(signal), staleTime: 60_000 })
}

async function readNumbers(signal: AbortSignal): Promise<Watched> {
  const numbers: string[] = []
  let cursor: string | undefined
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const query = { limit: PAGE_SIZE, cursor }
    const page: Watchlist = await callApi('GET', '/v1/watchlist', { query, signal })
    numbers.push(...page.data.map(({ company_number: number }) => number))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return { numbers }
}

export function useWatch() {
  const tell = useWatchlistChanged()
  const say = useSay()
  return useMutation({
    mutationFn: (companyNumber: string) =>
      callApi<WatchedCompany>('POST', '/v1/watchlist', {
        body: { company_number: companyNumber },
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: ({ company_name: name, company_number: number, watched_at: at }) => {
      const isNew = Date.now() - Date.parse(at) < JUST_NOW_MS
      say(
        isNew
          ? `You watch ${name} now. What changes comes to Signals and to your webhooks.`
          : `You watch ${name} already.`,
      )
      return tell((numbers) => [number, ...numbers.filter((other) => other !== number)])
    },
  })
}

export function useUnwatch() {
  const tell = useWatchlistChanged()
  const say = useSay()
  return useMutation({
    mutationFn: ({ number }: { number: string; name: string }) =>
      callApi<UnwatchedCompany>('DELETE', `/v1/watchlist/${number}`),
    onSuccess: (_, { number, name }) => {
      say(`You no longer watch ${name}.`)
      return tell((numbers) => numbers.filter((other) => other !== number))
    },
  })
}

/** Every place that shows the list, how full it is, or what it tells, is brought up to date. */
export function useWatchlistChanged() {
  const queries = useQueryClient()
  return async (change: (numbers: string[]) => string[] = (numbers) => numbers) => {
    queries.setQueryData<Watched>(NUMBERS, (known) => known && { numbers: change(known.numbers) })
    const keys = [['watchlist'], ['account'], ['signals']]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
