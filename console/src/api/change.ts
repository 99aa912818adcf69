import { type QueryFilters, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * A change over the API, after which what it `changes` is loaded again. Calls `onDone` first, because the reload may remove
 * the component that made the change.
 */
export function useChange<Body, Variables = void>(
  changes: QueryFilters,
  mutationFn: (variables: Variables) => Promise<Body>,
  onDone?: (body: Body) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (body) => {
      onDone?.(body)
      return queries.invalidateQueries(changes)
    },
  })
}
