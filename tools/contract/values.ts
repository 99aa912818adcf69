/** Expected values of members, imported as `is`: `is.text`, `is.oneOf('pending', 'processing')`. */

export interface Expectation {
  words: string
  holds: (value: unknown) => boolean
  /** The value is no secret: the row's detail shows it. */
  isShown?: boolean
}

export const expectation = (words: string, holds: (value: unknown) => boolean): Expectation => ({ words, holds })

export const text = expectation('a string', (value) => typeof value === 'string')
export const shown = { ...text, isShown: true }
export const integer = { ...expectation('an integer', Number.isInteger), isShown: true }
export const number = expectation('a number', (value) => typeof value === 'number')
export const boolean = expectation('true or false', (value) => typeof value === 'boolean')
export const object = expectation('an object', isObject)
export const list = expectation('a list', Array.isArray)
export const objects = expectation('a list of objects', (value) => Array.isArray(value) && value.every(isObject))
export const filled = expectation('a list that is not empty', (value) => Array.isArray(value) && value.length > 0)
export const absent = expectation('nothing', (value) => value === undefined)
export const date = expectation(
  'a date as YYYY-MM-DD',
  (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
)

export const equals = (wanted: unknown): Expectation => ({
  ...expectation(JSON.stringify(wanted), (value) => value === wanted),
  isShown: true,
})
export const oneOf = (...wanted: unknown[]): Expectation => ({
  ...expectation(`one of ${wanted.join(', ')}`, (value) => wanted.includes(value)),
  isShown: true,
})
export const orNull = ({ words, holds }: Expectation) =>
  expectation(`${words} or null`, (value) => value === null || holds(value))
export const optional = ({ words, holds }: Expectation) =>
  expectation(`${words}, if anything`, (value) => value === undefined || holds(value))
export const matching = (pattern: RegExp, words: string) =>
  expectation(words, (value) => typeof value === 'string' && pattern.test(value))
export const not = ({ words, holds }: Expectation) => expectation(`not ${words}`, (value) => !holds(value))
export const including = (wanted: unknown) =>
  expectation(`a list with ${String(wanted)}`, (value) => Array.isArray(value) && value.includes(wanted))
export const excluding = (unwanted: unknown) =>
  expectation(`a list without ${String(unwanted)}`, (value) => Array.isArray(value) && !value.includes(unwanted))
export const each = ({ words, holds }: Expectation) =>
  expectation(`a list in which each is ${words}`, (value) => Array.isArray(value) && value.every(holds))
export const inOrigin = ({ origin }: URL): Expectation => ({
  ...expectation(`an address at ${origin}`, (value) => URL.parse(String(value))?.origin === origin),
  isShown: true,
})

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
