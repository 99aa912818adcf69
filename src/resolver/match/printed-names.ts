import { type Company, toNameKey } from '../../register/index.ts'
import type { LegalName } from '../extract/legal-names.ts'
import type { Passage } from '../extract/passages.ts'
import type { Span } from '../extract/sentences.ts'
import { findName } from '../extract/words.ts'
import type { RegisterView } from './register-view.ts'

/** The register's own name for the number, where the passage prints it: better than any guess at where a name begins. */
export function findRegisteredName(
  passage: Passage,
  company: Company,
  number: Span,
): { span: Span; others: Span[]; agreement: 'name' | 'previous_name' } | null {
  const find = (name: string) => fullestFirst(passage, findName(passage.words, toNameKey(name), number.start))
  const [current, ...others] = find(company.name)
  if (current) return { span: current, others, agreement: 'name' }
  for (const { name } of company.previousNames) {
    const [previous, ...rest] = find(name)
    if (previous) return { span: previous, others: rest, agreement: 'previous_name' }
  }
  return null
}

const OCCURRENCES_MAX = 5

/** The nearest first, but those with the legal ending that the register's key leaves off: "X Ltd trades as X". */
function fullestFirst({ text }: Passage, spans: readonly Span[]): Span[] {
  const full = spans.flatMap((span) => {
    const ending = LEGAL_ENDING.exec(text.slice(span.end, span.end + 40))
    return ending ? [{ start: span.start, end: span.end + ending[0].length }] : []
  })
  return (full.length > 0 ? full : spans.slice(0, 1)).slice(0, OCCURRENCES_MAX)
}

const LEGAL_ENDING =
  /^[\s,)\]]*(?:limited liability partnership|community interest company|public limited company|limited|ltd|plc|llp|cic|c\.i\.c|cyfyngedig|cyf|ccc)\b\.?/i

/** The name the number belongs to: the nearest before it with no other number between, else the next one after it. */
export function subjectOf(passage: Passage, number: Span): LegalName | null {
  const before = passage.names.filter(({ end }) => end <= number.start).at(-1) ?? null
  const numberBetween = (from: number, to: number) =>
    passage.numbers.some((other) => other !== number && other.start >= from && other.end <= to)
  if (before && !numberBetween(before.end, number.start)) return before
  const after = passage.names.find(({ start }) => start >= number.end) ?? null
  if (after && after.start - number.end <= 120 && !numberBetween(number.end, after.start)) return after
  return null
}

/** "Harcott Blythe Limited" is not Harcott Blythe LLP where the register has both. */
export function ofSameForm({ name }: LegalName, numbers: string[], view: RegisterView): string[] {
  const same = numbers.filter((number) => formOf(view.companies.get(number)?.name ?? '') === formOf(name))
  return same.length > 0 ? same : numbers
}

function formOf(name: string): string {
  const ending =
    /\b(limited liability partnership|llp|public limited company|plc|community interest company|c\.?i\.?c|limited|ltd|cyfyngedig|cyf)\b\.?$/i
      .exec(name.trim())?.[1]
      ?.toLowerCase() ?? ''
  if (/^(?:llp|limited liability)/.test(ending)) return 'llp'
  if (/^(?:plc|public)/.test(ending)) return 'plc'
  if (ending.startsWith('c') && !ending.startsWith('cyf')) return 'cic'
  return ending === '' ? '' : 'ltd'
}
