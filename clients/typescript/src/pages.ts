import type { ApiRequest, Transport } from './transport.ts'

interface Page<Item> {
  data: Item[]
  page: number
  has_more: boolean
  /** Lists that move while they are read have one. */
  next_cursor?: string | null
}

/** The last page of anything that the service counts. */
const PAGES_MAX = 10_000

/** Every item of a list, a page at a time and only as far as it is asked for. */
export async function* listItems<Item>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'query' | 'signal'>,
  pagesMax = PAGES_MAX,
): AsyncGenerator<Item, void, undefined> {
  let place: { page: number } | { cursor: string } = { page: 1 }
  for (let read = 0; read < pagesMax; read += 1) {
    const query = { ...request.query, ...place }
    const page: Page<Item> = await transport.json({ ...request, method: 'GET', query })
    yield* page.data
    if (!page.has_more) return
    place = page.next_cursor ? { cursor: page.next_cursor } : { page: page.page + 1 }
  }
}
