import { z } from 'zod'

const PAGE_LIMIT_MAX = 100
const PAGE_MAX = 10_000

/** `?page=2&limit=50` for lists. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1).describe('From 1.'),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(20).describe('Entries on a page.'),
})

/** A list body: the page, and whether there is another after it. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), page: z.int(), limit: z.int(), has_more: z.boolean() })
}

/** Times go out as RFC 3339 in UTC. */
export function presentTime(at: Date): string {
  return at.toISOString()
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

type Members<Item> = {
  [Name in keyof Item as SnakeCase<Name & string>]: Exclude<Item[Name], Date> | TimeOf<Item[Name]>
}
type TimeOf<Value> = Date extends Value ? string : never

/**
 * Returns the members of an object by their names in the API: `createdAt` is `created_at`, and its time RFC 3339. A
 * response leaves out members that its schema does not name.
 */
export function presentMembers<Item extends object>(item: Item): Members<Item> {
  const members = Object.entries(item).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Date ? presentTime(value) : (value as unknown),
  ])
  return Object.fromEntries(members) as Members<Item>
}

export const MaybeText = z.string().nullable()
/** The member beside a code that has it in words. */
export const inWords = (member: string) => MaybeText.describe(`\`${member}\` in words.`)
export const Time = z.iso.datetime().describe('RFC 3339, UTC.')
export const CalendarDate = z.iso.date()
/** A date in a request. Outside these years calendars and databases disagree, and no company has a date. */
export const AskedDate = CalendarDate.refine((date) => date >= '1600-01-01' && date < '2200-01-01', {
  error: 'must be a date from 1600 to 2199',
})
