import { useLocation, useSearch } from 'wouter'

/** The filter of a list, in the address of its screen, so that it can be sent to a colleague. An empty value is no filter. */
export function useAddressFilter<Name extends string>(path: string, names: readonly Name[]) {
  type Filter = Partial<Record<Name, string>>
  const params = new URLSearchParams(useSearch())
  const [, go] = useLocation()
  const filter = Object.fromEntries(
    names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  ) as Filter
  /** Changes a part of the filter; null clears it. */
  const setFilter = (part: Filter | null) => {
    const wanted = part === null ? {} : { ...filter, ...part }
    const given = Object.entries<string | undefined>(wanted).flatMap(([name, value]) => (value ? [[name, value]] : []))
    const query = new URLSearchParams(given).toString()
    go(query === '' ? path : `${path}?${query}`, { replace: true })
  }
  return { filter, setFilter }
}
