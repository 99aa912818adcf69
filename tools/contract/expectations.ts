/** Checks of an answer. Each throws a `Mismatch` that says what was expected and what came. */
import type { Answer } from './client.ts'
import { Mismatch } from './shown.ts'
import * as is from './values.ts'

/**
 * Expected members by name: `'data.*.id'` for a column of a list, `'@location'` for a header, `'$text'` for the whole text.
 * `'a, b'` gives two members the same value.
 */
export type Members = Record<string, unknown>

const SHOWN_CHARACTERS_MAX = 300
const DETAIL_CHARACTERS_MAX = 100

/** Returns the answer, so that calls can be chained. */
export function expectStatus(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) throw Mismatch.of(statuses.join(' or '), describe(answer))
  return answer
}

/** Checks the status and the members. Returns what was asked and what came, for the row's detail. */
export function expectAnswer(answer: Answer, status: number, members: Members = {}): string {
  expectStatus(answer, status)
  const parts = [`${answer.asked}: ${status}`]
  for (const [names, expected] of Object.entries(members)) {
    for (const name of names.split(', ')) {
      const expectation = toExpectation(expected)
      const value = expectMember(answer, name, expectation)
      if (expectation.isShown) parts.push(`${name} ${String(value).slice(0, DETAIL_CHARACTERS_MAX)}`)
    }
  }
  return parts.join(', ')
}

/** The status, and a body that says the same with a code to branch on. */
export function expectRefusal(answer: Answer, status: number, code?: string): string {
  const detail = expectAnswer(expectStatus(answer, status), status, { code: code ?? is.shown, detail: is.text })
  expectMember(expectJson(answer), 'status', status)
  return detail
}

export function expectJson(answer: Answer): Answer {
  expectMember(answer, '@content-type', is.matching(/^application\/json/, 'application/json'))
  return answer
}

/** Returns the member's value. */
export function expectMember(answer: Answer, path: string, expected: unknown): unknown {
  const { words, holds } = toExpectation(expected)
  const value = readMember(answer, path)
  if (!holds(value))
    throw Mismatch.of(`${path} of ${answer.asked} to be ${words}`, `${show(value)} in ${show(answer.body)}`)
  return value
}

function toExpectation(expected: unknown): is.Expectation {
  const isExpectation = is.object.holds(expected) && 'holds' in (expected as object)
  return isExpectation ? (expected as is.Expectation) : is.equals(expected)
}

export function expectThat(isSo: boolean, expected: string, came: unknown): void {
  if (!isSo) throw Mismatch.of(expected, show(came))
}

function readMember({ headers, text, body }: Answer, path: string): unknown {
  if (path === '$text') return text
  return path.startsWith('@') ? headers.get(path.slice(1)) : readPath(body, path)
}

/** Returns `data.0.id` of a parsed body, or undefined. `data.*.id` returns the id of each item, if there is a list. */
export function readPath(body: unknown, path: string): unknown {
  const [list = '', rest] = path.split('.*.')
  if (rest !== undefined) {
    const items = readPath(body, list)
    return Array.isArray(items) ? items.map((item) => readPath(item, rest)) : undefined
  }
  return path.split('.').reduce<unknown>((value, name) => {
    return value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[name]
  }, body)
}

export const readText = (answer: Answer, path: string): string => String(expectMember(answer, path, is.text))
export const readNumber = (answer: Answer, path: string): number => Number(expectMember(answer, path, is.number))
/** Returns a column: `data.*.id`. */
export const readList = (answer: Answer, path: string): unknown[] => expectMember(answer, path, is.list) as unknown[]

export function describe({ asked, status, text }: Answer): string {
  return `${status} from ${asked}: ${text.slice(0, SHOWN_CHARACTERS_MAX)}`
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_CHARACTERS_MAX)
}
