import { withoutInvisible } from '../../lib/text/invisible-characters.ts'
import { parseCompanyNumber } from '../../register/words/index.ts'
import type { OpenedPage } from '../crawl/crawl.ts'
import { findCompanyNumbers } from './company-numbers.ts'

/** The organisation in a page's structured data. */
export interface StructuredIdentity {
  page: OpenedPage
  names: string[]
  /** Values with the shape of a company number, from fields that may hold one. */
  numbers: string[]
  postcodes: string[]
  quote: string
}

const ORGANISATION =
  /(?:Organi[sz]ation|Corporation|LocalBusiness|Business|Store|Restaurant|Company|Service|Agency|Agent|Contractor|Plumber|Electrician|Dentist|Attorney|LegalService|School|NGO|Hotel|Physician|Brewery|Bakery|WebSite|Shop|Dealer|Clinic|Winery|Florist|Salon|Spa|Gym|Library|Museum|Theater|Publisher)$/

/** Fields in which sites put company numbers, correctly or not. */
const NUMBER_FIELDS = [
  'identifier',
  'companyRegistration',
  'registrationNumber',
  'companyNumber',
  'taxID',
  'leiCode',
  'iso6523Code',
]

const ITEMS_MAX = 50

/** Reads top-level organisations and publishers only; nested ones are sellers or subjects of articles. */
export function readStructuredIdentities(pages: readonly OpenedPage[]): StructuredIdentity[] {
  const identities: StructuredIdentity[] = []
  for (const page of pages) {
    for (const item of page.document.structuredData.slice(0, ITEMS_MAX)) {
      if (!isRecord(item)) continue
      const type = textOf(item['@type'])
      if (
        /^(?:Product|Offer|NewsArticle|Article|BlogPosting|Review|JobPosting|Event|Person|ItemList|SearchResultsPage)$/.test(
          type,
        )
      )
        continue
      const holder = ORGANISATION.test(type) || type === '' ? item : null
      const publisher = isRecord(item['publisher']) ? item['publisher'] : null
      for (const record of [holder, publisher]) {
        const identity = record && readOrganisation(page, record)
        if (identity) identities.push(identity)
      }
    }
  }
  return identities
}

function readOrganisation(page: OpenedPage, record: Record<string, unknown>): StructuredIdentity | null {
  const names = ['legalName', 'name', 'alternateName']
    .flatMap((field) => texts(record[field]))
    // "X Ltd trading as Y"
    .flatMap((name) => [name, ...name.split(/,?\s+(?:t\/a|trading as)\s+/i).slice(0, 1)])
    .filter((name, index, all) => name.length <= 160 && all.indexOf(name) === index)
  const numbers = [
    ...NUMBER_FIELDS.flatMap((field) => readNumbers(record[field])),
    ...texts(record['sameAs']).flatMap(readRegisterLink),
    ...texts(record['description']).flatMap(readDescription),
  ]
  if (names.length === 0 && numbers.length === 0) return null
  const address = isRecord(record['address']) ? record['address'] : {}
  return {
    page,
    names,
    numbers,
    postcodes: texts(address['postalCode']).map((code) => code.toUpperCase().replaceAll(' ', '')),
    quote: withoutInvisible(JSON.stringify(record)).slice(0, 300),
  }
}

/** Returns the number in the address of a company's page on the register. */
function readRegisterLink(url: string): string[] {
  const found =
    /^https?:\/\/(?:find-and-update\.company-information\.service\.gov\.uk|beta\.companieshouse\.gov\.uk|opencorporates\.com\/companies\/gb)\/(?:company\/)?(\w{8})\b/i.exec(
      url,
    )
  return found?.[1] ? (parseCompanyNumber(found[1])?.split(' ') ?? []) : []
}

/** Returns the numbers that a description calls a company's. */
const readDescription = (text: string): string[] =>
  findCompanyNumbers(text.slice(0, DESCRIPTION_MAX))
    .companies.filter(({ certainty }) => certainty === 'stated')
    .flatMap(({ readings }) => readings.slice(0, 1))

const DESCRIPTION_MAX = 1_000

/** Reads an `identifier`: a text, a PropertyValue with its scheme, or a list of them. */
function readNumbers(value: unknown): string[] {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((item) => readNumbers(item))
  if (isRecord(value)) {
    const scheme = [value['propertyID'], value['name'], value['@type']].map(textOf).join(' ')
    if (/vat|duns|lei\b|charity|fca|ico\b|sra|siret|kvk|hrb|isbn|gtin|sku/i.test(scheme)) return []
    return readNumbers(value['value'])
  }
  const text =
    typeof value === 'number' ? String(value).padStart(8, '0') : typeof value === 'string' ? value.trim() : ''
  // ISO 6523 codes begin with their scheme; 0060 is D-U-N-S, whose nine digits do not match.
  const match = /^(?:(?:GB|UK)?-?(?:COH|CRN|NTRGB|GB-COH)[-: ]*)?([A-Z]{2}\s?\d{6}|\d{7,8})$/i.exec(text)
  const number = match?.[1] ? parseCompanyNumber(match[1]) : null
  return number === null || /^(?:0{8}|12345678|01234567|99999999)$/.test(number) ? [] : [number]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => texts(value)[0]?.replace(/^https?:\/\/schema\.org\//, '') ?? ''

function texts(value: unknown): string[] {
  if (typeof value === 'string') {
    const text = withoutInvisible(value).trim()
    return text === '' ? [] : [text]
  }
  return Array.isArray(value) ? value.slice(0, 10).flatMap(texts) : []
}
