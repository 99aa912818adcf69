/** A small register for tests, and the web sites of its companies. */
import { expect } from 'vitest'
import { type PlainCompany, putCompanies } from '../../rig/companies.ts'
import type { ListeningWeb, SimulatedSite } from '../../rig/web/index.ts'
import type { Database } from '../../src/lib/db/db.ts'
import type { TestService } from './harness.ts'

export const ALDER = { number: '07214938', name: 'ALDERFINCH JOINERY LIMITED', postcode: 'HG4 1AA' }
export const BRACKEN = { number: '05820417', name: 'BRACKENMILL TEXTILES LIMITED', postcode: 'HG4 1AB' }

/** Sites are read meanwhile, but none is answered for: the names they are compared with are taken. */
export function whileNoWorkEnds<Result>({ db }: { db: Database }, during: () => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('lock table company_name in access exclusive mode')
    return during()
  })
}

/** Writers to the table stop there until this is over; `untilStopped` waits for so many of them. */
export function whileTableIsLocked<Result>(
  { db }: { db: Database },
  table: 'resolution' | 'paid_subject',
  during: (untilStopped: (count: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const stopped = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in exclusive mode`)
    return during(async (count) => {
      await expect.poll(() => db.query(stopped), { interval: 20 }).toHaveLength(count)
    })
  })
}

/** The names that sites are compared with are away: work on a site breaks. */
export async function whileRegisterIsBroken({ db }: { db: Database }, during: () => Promise<void>): Promise<void> {
  await db.query('alter table company_name rename to company_name_away')
  try {
    await during()
  } finally {
    await db.query('alter table company_name_away rename to company_name')
  }
}

const TEXT =
  'We have been making fine things by hand in our workshop for many years, and we send them everywhere. '.repeat(3)
/** Enough of a menu that a crawl has little to guess. */
const MENU = ['shop', 'news', 'legal', 'contact', 'privacy'].map((name) => `<a href="/${name}">${name}</a>`).join(' ')

export function page(title: string, words: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${TEXT}</p>
    <footer>${words} ${MENU}</footer></html>`
}

/** The site of a company that prints all that the law asks for. */
export function siteOf(
  { number, name, postcode }: PlainCompany,
  more: Omit<SimulatedSite, 'pages'> = {},
): SimulatedSite {
  const disclosure = `© 2026 ${name}. Registered in England and Wales. Company number ${number}.
    Registered office: 1 Mill Lane, Ripon, North Yorkshire, ${postcode}.`
  return { ...more, pages: { '/': page(name, disclosure), '/legal': page('Legal', disclosure) } }
}

let made = 0

/** Puts a company into the register that no account has asked for. Its site is at `domain`, which its name suggests. */
export async function newCompany(
  it: Pick<TestService, 'app' | 'web'>,
  site: ((company: PlainCompany) => SimulatedSite) | null = siteOf,
  facts: Partial<PlainCompany> = {},
) {
  made += 1
  const letters = String.fromCharCode(...[made, made + Math.floor(made / 26)].map((count) => 97 + (count % 26)))
  const name = `HAZELWICK${letters.toUpperCase()} LOOMS LIMITED`
  const company = { number: String(9_400_000 + made).padStart(8, '0'), name, postcode: 'HG4 1AE', ...facts }
  await putCompanies(it.app, [company])
  const label = `hazelwick${letters}looms`
  if (site) it.web.setSite(`${label}.co.uk`, site(company))
  return { ...company, domain: `${label}.co.uk`, second: `${label}.com` }
}

let published = 0

/**
 * Publishes a site that the service has not read yet and returns its domain. It begins with the name of the site, as those
 * of one company do: sites that share nothing but a footer are rivals.
 */
export function publish(web: ListeningWeb, site: SimulatedSite = siteOf(ALDER)): string {
  published += 1
  const domain = `${labelOf(site)}-${published}.co.uk`
  web.setSite(domain, site)
  return domain
}

function labelOf({ pages }: SimulatedSite): string {
  const title = /<title>([^<]+)</.exec(String(pages?.['/'] ?? ''))?.[1] ?? ''
  const label = title
    .toLowerCase()
    .replace(/ (?:limited|ltd|llp|plc)$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return label.slice(0, 40) || 'new-site'
}

/** Until the first request for it has come. */
export async function waitUntilRead({ stats }: ListeningWeb, domain: string): Promise<void> {
  await expect.poll(() => stats.byHost.get(domain) ?? 0, { interval: 10 }).toBeGreaterThan(0)
}

/** A site that names no company and no person. */
export function siteWithoutCompany(): SimulatedSite {
  const diary =
    'Today the first tomatoes turned red. I write about my garden for my grandchildren, and for nobody else.'
  return { pages: { '/': page('My garden', diary), '/legal': page('Seeds', diary) } }
}

/** A site that names a company without saying which of the register it is. */
export function siteNaming({ name }: PlainCompany): SimulatedSite {
  const words = `© 2026 ${name}. All rights reserved.`
  return { pages: { '/': page(name, words), '/legal': page('Legal', words) } }
}

/** The words of a shop of another name about its company, which the rules do not know. */
export const sellingWords = ({ name, number }: PlainCompany): string =>
  `When you order from Larch and Linen you buy from ${name} (company number ${number}).`

/** A site that the rules cannot read and a second reader can. */
export function siteSelling(company: PlainCompany): SimulatedSite {
  const words = `Larch and Linen, the weaving shed. ${sellingWords(company)}`
  return { pages: { '/': page('Larch and Linen', words), '/legal': page('Larch and Linen', words) } }
}

export function siteOfGermans(name: string): SimulatedSite {
  const words = `© 2026 ${name} GmbH, Hauptstraße 1, 10115 Berlin. Amtsgericht Berlin, HRB 123456. ${name} GmbH runs this site.`
  return { pages: { '/': page(name, words), '/legal': page('Impressum', words) } }
}

/** A site for each outcome but failure: a match, a review, no match and a company of another country. */
export const SITES = {
  'alderfinch.co.uk': siteOf(ALDER),
  'brackenmill.co.uk': siteNaming(BRACKEN),
  'garden-diary.co.uk': siteWithoutCompany(),
  'holzwerk.de': siteOfGermans('Holzwerk'),
}
