import { type Company, toNameKey } from '../../register/words/index.ts'
import type { LegalName } from '../extract/legal-names.ts'
import type { Passage } from '../extract/passages.ts'
import type { Span } from '../extract/sentences.ts'
import { findName } from '../extract/words.ts'
import type { RegisterView } from './register-view.ts'

/** Finds the registered name of the number in the passage. More reliable than guessing where a printed name begins. */
export function findRegisteredName(
  passage: Passage,
  company: Company,
  number: Span,
): { span: Span; others: Span[]; agreement: 'name' | 'previous_name' } | null {
  const findSpans = (name: string) => preferFullNames(passage, findName(passage.words, toNameKey(name), number.start))
  const [current, ...others] = findSpans(company.name)
  if (current) return { span: current, others, agreement: 'name' }
  for (const { name } of company.previousNames) {
    const [previous, ...rest] = findSpans(name)
    if (previous) return { span: previous, others: rest, agreement: 'previous_name' }
  }
  return null
}

const OCCURRENCES_MAX = 5

/** Returns the occurrences with a legal ending ("X Ltd trades as X"); without any, the nearest occurrence. */
function preferFullNames({ text }: Passage, spans: readonly Span[]): Span[] {
  const full = spans.flatMap((span) => {
    const ending = LEGAL_ENDING.exec(text.slice(span.end, span.end + 40))
    return ending ? [{ start: span.start, end: span.end + ending[0].length }] : []
  })
  return (full.length > 0 ? full : spans.slice(0, 1)).slice(0, OCCURRENCES_MAX)
}

const LEGAL_ENDING =
  /^[\s,)\]]*(?:limited liability partnership|community interest company|public limited company|limited|ltd|plc|llp|cic|c\.i\.c|cyfyngedig|cyf|ccc)\b\.?/i

/** Returns the name that the number belongs to: the nearest before it, or else after it, with no other number between. */
export function findSubject(passage: Passage, number: Span): LegalName | null {
  const before = passage.names.filter(({ end }) => end <= number.start).at(-1) ?? null
  const hasNumberBetween = (from: number, to: number) =>
    passage.numbers.some((other) => other !== number && other.start >= from && other.end <= to)
  if (before && !hasNumberBetween(before.end, number.start)) return before
  const after = passage.names.find(({ start }) => start >= number.end) ?? null
  if (after && after.start - number.end <= 120 && !hasNumberBetween(number.end, after.start)) return after
  return null
}

/** Keeps companies of the printed legal form, if there are any: "X Limited" is not X LLP. */
export function filterSameForm({ name }: LegalName, numbers: string[], view: RegisterView): string[] {
  const same = numbers.filter((number) => readLegalForm(view.companies.get(number)?.name ?? '') === readLegalForm(name))
  return same.length > 0 ? same : numbers
}

function readLegalForm(name: string): string {
  const ending =
    /\b(limited liability partnership|llp|public limited company|plc|community interest company|c\.?i\.?c|limited|ltd|cyfyngedig|cyf)\b\.?$/i
      .exec(name.trim())?.[1]
      ?.toLowerCase() ?? ''
  if (/^(?:llp|limited liability)/.test(ending)) return 'llp'
  if (/^(?:plc|public)/.test(ending)) return 'plc'
  if (ending.startsWith('c') && !ending.startsWith('cyf')) return 'cic'
  return ending === '' ? '' : 'ltd'
}
