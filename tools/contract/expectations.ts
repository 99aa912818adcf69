/** What is held against an answer. Each throws a `Mismatch` that says what was expected and what came. */
import type { Answer } from './client.ts'
import { Mismatch } from './shown.ts'

export interface Expectation {
  words: string
  holds: (value: unknown) => boolean
}

const SHOWN_CHARACTERS_MAX = 300

const expectation = (words: string, holds: (value: unknown) => boolean): Expectation => ({ words, holds })

export const TEXT = expectation('a string', (value) => typeof value === 'string')
export const INTEGER = expectation('an integer', Number.isInteger)
export const NUMBER = expectation('a number', (value) => typeof value === 'number')
export const BOOLEAN = expectation('true or false', (value) => typeof value === 'boolean')
export const OBJECT = expectation('an object', isObject)
export const LIST = expectation('a list', Array.isArray)
export const OBJECTS = expectation('a list of objects', (value) => Array.isArray(value) && value.every(isObject))
export const FILLED = expectation('a list that is not empty', (value) => Array.isArray(value) && value.length > 0)
export const ABSENT = expectation('nothing', (value) => value === undefined)
export const DATE = expectation(
  'a date as YYYY-MM-DD',
  (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
)

export const equals = (wanted: unknown) => expectation(JSON.stringify(wanted), (value) => value === wanted)
export const oneOf = (...wanted: unknown[]) =>
  expectation(`one of ${wanted.join(', ')}`, (value) => wanted.includes(value))
export const orNull = ({ words, holds }: Expectation) =>
  expectation(`${words} or null`, (value) => value === null || holds(value))
export const optional = ({ words, holds }: Expectation) =>
  expectation(`${words}, if anything`, (value) => value === undefined || holds(value))
export const matching = (pattern: RegExp, words: string) =>
  expectation(words, (value) => typeof value === 'string' && pattern.test(value))

/** Answers the answer, so that it can be looked into. */
export function expectStatus(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) throw Mismatch.of(statuses.join(' or '), describe(answer))
  return answer
}

/** The status, and a body that says the same with a code to branch on. */
export function expectRefusal(answer: Answer, status: number, code?: string): Answer {
  expectStatus(answer, status)
  expectMember(answer, 'status', equals(status))
  expectMember(answer, 'detail', TEXT)
  expectMember(answer, 'code', code === undefined ? TEXT : equals(code))
  return expectJson(answer)
}

export function expectJson(answer: Answer): Answer {
  const type = answer.headers.get('content-type') ?? 'no content type'
  if (!type.startsWith('application/json')) throw Mismatch.of(`${answer.asked} as application/json`, type)
  return answer
}

/** Answers the member's value. */
export function expectMember(answer: Answer, path: string, { words, holds }: Expectation): unknown {
  const value = readMember(answer.body, path)
  if (!holds(value))
    throw Mismatch.of(`${path} of ${answer.asked} to be ${words}`, `${show(value)} in ${show(answer.body)}`)
  return value
}

export function expectThat(isSo: boolean, expected: string, came: unknown): void {
  if (!isSo) throw Mismatch.of(expected, show(came))
}

/** `data.0.id` of a parsed body; undefined where there is none. */
export function readMember(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    return value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[name]
  }, body)
}

export const readText = (answer: Answer, path: string): string => String(expectMember(answer, path, TEXT))
export const readNumber = (answer: Answer, path: string): number => Number(expectMember(answer, path, NUMBER))

/** The members of this name, one of each object in the list. */
export function readColumn(answer: Answer, path: string, name: string): unknown[] {
  const list = expectMember(answer, path, OBJECTS) as Array<Record<string, unknown>>
  return list.map((item) => item[name])
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function describe({ asked, status, text }: Answer): string {
  return `${status} from ${asked}: ${text.slice(0, SHOWN_CHARACTERS_MAX)}`
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_CHARACTERS_MAX)
}
