/** Paging as the lists do it: odd values are bent into shape, never refused. */

export interface Page {
  startIndex: number
  itemsPerPage: number
}

export function readPage(query: URLSearchParams, rules: { size: number; sizeMax?: number }): Page {
  // Zero means the default and a negative number its absolute value.
  const asked = Math.abs(readInteger(query.get('items_per_page'))) || rules.size
  return {
    startIndex: Math.max(0, readInteger(query.get('start_index'))),
    itemsPerPage: Math.min(asked, rules.sizeMax ?? Number.POSITIVE_INFINITY),
  }
}

export function pageOf<Item>(items: readonly Item[], { startIndex, itemsPerPage }: Page): Item[] {
  return items.slice(startIndex, startIndex + itemsPerPage)
}

function readInteger(text: string | null): number {
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : 0
}
