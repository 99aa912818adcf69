/** Where the words of a site differ from the register's record of a company, in sentences. Pure. */
import { splitAtNumber } from '../lib/text/split-at-number.ts'
import { type Company, parseCompanyNumber, toNameKey } from '../register/index.ts'

/** The parts of a record that the words of a site can be compared with. */
export const COMPARED_KINDS = ['name', 'number', 'postcode', 'address'] as const
export const DIFFERENCE_KINDS = [...COMPARED_KINDS, 'status'] as const

export interface Difference {
  kind: (typeof DIFFERENCE_KINDS)[number]
  /** As the site prints it; null where it prints nothing of the kind. */
  site: string | null
  register: string | null
  says: string
}

type Recorded = Pick<Company, 'number' | 'name' | 'previousNames' | 'status' | 'dissolvedOn' | 'address'>

export interface Comparison {
  /** No difference in one of these is agreement. The others have no counterpart on the site or in the register. */
  compared: Array<(typeof COMPARED_KINDS)[number]>
  differences: Difference[]
}

/** Quotes are the words on the site about this company. Without any, there is nothing to compare, and only its status is read. */
export function compareWithRegister(company: Recorded, quotes: readonly string[]): Comparison {
  const words = quotes.join('\n')
  const compared: Comparison['compared'] = []
  const differences: Difference[] = []
  for (const kind of words === '' ? [] : COMPARED_KINDS) {
    const found = COMPARE[kind](company, words, quotes)
    if (found === null) continue
    compared.push(kind)
    differences.push(...found)
  }
  return { compared, differences: [...differences, ...readStatus(company)] }
}

/** Each returns the differences, or null where there is nothing to compare. */
const COMPARE: Record<
  (typeof COMPARED_KINDS)[number],
  (company: Recorded, words: string, quotes: readonly string[]) => Difference[] | null
> = { name: compareName, number: compareNumber, postcode: comparePostcode, address: compareStreet }

function compareName({ name, previousNames }: Recorded, words: string): Difference[] {
  const text = ` ${toNameKey(words)} `
  const isPrinted = (one: string) => text.includes(` ${toNameKey(one)} `)
  if (isPrinted(name)) return []
  const former = previousNames.find((one) => isPrinted(one.name))
  if (former) {
    const until = former.ceased_on === null ? '' : ` until ${former.ceased_on}`
    const says = `The site prints ${former.name}, the name of the company${until}; the register has ${name}.`
    return [{ kind: 'name', site: former.name, register: name, says }]
  }
  return [{ kind: 'name', site: null, register: name, says: `The site does not print the registered name, ${name}.` }]
}

const NUMBER_AFTER_LABEL =
  /(?:compan(?:y|ies)|registration|registered|reg\.?|crn)[^\d\n]{0,40}?\b((?:[A-Z]{2}\s?)?\d{5,8})\b/gi

function compareNumber({ number }: Recorded, _words: string, quotes: readonly string[]): Difference[] {
  if (quotes.some((quote) => splitAtNumber(quote, number) !== null)) return []
  const others = quotes.flatMap((quote) => [...quote.matchAll(NUMBER_AFTER_LABEL)].map((match) => match[1] ?? ''))
  const other = others.find((one) => parseCompanyNumber(one) !== null)
  const says =
    other === undefined
      ? `The site does not print the number ${number}.`
      : `The site prints the number ${other}; the register has ${number} for this company.`
  return [{ kind: 'number', site: other ?? null, register: number, says }]
}

const POSTCODE = /\b([A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})\b/gi

function comparePostcode({ address: { postcode } }: Recorded, words: string): Difference[] | null {
  if (postcode === null) return null
  const printed = [...words.matchAll(POSTCODE)].map(([, out = '', inner = '']) => `${out} ${inner}`.toUpperCase())
  const compact = (code: string) => code.replaceAll(/\s/g, '').toUpperCase()
  if (printed.some((code) => compact(code) === compact(postcode))) return []
  const [other] = printed
  const says =
    other === undefined
      ? `The site prints no postcode; the register has ${postcode}.`
      : `The postcode is another: the site prints ${other}, the register has ${postcode}.`
  return [{ kind: 'postcode', site: other ?? null, register: postcode, says }]
}

/** "Unit 14", or "12 High Street": a word that names the part, and the number in it. */
const UNIT = /\b(unit|suite|flat|floor|office|studio|apartment)\s+(\d+[a-z]?|[a-z])\b/i
const HOUSE = /^\s*(\d+[a-z]?)\s+([a-z][a-z' ]{3,60}?)\s*$/i

/** The same street or unit with another number. An address without them has nothing to compare. */
function compareStreet({ address: { line1, line2 } }: Recorded, words: string): Difference[] | null {
  const lines = [line1, line2].flatMap((line) => line?.split(',') ?? [])
  const compared = lines.flatMap((line) => {
    const found = compareUnit(line, words) ?? compareHouse(line, words)
    return found === null ? [] : [found]
  })
  return compared.length === 0 ? null : compared.flat()
}

function compareUnit(line: string, words: string): Difference[] | null {
  const [register = null, label = '', number = ''] = UNIT.exec(line) ?? []
  if (register === null) return null
  const printed = [...words.matchAll(new RegExp(String.raw`\b${label}\s+(\d+[a-z]?|[a-z])\b`, 'gi'))]
  return toAddress(printed, number, register)
}

function compareHouse(line: string, words: string): Difference[] | null {
  const [, number = '', street = ''] = HOUSE.exec(line) ?? []
  if (number === '') return null
  const name = street.trim().split(/\s+/).join(String.raw`\s+`)
  return toAddress([...words.matchAll(new RegExp(String.raw`\b(\d+[a-z]?)\s+${name}\b`, 'gi'))], number, line.trim())
}

function toAddress(printed: RegExpExecArray[], number: string, register: string): Difference[] | null {
  const isSame = ([, one = '']: RegExpExecArray) => one.toLowerCase() === number.toLowerCase()
  const [other] = printed
  if (!other) return null
  if (printed.some(isSame)) return []
  const [site] = other
  return [{ kind: 'address', site, register, says: `The site prints ${site}, the register has ${register}.` }]
}

function readStatus({ status, dissolvedOn }: Recorded): Difference[] {
  if (status !== 'dissolved') return []
  const when = dissolvedOn === null ? '' : ` on ${dissolvedOn}`
  return [{ kind: 'status', site: null, register: status, says: `The register dissolved the company${when}.` }]
}
