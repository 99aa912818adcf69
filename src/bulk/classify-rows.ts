import { DomainError } from '../errors.ts'
import { parseDomain, SharedDomain, scrubAddress, type TypedInput } from '../resolver/index.ts'

/** A row as sent, with its first state. */
export type ClassifiedRow = { row: number; input: TypedInput } & (
  | { state: 'waiting'; domain: string }
  | { state: 'duplicate'; domain: string; duplicateOf: number }
  | { state: 'invalid'; reason: string; isFreeMail: boolean }
)

const INPUT_LENGTH_MAX = 2_048

/** Returns the first row of each registrable domain as waiting, and later ones as its duplicates. */
export function classifyRows(inputs: readonly string[]): ClassifiedRow[] {
  const first = new Map<string, number>()
  return inputs.map((sent, index) => {
    const row = index + 1
    const parsed = parse(sent)
    const input = scrubAddress(sent)
    if ('reason' in parsed) return { row, input, state: 'invalid', ...parsed }
    const { domain } = parsed
    const duplicateOf = first.get(domain)
    if (duplicateOf !== undefined) return { row, input, state: 'duplicate', domain, duplicateOf }
    first.set(domain, row)
    return { row, input, state: 'waiting', domain }
  })
}

function parse(input: string): { domain: string } | { reason: string; isFreeMail: boolean } {
  try {
    return { domain: parseDomain(input) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isFreeMail = error instanceof SharedDomain && error.kind === 'mail'
    return { reason: toStorable(error.message), isFreeMail }
  }
}

/** PostgreSQL takes every character but one. */
export function toStorable(text: string): string {
  return text.slice(0, INPUT_LENGTH_MAX).replaceAll('\0', '\uFFFD')
}
