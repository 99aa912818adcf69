/** A filing in words, by the rules of the register's own site. */
import { toLondonDate } from '../../lib/clock.ts'
import { type LooseRecord, toDate, toList, toRecord, toText } from '../../lib/text/loose-json.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { CODE_LISTS, describeCode, describeUnknown, FILING_DESCRIPTIONS } from '../vocabulary.ts'

interface FilingWords {
  text: string
  /** Amounts of capital, and what was filed with it: resolutions, notes, other forms. */
  details: string[]
}

const DETAILS_MAX = 20
const TEXT_LENGTH_MAX = 1_000
const DEPTH_MAX = 2
const CHILDREN = ['associated_filings', 'resolutions', 'annotations'] as const

export function describeFiling(filing: LooseRecord, depth = 0): FilingWords {
  const values = toRecord(filing['description_values'])
  return { text: toSentence(filing, values), details: listDetails(filing, values, depth).slice(0, DETAILS_MAX) }
}

function toSentence(filing: LooseRecord, values: LooseRecord): string {
  // Old filings have their whole text as a value.
  const written = toText(values['description'])
  if (written !== null) return withoutMarks(written).slice(0, TEXT_LENGTH_MAX)
  const code = toText(filing['description'])
  const category = toText(filing['category'])
  if (code === null) return category === null ? 'Filing' : describeCode('filing_category', category)
  const known = findTemplate(code) ?? composeAmended(code) ?? composeAccounts(code)
  if (known === null) return describeUnknown('filing', code)
  const sentence = fill(withoutMarks(known), values)
  if (sentence !== '') return sentence
  // A template may be nothing but a value.
  return category === null ? describeUnknown('filing', code) : describeCode('filing_category', category)
}

function findTemplate(code: string): string | null {
  return Object.hasOwn(FILING_DESCRIPTIONS, code) ? (FILING_DESCRIPTIONS[code]?.template ?? null) : null
}

/** Amended accounts have the kinds of accounts: `accounts-amended-with-accounts-type-full`. */
function composeAmended(code: string): string | null {
  const kind = /^accounts-amended-(with-accounts-type-.+)$/.exec(code)?.[1]
  if (kind === undefined) return null
  const words = findTemplate(`accounts-${kind}`) ?? composeAccounts(`accounts-${kind}`)
  if (words === null) return null
  const plain = withoutMarks(words)
  return `Amended ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`
}

const NO_KIND: ReadonlySet<string> = new Set(['null', 'no-accounts-type-available'])

/** Kinds of accounts are part of the code: `accounts-with-accounts-type-full-group`. */
function composeAccounts(code: string): string | null {
  const type = /^accounts-with-accounts-type-(.+)$/.exec(code)?.[1]
  if (type === undefined) return null
  const kind = type.replace('subsiduary', 'subsidiary').replace(/-group$/, '')
  if (NO_KIND.has(kind)) return 'Accounts made up to {made_up_date}'
  const words = Object.hasOwn(CODE_LISTS.account_type, kind) ? describeCode('account_type', kind) : null
  if (words === null) return null
  const group = type.endsWith('-group') ? 'group accounts' : 'accounts'
  return `${words.charAt(0)}${words.slice(1).toLowerCase()} ${group} made up to {made_up_date}`
}

const withoutMarks = (text: string): string => text.replaceAll('**', '')

/** Words that lead to a value, and go with it when it is missing. */
const LEADING = String.raw`(?:,?\s+(?:made up|made|created|dated|on|of|to|from|for|as|in|at|by|-))*`
const PLACEHOLDER = new RegExp(String.raw`(${LEADING})\s*\{([\w ]+)\}`, 'g')

function fill(template: string, values: LooseRecord): string {
  const filled = template.replaceAll(PLACEHOLDER, (whole, _leading: string, name: string) => {
    const value = readValue(values, name)
    return value === null ? '' : whole.replace(/\{[\w ]+\}$/, () => value)
  })
  return filled
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,.])/g, '$1')
    .trim()
}

const VALUE_LENGTH_MAX = 300

/** One name in the register's own list is misspelt, with a space. */
function readValue(values: LooseRecord, name: string): string | null {
  const value = toText(values[name.replaceAll(' ', '_')])?.slice(0, VALUE_LENGTH_MAX) ?? null
  if (value === null) return null
  return name.endsWith('date') ? formatDate(value) : withoutBraces(value)
}

const withoutBraces = (value: string): string => value.replaceAll(/[{}]/g, '')

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** A day, or a time whose day in London counts. Anything else stays as the register wrote it. */
function formatDate(value: string): string {
  const day = toDate(value)
  if (day !== null) return formatDay(day)
  const at = new Date(TIME.test(value) ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? withoutBraces(value) : formatDay(toLondonDate(at))
}

function listDetails(filing: LooseRecord, values: LooseRecord, depth: number): string[] {
  const capital = [...toList(values['capital']).flatMap(describeCapital), ...listOtherCapital(values)]
  if (depth >= DEPTH_MAX) return capital
  const children = CHILDREN.flatMap((name) =>
    toList(filing[name]).map((child) => describeChild(name, toRecord(child), depth)),
  )
  return [...capital, ...children.flat()]
}

function describeChild(name: (typeof CHILDREN)[number], child: LooseRecord, depth: number): string[] {
  const note = name === 'annotations' ? toText(child['annotation']) : null
  if (note !== null) return [`Note by Companies House: ${note.slice(0, TEXT_LENGTH_MAX)}`]
  const { text, details } = describeFiling(child, depth + 1)
  return [name === 'annotations' ? `Note by Companies House: ${text}` : text, ...details]
}

/** Amounts of another kind, which the first of them names: shares in treasury, for example. */
function listOtherCapital(values: LooseRecord): string[] {
  const items = toList(values['alt_capital'])
  const first = toRecord(items[0])
  const named = toText(first['description'])
  const amounts = items.flatMap(describeCapital)
  if (named === null) return amounts
  const template = findTemplate(named)
  const words = template === null ? describeLoose(named) : fill(withoutMarks(template), { ...values, ...first })
  const intro = words.slice(0, VALUE_LENGTH_MAX).replace(/[.:\s]+$/, '')
  return intro === '' ? amounts : amounts.map((amount) => `${intro}: ${amount}`)
}

/** A code that no list has, or a text. */
function describeLoose(written: string): string {
  return /^[a-z\d]+(?:-[a-z\d]+)+$/.test(written)
    ? describeUnknown('filing', written)
    : withoutBraces(withoutMarks(written))
}

function describeCapital(item: unknown): string[] {
  const { currency, figure, date } = toRecord(item)
  const amount = [toText(currency), toText(figure) ?? (typeof figure === 'number' ? String(figure) : null)]
  if (amount.some((part) => part === null)) return []
  const on = toText(date)
  return [`${amount.join(' ')}${on === null ? '' : ` on ${formatDate(on)}`}`]
}
