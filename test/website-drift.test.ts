/** Verified sites of watched companies are read again: a change makes one signal, a short failure makes none. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PlainCompany, putCompanies } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { checkWebsiteJob, scheduleWebsiteChecks } from '../src/websites/index.ts'
import { BRACKEN, newCompany, publish, siteNaming, siteOf, siteWithoutCompany } from './setup/companies.ts'
import { prepare, startTestService, type TestAccount, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 1_000 }))
/** Besides the account. */
const watchers: TestAccount[] = []
afterEach(stopWatching)
afterEach(() => it.expectBalanced())

/** Ends the watches of one test before the next. */
async function stopWatching(): Promise<void> {
  for (const keys of [account, ...watchers.splice(0)]) {
    await it.call('PUT', '/v1/watchlist', { key: keys.key, body: { company_numbers: [] } })
  }
}
const unwatch = (number: string) => it.call('DELETE', `/v1/watchlist/${number}`, { key: account.key })
const watch = (number: string, { key } = account) =>
  it.call('POST', '/v1/watchlist', { key, body: { company_number: number } })
const findSite = (number: string, how: { refresh?: boolean } = {}) =>
  it.call('POST', '/v1/resolve/company', { key: account.key, body: { company_number: number, ...how }, headers: WAIT })

interface VerifiedCompany extends PlainCompany {
  domain: string
}

/** A company whose site a customer has had verified. */
async function newVerified(site?: (company: PlainCompany) => SimulatedSite): Promise<VerifiedCompany> {
  const company = await newCompany(it, site)
  const { number, domain } = company
  expect((await findSite(number)).body.website).toMatchObject({ status: 'verified', domain })
  return company
}
async function newWatched(): Promise<VerifiedCompany> {
  const company = await newVerified()
  await watch(company.number)
  await scheduleWebsiteChecks(it.app)
  return company
}

/** So many days later, as the scheduled job does it. */
async function lookAfter(days: number): Promise<void> {
  it.clock.advance(days * 86_400)
  await scheduleWebsiteChecks(it.app)
  await it.settle()
}
/** The usual time with all that is left to chance, and what a doubt waits for. */
const USUAL = 34
const DAY = 1.2
const WEEK = 8

interface WebsiteSignal {
  signal_type: string
  severity: string
  summary: string
  changes: unknown
  source: unknown
}
async function signalsOf({ number }: PlainCompany): Promise<WebsiteSignal[]> {
  const { body } = await it.call('GET', `/v1/companies/${number}/signals`, { key: account.key })
  return (body.data as WebsiteSignal[]).filter(({ signal_type: type }) => type === 'website_changed')
}
async function feedOf({ key }: TestAccount, { number }: PlainCompany): Promise<unknown[]> {
  const { body } = await it.call('GET', '/v1/signals?signal_type=website_changed&limit=100', { key })
  return (body.data as Array<{ company_number: string }>).filter((one) => one.company_number === number)
}
const readsOf = ({ domain }: VerifiedCompany) => it.web.stats.byHost.get(domain) ?? 0

const parked: SimulatedSite = {
  pages: { '/': '<!doctype html><title>Parked</title><h1>This domain is for sale</h1><p>Make an offer today.</p>' },
}
const leadingTo = (domain: string): SimulatedSite => ({ redirects: { '/': `https://${domain}/` } })

/** A site's fate, and the number of its signals after the usual time, a day, a week and the usual time again. */
interface Fate {
  becomes: (company: VerifiedCompany) => SimulatedSite | null
  /** From the second look on; what it became unless said. */
  later?: (company: VerifiedCompany) => SimulatedSite
  signals: [number, number, number, number]
  says?: (company: VerifiedCompany) => Partial<WebsiteSignal>
}
const FATES: Record<string, Fate> = {
  'is parked is told when it still is on the next day, and once': {
    becomes: () => parked,
    signals: [0, 1, 1, 1],
    says: ({ name, domain }) => ({
      severity: 'warning',
      summary: `The web site of ${name}, ${domain}, is parked: it shows a placeholder or offers the domain for sale.`,
      changes: [{ field: 'website_status', from: 'verified', to: 'parked' }],
    }),
  },
  'names another company is told when it still does on the next day, with the number': {
    becomes: () => siteOf(BRACKEN),
    signals: [0, 1, 1, 1],
    says: ({ name, domain, number }) => ({
      severity: 'warning',
      summary: `The web site of ${name}, ${domain}, now names another company, ${BRACKEN.name} (${BRACKEN.number}).`,
      changes: [{ field: 'website_company', from: number, to: BRACKEN.number }],
    }),
  },
  'has a domain that does not exist any more is told when it does not on the next day either': {
    becomes: () => null,
    signals: [0, 1, 1, 1],
    says: () => ({ severity: 'warning', changes: [{ field: 'website_status', from: 'verified', to: 'gone' }] }),
  },
  'leads to a profile elsewhere is told when it still does after a week': {
    becomes: () => leadingTo('facebook.com'),
    signals: [0, 0, 1, 1],
    says: ({ domain }) => ({ severity: 'notice', changes: [{ field: 'website', from: domain, to: 'facebook.com' }] }),
  },
  'does not name the company any more is told when it still does not after a week': {
    becomes: siteWithoutCompany,
    signals: [0, 0, 1, 1],
    says: ({ number }) => ({ severity: 'notice', changes: [{ field: 'website_company', from: number, to: null }] }),
  },
  'is what it was is not told': { becomes: siteOf, signals: [0, 0, 0, 0] },
  'was parked for a day is not told': { becomes: () => parked, later: siteOf, signals: [0, 0, 0, 0] },
  'names the company without its number is not told': { becomes: siteNaming, signals: [0, 0, 0, 0] },
  'answers with errors is not told': {
    becomes: () => ({ responses: { '/': { status: 503, body: 'Sorry' } } }),
    signals: [0, 0, 0, 0],
  },
  'refuses us is not told': {
    becomes: () => ({ responses: { '/': { status: 403, body: 'No' } } }),
    signals: [0, 0, 0, 0],
  },
  'refuses connections is not told': { becomes: () => ({ http: 'refused', https: 'refused' }), signals: [0, 0, 0, 0] },
  'asks programs to stay away is not told': {
    becomes: () => ({ pages: { '/robots.txt': 'User-agent: *\nDisallow: /' } }),
    signals: [0, 0, 0, 0],
  },
}

describe('a site of a watched company that', () => {
  const companies = new Map<string, VerifiedCompany>()
  const counts = new Map<string, number[]>()
  const history = new Map<string, WebsiteSignal[]>()
  const feed = new Map<string, unknown[]>()
  const put = (of: (fate: Fate) => ((company: VerifiedCompany) => SimulatedSite | null) | undefined) => {
    for (const [promise, company] of companies) {
      const site = of(FATES[promise] as Fate)
      if (site) it.web.setSite(company.domain, site(company))
    }
  }
  const count = async () => {
    for (const [promise, company] of companies) {
      history.set(promise, await signalsOf(company))
      counts.set(promise, [...(counts.get(promise) ?? []), (await signalsOf(company)).length])
    }
  }
  beforeAll(async () => {
    const promises = Object.keys(FATES)
    const made = await Promise.all(promises.map(() => newVerified()))
    for (const [index, promise] of promises.entries()) companies.set(promise, made[index] as VerifiedCompany)
    for (const { number } of made) await watch(number)
    await scheduleWebsiteChecks(it.app)
    it.web.setSite('facebook.com', siteWithoutCompany())
    put(({ becomes }) => becomes)
    await lookAfter(USUAL)
    await count()
    put(({ later }) => later)
    for (const days of [DAY, WEEK, USUAL]) {
      await lookAfter(days)
      await count()
    }
    for (const [promise, company] of companies) feed.set(promise, await feedOf(account, company))
  })

  test.each(Object.entries(FATES))('%s', (promise, { signals, says }) => {
    const company = companies.get(promise) as VerifiedCompany
    expect(counts.get(promise)).toEqual(signals)
    const source = { kind: 'website', reference: company.domain }
    expect(history.get(promise)).toMatchObject(says ? [{ ...says(company), source }] : [])
    const isRead = { is_read: false }
    expect(feed.get(promise)).toEqual(history.get(promise)?.map((signal) => ({ ...signal, ...isRead })))
  })
})

describe('what is told', () => {
  test('is at once where the site moved to, and from then on that one is looked at', async () => {
    const company = await newWatched()
    const destination = publish(it.web, siteOf(company))
    it.web.setSite(company.domain, leadingTo(destination))
    await lookAfter(USUAL)
    const [signal, ...more] = await signalsOf(company)
    expect(more).toEqual([])
    expect(signal).toMatchObject({
      severity: 'info',
      summary: `The web site of ${company.name}, ${company.domain}, moved to ${destination}, which names the same company.`,
      changes: [{ field: 'website', from: company.domain, to: destination }],
      source: { kind: 'website', reference: company.domain },
    })
    expect(await feedOf(account, company)).toEqual([{ ...signal, is_read: false }])
    it.web.setSite(destination, parked)
    await lookAfter(USUAL)
    await lookAfter(DAY)
    expect((await signalsOf(company))[0]).toMatchObject({ severity: 'warning', source: { reference: destination } })
  })

  test('is told again when the site was well in between', async () => {
    const company = await newWatched()
    for (const site of [parked, siteOf(company), parked]) {
      it.web.setSite(company.domain, site)
      await lookAfter(USUAL)
      await lookAfter(DAY)
    }
    expect(await signalsOf(company)).toHaveLength(2)
  })

  test('is true of a search too: it does not answer with the site that is lost', async () => {
    const company = await newWatched()
    it.clock.advance(20 * 86_400)
    await findSite(company.number, { refresh: true })
    it.web.setSite(company.domain, parked)
    await lookAfter(USUAL - 20)
    expect((await findSite(company.number)).body.website).toMatchObject({ status: 'verified' })
    await lookAfter(DAY)
    expect(await signalsOf(company)).toHaveLength(1)
    expect((await findSite(company.number)).body.website).toMatchObject({ status: 'not_found' })
  })

  test('is about the site that was found since, when one was', async () => {
    const company = await newWatched()
    it.web.setSite(company.domain, null)
    await lookAfter(USUAL)
    await lookAfter(DAY)
    const found = company.domain.replace('.co.uk', '.com')
    it.web.setSite(found, siteOf(company))
    expect((await findSite(company.number)).body.website).toMatchObject({ status: 'verified', domain: found })
    await lookAfter(0)
    it.web.setSite(found, siteOf(BRACKEN))
    await lookAfter(USUAL)
    await lookAfter(DAY)
    expect((await signalsOf(company)).map(({ source }) => source)).toEqual([
      { kind: 'website', reference: found },
      { kind: 'website', reference: company.domain },
    ])
  })

  test('is nothing when the company was dissolved while its site stays', async () => {
    const company = await newWatched()
    await putCompanies(it.app, [{ ...company, status: 'dissolved' }])
    await lookAfter(USUAL)
    expect(await signalsOf(company)).toEqual([])
    await lookAfter(WEEK)
    expect(await signalsOf(company)).toEqual([])
  })
})

describe('a site is looked at', () => {
  test('and what is known of its domain is fresh then', async () => {
    const company = await newWatched()
    await lookAfter(USUAL)
    expect(await signalsOf(company)).toEqual([])
    const before = readsOf(company)
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain: company.domain } })
    expect(body.company).toMatchObject({ company_number: company.number })
    expect(readsOf(company)).toBe(before)
  })

  test('once, however many watch the company and however often the job runs; and nobody pays', async () => {
    const company = await newVerified()
    watchers.push(...(await Promise.all([1, 2, 3].map(() => it.openAccount()))))
    for (const keys of watchers) await watch(company.number, keys)
    await scheduleWebsiteChecks(it.app)
    const destination = publish(it.web, siteOf(company))
    it.web.setSite(company.domain, leadingTo(destination))
    const before = readsOf(company)
    it.clock.advance(USUAL * 86_400)
    await Promise.all([scheduleWebsiteChecks(it.app), scheduleWebsiteChecks(it.app), scheduleWebsiteChecks(it.app)])
    await it.settle()
    const reads = readsOf(company) - before
    const { requests } = it.web.stats
    // A second job for the same look, as after a worker was thought dead.
    await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, checkWebsiteJob, { companyNumber: company.number }))
    await scheduleWebsiteChecks(it.app)
    await it.settle()
    expect(it.web.stats.requests).toBe(requests)
    // robots.txt and the home page, which leads away.
    expect(reads).toBeLessThanOrEqual(2)
    expect(await signalsOf(company)).toHaveLength(1)
    for (const keys of watchers) {
      expect(await feedOf(keys, company)).toHaveLength(1)
      const { body } = await it.call('GET', '/v1/account/ledger', { key: keys.key })
      const moves = body.data as Array<{ reference: string }>
      expect(moves.filter(({ reference }) => reference.startsWith('job_'))).toEqual([])
    }
  })

  test('not before its time', async () => {
    const company = await newWatched()
    const before = readsOf(company)
    await lookAfter(29)
    expect(readsOf(company)).toBe(before)
    await lookAfter(5)
    expect(readsOf(company)).toBeGreaterThan(before)
    const after = readsOf(company)
    await lookAfter(29)
    expect(readsOf(company)).toBe(after)
  })

  test('not when nobody watches the company, or not any more', async () => {
    const [never, once] = [await newVerified(), await newWatched()]
    await unwatch(once.number)
    const before = [readsOf(never), readsOf(once)]
    await lookAfter(USUAL)
    await lookAfter(USUAL)
    expect([readsOf(never), readsOf(once)]).toEqual(before)
    await watch(once.number)
    await lookAfter(USUAL)
    expect(readsOf(once)).toBeGreaterThan(before[1] ?? 0)
  })

  test('when only its domain was asked for and proved the company', async () => {
    const company = { number: '09500001', name: 'DUNMORROW QUILLS LIMITED', postcode: 'HG4 1AA' }
    await putCompanies(it.app, [company])
    const domain = publish(it.web, siteOf(company))
    await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain }, headers: WAIT })
    await watch(company.number)
    await scheduleWebsiteChecks(it.app)
    it.web.setSite(domain, siteOf(BRACKEN))
    await lookAfter(USUAL)
    await lookAfter(DAY)
    expect(await signalsOf(company)).toMatchObject([{ source: { kind: 'website', reference: domain } }])
  })

  test('as often as the operator wants', async () => {
    await using weekly = await startTestService({ websiteCheckDays: 7 })
    const company = {
      number: '09599999',
      name: 'ELDERWICK SPOONS LIMITED',
      postcode: 'HG4 1AA',
      domain: 'elderwickspoons.co.uk',
    }
    await putCompanies(weekly.app, [company])
    weekly.web.setSite(company.domain, siteOf(company))
    const { key } = await weekly.openAccount({ credits: 5 })
    const body = { company_number: company.number }
    await weekly.call('POST', '/v1/resolve/company', { key, body, headers: WAIT })
    await weekly.call('POST', '/v1/watchlist', { key, body })
    await scheduleWebsiteChecks(weekly.app)
    const reads = () => weekly.web.stats.byHost.get(company.domain) ?? 0
    for (const [days, isRead] of [
      [6, false],
      [2, true],
    ] as const) {
      const before = reads()
      weekly.clock.advance(days * 86_400)
      await scheduleWebsiteChecks(weekly.app)
      await weekly.settle()
      expect(reads() > before).toBe(isRead)
    }
  })
})
