/** A small register for tests, and the web sites of its companies. */
import { expect } from 'vitest'
import type { PlainCompany } from '../../rig/companies.ts'
import type { ListeningWeb, SimulatedSite } from '../../rig/web/index.ts'
import type { Database } from '../../src/lib/db/db.ts'

export const ALDER = { number: '07214938', name: 'ALDERFINCH JOINERY LIMITED', postcode: 'HG4 1AA' }
export const BRACKEN = { number: '05820417', name: 'BRACKENMILL TEXTILES LIMITED', postcode: 'HG4 1AB' }

/** Sites are read meanwhile, but none is answered for: the names they are compared with are taken. */
export function whileNoWorkEnds<Result>({ db }: { db: Database }, during: () => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('lock table company_name in access exclusive mode')
    return during()
  })
}

/** Whoever writes to the table stops there until this is over; `untilStopped` waits for so many. */
export function whileNobodyWrites<Result>(
  { db }: { db: Database },
  table: 'resolution' | 'paid_subject',
  during: (untilStopped: (count: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const stopped = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in exclusive mode`)
    return during(async (count) => {
      await expect.poll(() => db.query(stopped), { timeout: 10_000, interval: 20 }).toHaveLength(count)
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

let published = 0

/**
 * A site that nobody has read yet, so that what one test learns is new to the next. Its domain begins with the name of the
 * site, as those of one company do: sites that share nothing but a footer are rivals. Returns the domain.
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
  await expect.poll(() => stats.byHost.get(domain) ?? 0, { timeout: 10_000, interval: 10 }).toBeGreaterThan(0)
}

/** A site that names nobody. */
export function siteOfNobody(): SimulatedSite {
  const diary =
    'Today the first tomatoes turned red. I write about my garden for my grandchildren, and for nobody else.'
  return { pages: { '/': page('My garden', diary), '/legal': page('Seeds', diary) } }
}

/** A site that names a company without saying which of the register it is. */
export function siteNaming({ name }: PlainCompany): SimulatedSite {
  const words = `© 2026 ${name}. All rights reserved.`
  return { pages: { '/': page(name, words), '/legal': page('Legal', words) } }
}

export function siteOfGermans(name: string): SimulatedSite {
  const words = `© 2026 ${name} GmbH, Hauptstraße 1, 10115 Berlin. Amtsgericht Berlin, HRB 123456. ${name} GmbH runs this site.`
  return { pages: { '/': page(name, words), '/legal': page('Impressum', words) } }
}
