/** Made-up companies and web sites, each with its right answer. */

import { systemClock } from '../src/lib/clock.ts'
import type { Database } from '../src/lib/db/db.ts'
import type { Outcome } from '../src/resolver/index.ts'
import { type PlainCompany, putCompanies } from './companies.ts'
import { SimulatedCompaniesHouse } from './companies-house/index.ts'
import type { SimulatedSite } from './web/index.ts'

export interface MadeUpSite {
  domain: string
  outcome: Outcome
  /** When matched. */
  companyNumber: string | null
  /** Null where the name leads nowhere. */
  site: SimulatedSite | null
}

export interface NewCompany extends PlainCompany {
  /** The first of its name. */
  word: string
}

const TREES = 'Alder Bracken Cinder Dunlin Elver Fallow Garnet Hazel Islay Juniper Kestrel Linnet Marram Nettle Osier'
const THINGS = 'finch mill croft wharf stile brook holt mere combe thorpe garth fold wick ley shaw rigg dale barrow'
const TRADES = 'Joinery Textiles Brewing Roofing Ceramics Surveying Lettings Freight Optics Catering Forestry Printing'

const words = (list: string) => list.split(' ')
const at = (list: string, index: number) => words(list)[index % words(list).length] ?? ''

const TREE_COUNT = words(TREES).length
const THING_COUNT = words(THINGS).length
/** Names of a tree with a thing, and a trade. */
const SHORT_NAMES = TREE_COUNT * THING_COUNT * words(TRADES).length

/** No two of the first 870,000 have the same name: after 3,240 they have a further word, and then another. */
export function companyOf(index: number): NewCompany {
  const trade = at(TRADES, Math.floor(index / (TREE_COUNT * THING_COUNT)))
  const word = `${at(TREES, index)}${at(THINGS, Math.floor(index / TREE_COUNT))}`
  const round = Math.floor(index / SHORT_NAMES)
  const more = round === 0 ? '' : ` ${at(THINGS, round)}${at(TREES, Math.floor(round / THING_COUNT)).toLowerCase()}`
  return {
    number: String(4_000_000 + index * 37).padStart(8, '0'),
    word,
    name: `${word}${more} ${trade} Limited`.toUpperCase(),
    postcode: `YO${1 + (index % 30)} ${1 + (index % 9)}${'ABDEFGHJ'[index % 8]}${'LNPQRSTU'[Math.floor(index / 8) % 8]}`,
  }
}

const TEXT = 'We have worked for our customers for many years, and we go wherever they need us. '.repeat(4)

function siteSaying(title: string, words: string): SimulatedSite {
  const page = (heading: string) => `<!doctype html><html lang="en"><title>${heading}</title><h1>${heading}</h1>
    <p>${TEXT}</p><footer>${words} <a href="/">Home</a> <a href="/news">News</a> <a href="/legal">Legal</a></footer></html>`
  return { pages: { '/': page(title), '/legal': page('Legal') } }
}

/** Some are so slow that their worker may be killed meanwhile. */
const SLOWNESS_MS = [0, 500, 1_500, 2_500]

const publishMatch = (company: NewCompany) => siteSaying(company.name, disclosureOf(company))

const KINDS: Array<{ outcome: Outcome; publish(company: NewCompany): SimulatedSite | null }> = [
  { outcome: 'matched', publish: publishMatch },
  { outcome: 'no_match', publish: () => siteSaying('My garden', 'I write about my tomatoes in my free time.') },
  { outcome: 'matched', publish: publishMatch },
  { outcome: 'scrape_failed', publish: () => ({ responses: { '/': { status: 503, body: 'Back soon' } } }) },
  { outcome: 'needs_review', publish: ({ name }) => siteSaying(name, `© 2026 ${name}. All rights reserved.`) },
  { outcome: 'matched', publish: publishMatch },
  { outcome: 'scrape_failed', publish: () => null },
  { outcome: 'non_uk_entity', publish: ({ word }) => siteSaying(word, impressumOf(word)) },
  { outcome: 'scrape_failed', publish: () => ({ http: 'reset', https: 'reset' }) },
]

function disclosureOf({ name, number, postcode }: NewCompany): string {
  return `© 2026 ${name}. Registered in England and Wales. Company number ${number}.
    Registered office: 1 Mill Lane, Ripon, North Yorkshire, ${postcode}.`
}

function impressumOf(name: string): string {
  return `© 2026 ${name} GmbH, Hauptstraße 1, 10115 Berlin. Amtsgericht Berlin, HRB 123456. ${name} GmbH runs this site.`
}

export function makeSite(index: number): MadeUpSite {
  const company = companyOf(index)
  const kind = KINDS[index % KINDS.length] ?? KINDS[0]
  if (!kind) throw new Error('there is no kind of site')
  return {
    domain: `chaos-${index}.co.uk`,
    outcome: kind.outcome,
    companyNumber: kind.outcome === 'matched' ? company.number : null,
    site: slowDown(kind.publish(company), SLOWNESS_MS[index % SLOWNESS_MS.length] ?? 0),
  }
}

function slowDown(site: SimulatedSite | null, delayMs: number): SimulatedSite | null {
  if (!site) return null
  return { ...site, responses: { ...site.responses, '/': { ...site.responses?.['/'], delay_ms: delayMs } } }
}

const REGISTERED_AT_ONCE = 5_000

/** Puts the companies of the first `count` sites into the register, or `count` others from `first` on. */
export async function registerCompanies(db: Database, count: number, first = 0): Promise<void> {
  for (let done = 0; done < count; done += REGISTERED_AT_ONCE) {
    const length = Math.min(REGISTERED_AT_ONCE, count - done)
    const companies = Array.from({ length }, (_, index) => companyOf(first + done + index))
    await putCompanies({ db, clock: systemClock }, companies)
  }
}

/** Serves the companies of the first `count` sites as a simulated register, for a release that loads them itself. */
export function houseOfSites(count: number): SimulatedCompaniesHouse {
  const companies = Array.from({ length: count }, (_, index) => companyOf(index))
  return SimulatedCompaniesHouse.fromCompanies(
    companies.map(({ number, name, postcode }) => ({
      number,
      name,
      incorporatedOn: '2011-03-14',
      address: {
        address_line_1: '1 Mill Lane',
        locality: 'Ripon',
        region: 'North Yorkshire',
        country: 'England',
        postal_code: postcode,
      },
    })),
  )
}
