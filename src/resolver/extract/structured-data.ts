import { withoutInvisible } from '../../lib/text/invisible-characters.ts'
import { parseCompanyNumber } from '../../register/index.ts'
import type { CrawledPage } from '../crawl/crawl.ts'

/** What a page tells machines about the organisation behind it. */
export interface StructuredIdentity {
  page: CrawledPage
  names: string[]
  /** Values that have the shape of a company number, in fields that may hold one. */
  numbers: string[]
  vatNumbers: string[]
  postcodes: string[]
  country: string | null
  quote: string
}

const ORGANISATION =
  /(?:Organi[sz]ation|Corporation|LocalBusiness|Business|Store|Restaurant|Company|Service|Agency|Agent|Contractor|Plumber|Electrician|Dentist|Attorney|LegalService|School|NGO|Hotel|Physician|Brewery|Bakery|WebSite|Shop|Dealer|Clinic|Winery|Florist|Salon|Spa|Gym|Library|Museum|Theater|Publisher)$/

/** Fields where company numbers are put, rightly or not. */
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

/** Only what stands at the top of the page's data, or is named as its publisher: sellers and subjects are others. */
export function readStructuredIdentities(pages: readonly CrawledPage[]): StructuredIdentity[] {
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

function readOrganisation(page: CrawledPage, record: Record<string, unknown>): StructuredIdentity | null {
  const names = ['legalName', 'name', 'alternateName']
    .flatMap((field) => texts(record[field]))
    .filter((name) => name.length <= 160)
  const numbers = NUMBER_FIELDS.flatMap((field) => numbersIn(record[field]))
  const vatNumbers = texts(record['vatID']).map((value) => value.replaceAll(/\D/g, ''))
  if (names.length === 0 && numbers.length === 0) return null
  const address = isRecord(record['address']) ? record['address'] : {}
  return {
    page,
    names,
    numbers,
    vatNumbers,
    postcodes: texts(address['postalCode']).map((code) => code.toUpperCase().replaceAll(' ', '')),
    country: texts(address['addressCountry'])[0] ?? null,
    quote: withoutInvisible(JSON.stringify(record)).slice(0, 300),
  }
}

/** `identifier` may be a text, a PropertyValue that says which register, or a list of them. */
function numbersIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((item) => numbersIn(item))
  if (isRecord(value)) {
    const scheme = [value['propertyID'], value['name'], value['@type']].map(textOf).join(' ')
    if (/vat|duns|lei\b|charity|fca|ico\b|sra|siret|kvk|hrb|isbn|gtin|sku/i.test(scheme)) return []
    return numbersIn(value['value'])
  }
  const text =
    typeof value === 'number' ? String(value).padStart(8, '0') : typeof value === 'string' ? value.trim() : ''
  // ISO 6523 codes begin with their scheme, and 0060 is D-U-N-S: nine digits, nobody's company number.
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
