/** Checks that a quote contains the words it is quoted for. Pure. */

import { toNameKey } from '../../src/register/index.ts'
import type { EvidenceItem } from '../../src/resolver/resolution.ts'
import type { ResolvedSite } from './answer.ts'

export interface EmptyQuote {
  domain: string
  says: string
  quote: string
}

export function listEmptyQuotes(sites: Iterable<ResolvedSite>): EmptyQuote[] {
  const empty: EmptyQuote[] = []
  for (const { domain, resolution } of sites) {
    const items = resolution?.evidence.filter((item) => !hasItsWords(item)) ?? []
    empty.push(...items.map(({ says, quote }) => ({ domain, says, quote })))
  }
  return empty
}

function hasItsWords({ kind, says, quote, supports }: EvidenceItem): boolean {
  if (kind !== 'company_number' && kind !== 'registered_name' && kind !== 'name_and_registered_office') return true
  const hasNumber = kind !== 'company_number' || digitsOf(quote).includes(digitsOf(supports ?? '').replace(/^0+/, ''))
  const [, printed] = /^It prints (.+?)(?: \(a former name of .+\))?(?: with its number)?\.(?: |$)/.exec(says) ?? []
  const isNamed = printed !== undefined && !printed.startsWith('the number of ')
  return hasNumber && (!isNamed || lettersOf(quote).includes(lettersOf(printed)))
}

/** A site may print the letter O for a zero. */
const digitsOf = (text: string) => text.replaceAll(/(?<=\d[oO]*)[oO]/g, '0').replaceAll(/\D/g, '')
const lettersOf = (text: string) => toNameKey(text).replaceAll(' ', '')
