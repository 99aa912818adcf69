import type { ApiRequest, Transport } from './transport.ts'

interface Page<Item> {
  data: Item[]
  page: number
  has_more: boolean
  /** Present in lists that change while they are read. */
  next_cursor?: string | null
}

/** No list of the service has more pages. */
const PAGES_MAX = 10_000

/** Yields every item of a list. The next page is fetched only when its first item is needed. */
export async function* listItems<Item>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'query' | 'signal'>,
  pagesMax = PAGES_MAX,
): AsyncGenerator<Item, void, undefined> {
  let position: { page: number } | { cursor: string } = { page: 1 }
  for (let read = 0; read < pagesMax; read += 1) {
    const query = { ...request.query, ...position }
    const page: Page<Item> = await transport.json({ ...request, method: 'GET', query })
    yield* page.data
    if (!page.has_more) return
    position = page.next_cursor ? { cursor: page.next_cursor } : { page: page.page + 1 }
  }
}
