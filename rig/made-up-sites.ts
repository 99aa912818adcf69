/** Companies and web sites made up for the run, and what is right to say of each. */

import type { Database } from '../src/lib/db/db.ts'
import { applyCompanies } from '../src/register/apply-companies.ts'
import type { ProfileFacts } from '../src/register/details/company-from-profile.ts'
import type { Outcome } from '../src/resolver/index.ts'
import type { SimulatedSite } from './web/index.ts'

export interface ChaosSite {
  domain: string
  outcome: Outcome
  /** When matched. */
  companyNumber: string | null
  /** Null where the name leads nowhere. */
  site: SimulatedSite | null
}

interface NewCompany {
  number: string
  /** The first of its name. */
  word: string
  name: string
  postcode: string
}

const PLACES = 'Alder Bracken Cinder Dunlin Elver Fallow Garnet Hazel Islay Juniper Kestrel Linnet Marram Nettle Osier'
const THINGS = 'finch mill croft wharf stile brook holt mere combe thorpe garth fold wick ley shaw rigg dale barrow'
const TRADES = 'Joinery Textiles Brewing Roofing Ceramics Surveying Lettings Freight Optics Catering Forestry Printing'

const words = (list: string) => list.split(' ')
const at = (list: string, place: number) => words(list)[place % words(list).length] ?? ''

/** No two of the first 3,240 have the same name. */
function companyOf(place: number): NewCompany {
  const [places, things] = [words(PLACES).length, words(THINGS).length]
  const trade = at(TRADES, Math.floor(place / (places * things)))
  const word = `${at(PLACES, place)}${at(THINGS, Math.floor(place / places))}`
  return {
    number: String(4_000_000 + place * 37).padStart(8, '0'),
    word,
    name: `${word} ${trade} Limited`.toUpperCase(),
    postcode: `YO${1 + (place % 30)} ${1 + (place % 9)}${'ABDEFGHJ'[place % 8]}${'LNPQRSTU'[Math.floor(place / 8) % 8]}`,
  }
}

const TEXT = 'We have worked for our customers for many years, and we go wherever they need us. '.repeat(4)

function siteSaying(title: string, words: string): SimulatedSite {
  const page = (heading: string) => `<!doctype html><html lang="en"><title>${heading}</title><h1>${heading}</h1>
    <p>${TEXT}</p><footer>${words} <a href="/">Home</a> <a href="/news">News</a> <a href="/legal">Legal</a></footer></html>`
  return { pages: { '/': page(title), '/legal': page('Legal') } }
}

/** Some are so slow that whoever reads them may be killed meanwhile. */
const SLOWNESS_MS = [0, 500, 1_500, 2_500]

const KINDS: Array<{ outcome: Outcome; publish(company: NewCompany): SimulatedSite | null }> = [
  { outcome: 'matched', publish: ({ name, ...company }) => siteSaying(name, disclosureOf({ name, ...company })) },
  { outcome: 'no_match', publish: () => siteSaying('My garden', 'I write about my tomatoes. Nobody pays me.') },
  { outcome: 'matched', publish: ({ name, ...company }) => siteSaying(name, disclosureOf({ name, ...company })) },
  { outcome: 'scrape_failed', publish: () => ({ responses: { '/': { status: 503, body: 'Back soon' } } }) },
  { outcome: 'needs_review', publish: ({ name }) => siteSaying(name, `© 2026 ${name}. All rights reserved.`) },
  { outcome: 'matched', publish: ({ name, ...company }) => siteSaying(name, disclosureOf({ name, ...company })) },
  { outcome: 'scrape_failed', publish: () => null },
  { outcome: 'non_uk_entity', publish: ({ word }) => siteSaying(word, impressumOf(word)) },
  { outcome: 'scrape_failed', publish: () => ({ http: 'reset', https: 'reset' }) },
]

function disclosureOf({ name, number, postcode }: NewCompany): string {
  return `© 2026 ${name}. Registered in England and Wales. Company number ${number}.
    Registered office: 1 Mill Lane, York, North Yorkshire, ${postcode}.`
}

function impressumOf(name: string): string {
  return `© 2026 ${name} GmbH, Hauptstraße 1, 10115 Berlin. Amtsgericht Berlin, HRB 123456. ${name} GmbH runs this site.`
}

export function makeSite(place: number): ChaosSite {
  const company = companyOf(place)
  const kind = KINDS[place % KINDS.length] ?? KINDS[0]
  if (!kind) throw new Error('there is no kind of site')
  return {
    domain: `chaos-${place}.co.uk`,
    outcome: kind.outcome,
    companyNumber: kind.outcome === 'matched' ? company.number : null,
    site: slowDown(kind.publish(company), SLOWNESS_MS[place % SLOWNESS_MS.length] ?? 0),
  }
}

function slowDown(site: SimulatedSite | null, delayMs: number): SimulatedSite | null {
  if (!site) return null
  return { ...site, responses: { ...site.responses, '/': { ...site.responses?.['/'], delay_ms: delayMs } } }
}

/** Puts the companies of the first `count` sites into the register. */
export async function registerCompanies(db: Database, count: number): Promise<void> {
  const incoming = Array.from({ length: count }, (_, place) => ({
    facts: toFacts(companyOf(place)),
    rowHash: null,
    timepoint: 0,
  }))
  const options = { source: 'snapshot', reference: 'chaos', at: new Date(), isStale: () => false } as const
  await db.transaction((tx) => applyCompanies(tx, incoming, options))
}

function toFacts({ number, name, postcode }: NewCompany): ProfileFacts {
  const office = { line1: '1 Mill Lane', town: 'York', county: 'North Yorkshire', country: 'England', postcode }
  return {
    number,
    name,
    previousNames: [],
    status: 'active',
    statusDetail: null,
    type: 'ltd',
    incorporatedOn: '2011-03-14',
    dissolvedOn: null,
    address: { careOf: null, poBox: null, line2: null, ...office },
    countryOfOrigin: null,
    accountsRefDay: 31,
    accountsRefMonth: 3,
    accountsNextDue: null,
    accountsLastMadeUp: null,
    accountsType: 'micro-entity',
    confirmationNextDue: null,
    confirmationLastMadeUp: null,
    sicCodes: ['31090'],
  }
}
