/** Views that the person saved on the server: lists with their filter, under a name. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedView, SavedViews } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { useToast } from '../ui/toast.tsx'

const PATH = '/v1/account/views'
const KEY = ['views']

/** Lists whose filters are in their address, and what is below them. */
const WITH_FILTERS = /^\/(?:(?:audit|companies|resolutions|review|signals|watchlist)$|review\/|bulk\/)/

/** Returns the list at an address whose filter can be saved; null where there is none. An open review belongs to its queue. */
export function findList(path: string): string | null {
  if (!WITH_FILTERS.test(path)) return null
  return path.startsWith('/review/') ? '/review' : path
}

/** The filter in an address, without the row of a bulk job that is open beside it. */
export function toFilter(path: string, query: string): string {
  const params = new URLSearchParams(query)
  if (path.startsWith('/bulk/')) params.delete('row')
  return params.toString()
}

export const fetchViews = (signal: AbortSignal) => callApi<SavedViews>('GET', PATH, { signal })

export function useViews() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => fetchViews(signal), staleTime: 60_000 })
}

export const addressOf = ({ path, query }: Pick<SavedView, 'path' | 'query'>) =>
  query === '' ? path : `${path}?${query}`

type NewView = Pick<SavedView, 'name' | 'path' | 'query'>

export function useSaveView(onSaved: (view: SavedView) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, path, query }: NewView) => callApi<SavedView>('POST', PATH, { body: { name, path, query } }),
    onSuccess: async (view) => {
      onSaved(view)
      await queries.invalidateQueries({ queryKey: KEY })
    },
  })
}

/** Removes a view. The message has a button that saves it again. */
export function useRemoveView() {
  const queries = useQueryClient()
  const showToast = useToast()
  const again = useSaveView((view) => showToast(`The view “${view.name}” is back.`))
  return useMutation({
    mutationFn: ({ id }: SavedView) => callApi<SavedView>('DELETE', `${PATH}/${encodeURIComponent(id)}`),
    onSuccess: async (view) => {
      showToast(`The view “${view.name}” is removed.`, { text: 'Undo', onClick: () => again.mutate(view) })
      await queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) => showToast(error.message),
  })
}
