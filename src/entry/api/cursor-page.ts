/** Lists that a program reads on by a cursor and a person by pages. */
import { z } from 'zod'
import { invalidRequest } from '../http/errors.ts'
import { pageOf } from '../http/page.ts'

/** Returns the body of a page. `meanwhile` is what may happen to the list between two pages. */
export function cursorPageOf<Item extends z.ZodType>(item: Item, meanwhile: string) {
  const next = z.string().nullable().describe(`Send as \`cursor\` to go on; stable while ${meanwhile}.`)
  return pageOf(item).extend({ next_cursor: next })
}

export function cursorOf(pattern: RegExp) {
  return z.string().regex(pattern).optional().describe('`next_cursor` of the page before, instead of `page`.')
}

export function presentPage<Item>(
  data: Item[],
  { page, limit }: { page: number; limit: number },
  nextCursor: string | null,
) {
  return { data, page, limit, has_more: nextCursor !== null, next_cursor: nextCursor }
}

/** Skipping costs time; a cursor goes on from anywhere at once. */
const SKIPPED_MAX = 10_000

/** Returns how many entries a page skips; a cursor skips none. */
export function toOffset(
  { page, limit, cursor }: { page: number; limit: number; cursor?: unknown },
  entries: string,
): number {
  const offset = cursor === undefined ? (page - 1) * limit : 0
  if (offset <= SKIPPED_MAX) return offset
  const message = `reaches past the first ${SKIPPED_MAX} ${entries}; go on with \`cursor\``
  throw invalidRequest([{ field: 'page', message }])
}
