import { type Company, parseCompanyNumber, toNameKey } from '../../register/words/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { listNameKeys } from '../extract/legal-names.ts'

/** The names and numbers of a site to look up in the register. */
export interface Lookups {
  /** Keys of names. */
  names: string[]
  numbers: string[]
}

/** The part of the register that the matcher needs, as data: everything about the names and numbers of a site. */
export interface RegisterData {
  companies: Map<string, Company>
  /** Numbers of the companies that have or had a name, by the name's letters without spaces. */
  byName: Map<string, string[]>
  /** Number of companies with their office at a postcode. */
  atPostcode: Map<string, number>
  /** Words of these companies that many names on the register have. */
  commonWords: Set<string>
}

export interface RegisterView extends RegisterData {
  isRare: (word: string) => boolean
}

export function toRegisterView(data: RegisterData): RegisterView {
  return { ...data, isRare: (word) => !data.commonWords.has(word) }
}

export function listLookups(findings: SiteFindings): Lookups {
  return { names: listKeysToLookUp(findings), numbers: listNumbersToLookUp(findings) }
}

const NAMES_LOOKED_UP_MAX = 300
const NUMBERS_LOOKED_UP_MAX = 400

/** Returns the postcode without spaces, as a list of one or none. */
export function compact(postcode: string | null): string[] {
  return postcode ? [postcode.toUpperCase().replaceAll(' ', '')] : []
}

function listKeysToLookUp({ passages, identity, structured, certificates }: SiteFindings): string[] {
  const keys = new Set<string>()
  for (const brand of identity.brands) keys.add(brand.key)
  if (identity.label.length >= 4) keys.add(identity.label.toUpperCase())
  for (const { names } of structured) for (const name of names) keys.add(toNameKey(name))
  for (const { organisation } of certificates) if (organisation) keys.add(toNameKey(organisation))
  for (const { names } of passages) {
    for (const { name, country } of names) if (country === null) for (const key of listNameKeys(name)) keys.add(key)
  }
  return [...keys].filter((key) => key.length >= 2).slice(0, NAMES_LOOKED_UP_MAX)
}

function listNumbersToLookUp({ passages, structured, certificates }: SiteFindings): string[] {
  const printed = passages.flatMap(({ numbers }) => numbers.flatMap(({ readings }) => readings))
  const embedded = structured.flatMap(({ numbers }) => numbers)
  const certified = certificates.flatMap(({ serialNumber }) =>
    serialNumber ? (parseCompanyNumber(serialNumber) ?? []) : [],
  )
  const bare = passages.flatMap((passage) => passage.bare.map(({ reading }) => reading))
  return [...new Set([...certified, ...embedded, ...printed, ...bare])].slice(0, NUMBERS_LOOKED_UP_MAX)
}
