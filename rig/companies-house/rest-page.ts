/** Pages of lists, and the response of a resource before it becomes HTTP. */

export interface RestAnswer {
  status: number
  /** Sent as JSON; without it the body is empty. */
  body?: unknown
}

export interface Page {
  startIndex: number
  itemsPerPage: number
}

/** Bends odd values into shape and never refuses: zero means the default, a negative number its absolute value. */
export function readPage(query: URLSearchParams, rules: { size: number; sizeMax?: number }): Page {
  const read = (name: string) => (/^-?\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0)
  return {
    startIndex: Math.max(0, read('start_index')),
    itemsPerPage: Math.min(Math.abs(read('items_per_page')) || rules.size, rules.sizeMax ?? Number.POSITIVE_INFINITY),
  }
}

export function pageOf<Item>(items: readonly Item[], { startIndex, itemsPerPage }: Page): Item[] {
  return items.slice(startIndex, startIndex + itemsPerPage)
}
