import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AddedCompany, ListEntries, UnwatchedCompany } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { useToast } from '../ui/toast.tsx'

const PAGE_SIZE = 100
/** A longer list is not loaded completely only to label a button. */
const PAGES_MAX = 5
const NUMBERS = ['watchlist', 'numbers']
/** An older watch existed before this click. */
const JUST_NOW_MS = 60_000

interface Watched {
  numbers: string[]
}

/** Returns the watched company numbers; of a very long list, only the newest. */
export function useWatchedNumbers() {
  return useQuery({ queryKey: NUMBERS, queryFn: ({ signal }) => readNumbers(signal), staleTime: 60_000 })
}

async function readNumbers(signal: AbortSignal): Promise<Watched> {
  const numbers: string[] = []
  let cursor: string | undefined
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const query = { limit: PAGE_SIZE, cursor }
    const page: ListEntries = await callApi('GET', '/v1/watchlists/all/companies', { query, signal })
    numbers.push(...page.data.map(({ company_number: number }) => number))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return { numbers }
}

/** Puts a company on a list. */
export function useWatch(list = 'default') {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  return useMutation({
    mutationFn: (companyNumber: string) =>
      callApi<AddedCompany>('POST', `/v1/watchlists/${list}/companies`, {
        body: { company_number: companyNumber },
        isOnce: true,
      }),
    onSuccess: ({ company_name: name, company_number: number, watched_at: at }) => {
      const isNew = Date.now() - Date.parse(at) < JUST_NOW_MS
      showToast(
        isNew
          ? `You are watching ${name}. Changes appear in Signals and go to your webhooks.`
          : `You are already watching ${name}.`,
      )
      return refresh((numbers) => [number, ...numbers.filter((other) => other !== number)])
    },
  })
}

export function useUnwatch({ number, name }: { number: string; name: string }, onDone?: () => void) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  return useMutation({
    mutationFn: () => callApi<UnwatchedCompany>('DELETE', `/v1/watchlist/${number}`),
    onSuccess: async () => {
      showToast(`You no longer watch ${name}.`)
      await refresh((numbers) => numbers.filter((other) => other !== number))
      onDone?.()
    },
  })
}

/** Refreshes everything that shows the list, its size or its signals. */
export function useWatchlistChanged() {
  const queries = useQueryClient()
  return async (change: (numbers: string[]) => string[] = (numbers) => numbers) => {
    queries.setQueryData<Watched>(NUMBERS, (known) => known && { numbers: change(known.numbers) })
    const keys = [['watchlist'], ['account'], ['signals']]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
