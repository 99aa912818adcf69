/** The web site of a company, over the API: where its name and earlier answers point, and verified in both directions. */
import { afterEach, describe, expect, test } from 'vitest'
import { type PlainCompany, putCompanies } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { BRACKEN, newCompany, page, publish, siteOf, whileNoWorkEnds } from './setup/companies.ts'
import { type CallOptions, prepare, type Reply, startTestService, useTestService, WAIT } from './setup/harness.ts'
import { costOf } from './setup/reviews.ts'

const PATH = '/v1/resolve/company'

const it = useTestService({ companies: [BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 1_000 }))
afterEach(() => it.expectBalanced())

interface Asked extends CallOptions {
  name?: string
  refresh?: boolean
}
function ask(number: string | undefined, { key = account.key, name, refresh, ...call }: Asked = {}): Promise<Reply> {
  const body = { company_number: number, company_name: name, refresh }
  return it.call('POST', PATH, { key, body, ...call })
}
const find = (number: string, options: Asked = {}) => ask(number, { ...options, headers: WAIT })
const read = (url: string) => it.call('GET', url)

const parked: SimulatedSite = {
  pages: { '/': '<!doctype html><title>Parked</title><h1>This domain is for sale</h1><p>Make an offer today.</p>' },
}

describe('which company is meant', () => {
  test('neither a number nor a name is refused, and so is what cannot be one', async () => {
    for (const [body, field] of [
      [{}, 'body'],
      [{ refresh: true }, 'body'],
      [{ company_number: 'LIMITED' }, 'company_number'],
      [{ company_number: '123456789' }, 'company_number'],
      [{ company_number: '' }, 'company_number'],
      [{ company_number: 7 }, 'company_number'],
      [{ company_name: '' }, 'company_name'],
      [{ company_name: 'x'.repeat(201) }, 'company_name'],
      [{ company_number: BRACKEN.number, refresh: 'yes' }, 'refresh'],
    ] as const) {
      const refused = await it.call('POST', PATH, { key: account.key, body })
      expect([body, refused.status, refused.body.code]).toEqual([body, 400, 'invalid_request'])
      expect(refused.body.errors[0].field).toBe(field)
    }
  })

  test('a number may be written as people write it', async () => {
    await putCompanies(it.app, [
      { number: 'SC012345', name: 'GLENFARROW STILLS LIMITED', postcode: 'IV1 1AA' },
      { number: '06500244', name: 'HAZELPORT LOOMS LIMITED', postcode: 'HG4 1AC' },
    ])
    for (const [typed, number] of [
      ['SC 12345', 'SC012345'],
      ['sc12345', 'SC012345'],
      ['6500244', '06500244'],
      [' 06500244 ', '06500244'],
    ] as const) {
      expect([typed, (await find(typed)).body.company?.company_number]).toEqual([typed, number])
    }
  })

  test('a number that the register does not have is 404, and costs nothing', async () => {
    const poor = await it.openAccount({ credits: 1 })
    const missing = await ask('09999999', { key: poor.key })
    expect([missing.status, missing.body.code]).toEqual([404, 'company_not_found'])
    expect(missing.body.detail).toContain('09999999')
    expect(await it.movesOf(poor)).toEqual([])
    expect(await it.app.db.query(`select from resolution_work where subject = '09999999'`)).toEqual([])
  })

  test('a name that one live company has will do, however it is spelt', async () => {
    const company = await newCompany(it, siteOf)
    const spelt = company.name.toLowerCase().replace(' limited', ', Ltd.')
    const { status, body } = await ask(undefined, { name: spelt, headers: WAIT })
    expect([status, body.company.company_number, body.website.domain]).toEqual([200, company.number, company.domain])
  })

  test.each(['dissolved', 'converted-closed', 'closed', 'removed'])(
    'a namesake that is %s is not meant',
    async (gone) => {
      const company = await newCompany(it, null)
      const namesake = await newCompany(it, null, { name: company.name, status: gone })
      const one = await ask(undefined, { name: company.name, headers: WAIT })
      expect([one.status, one.body.company?.company_number]).toEqual([200, company.number])
      await putCompanies(it.app, [{ ...company, status: gone }])
      const none = await ask(undefined, { name: company.name })
      expect([none.status, none.body.code]).toEqual([404, 'company_not_found'])
      expect(none.body.candidates.map(numberOf).sort()).toEqual([company.number, namesake.number])
    },
  )

  test('a name of several companies, or of none, is 404 with those that may be meant', async () => {
    const one = await newCompany(it, null)
    const other = await newCompany(it, null, { name: one.name.replace(' LIMITED', ' LLP'), postcode: 'LS1 4AP' })
    const several = await ask(undefined, { name: one.name })
    expect([several.status, several.body.code]).toEqual([404, 'company_not_found'])
    expect(several.body.candidates).toHaveLength(2)
    expect(several.body.candidates).toContainEqual({
      company_number: other.number,
      company_name: other.name,
      company_status: 'active',
      company_status_detail: null,
      company_status_text: 'Active',
      registered_postcode: 'LS1 4AP',
    })
    const misspelt = await ask(undefined, { name: 'BRACKENMIL TEXTILE' })
    expect([misspelt.status, misspelt.body.code]).toEqual([404, 'company_not_found'])
    expect(misspelt.body.candidates.map(numberOf)).toContain(BRACKEN.number)
    for (const name of ['Qqzzyx', '!!!', '   ']) {
      const { status, body } = await ask(undefined, { name })
      expect([name, status, body.code, body.candidates]).toEqual([name, 404, 'company_not_found', []])
    }
  })
})

const numberOf = (candidate: { company_number: string }) => candidate.company_number

describe('the search', () => {
  test('a first question is told where to ask, and the site is verified there and here', async () => {
    const company = await newCompany(it, siteOf)
    const asked = await whileNoWorkEnds(it.app, async () => {
      const asked = await ask(company.number)
      expect([asked.status, asked.headers.get('retry-after')]).toEqual([200, '2'])
      expect(costOf(asked)).toEqual([200, 'searching', false, 'pending', '0'])
      expect(asked.body.company).toMatchObject({ company_number: company.number, company_name: company.name })
      const { website } = asked.body
      expect(website).toMatchObject({ domain: null, evidence: [], tried: [], checked_at: null })
      expect(website.job_id).toMatch(/^job_[0-9A-Za-z]{27}$/)
      const open = await read(website.status_url)
      expect([open.status, open.headers.get('retry-after')]).toEqual([200, '2'])
      expect(open.body).toMatchObject({ company_number: company.number, website: { status: 'searching' } })
      return website
    })
    await expect.poll(async () => (await read(asked.status_url)).body.status).toBe('completed')
    const { body } = await read(asked.status_url)
    expect(body).toMatchObject({ job_id: asked.job_id, charged: true, charge_reason: 'verified', error_message: null })
    expect(body.website).toMatchObject({ status: 'verified', domain: company.domain, job_id: asked.job_id })

    const { website, signals } = (await ask(company.number)).body
    expect(signals).toEqual([])
    expect(website).toEqual({
      ...body.website,
      job_id: null,
      status_url: null,
      charged: false,
      charge_reason: 'already_paid',
    })
    expect(website.tried).toEqual([{ domain: company.domain, source: 'company name', outcome: 'matched' }])
    expect(website.evidence.length).toBeGreaterThan(0)
    expect(new Set(website.evidence.map(({ supports }: { supports: string }) => supports))).toEqual(
      new Set([company.number]),
    )
    expect(website.evidence[0].quote).toContain(`Company number ${company.number}`)
  })

  test('one request is enough for who waits, and who does not wait long enough is told so', async () => {
    const company = await newCompany(it, siteOf)
    const late = await whileNoWorkEnds(it.app, () => ask(company.number, { headers: { prefer: 'wait=1' } }))
    expect(costOf(late)).toEqual([200, 'searching', false, 'pending', '0'])
    const waited = await find((await newCompany(it, siteOf)).number)
    expect(costOf(waited)).toEqual([200, 'verified', true, 'verified', '1'])
    expect(waited.headers.get('retry-after')).toBeNull()
  })

  test('sites that are another company’s, parked or silent are tried and not believed', async () => {
    const company = await newCompany(it, () => siteOf(BRACKEN))
    const third = company.domain.replace('looms', '-looms')
    it.web.setSite(company.second, parked)
    it.web.setSite(third, { http: 'refused', https: 'refused' })
    const { website } = (await find(company.number)).body
    expect(website).toMatchObject({ status: 'not_found', domain: null, evidence: [], resolution_id: null })
    expect(website.tried).toHaveLength(3)
    for (const [domain, outcome] of [
      [company.domain, 'other_company'],
      [company.second, 'no_match'],
      [third, 'scrape_failed'],
    ]) {
      expect(website.tried).toContainEqual({ domain, source: 'company name', outcome })
    }
  })

  test('a site with the name and office but without the number is left to a person', async () => {
    const words = ({ name, postcode }: PlainCompany) =>
      `© 2026 ${name}. Registered office: 1 Mill Lane, Ripon, North Yorkshire, ${postcode}.`
    const company = await newCompany(it, (one) => ({
      pages: { '/': page(one.name, words(one)), '/legal': page('Legal', words(one)) },
    }))
    const { website } = (await find(company.number)).body
    expect(website).toMatchObject({ status: 'needs_review', domain: company.domain, charged: false })
    expect(website.evidence[0]).toMatchObject({ supports: company.number })
  })

  test('a name that only leads to the company’s site gives that site', async () => {
    const company = await newCompany(it, null)
    const destination = publish(it.web, siteOf(company))
    it.web.setSite(company.domain, { redirects: { '/': `https://${destination}/` } })
    const { website } = (await find(company.number)).body
    expect(website).toMatchObject({ status: 'verified', domain: destination })
    expect(website.tried).toEqual([
      { domain: company.domain, source: 'company name', outcome: 'matched' },
      { domain: destination, source: `where ${company.domain} leads`, outcome: 'matched' },
    ])
  })

  test('a site that is known to be the company’s is not read again', async () => {
    const company = await newCompany(it, null)
    const domain = publish(it.web, siteOf(company))
    const forward = await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain }, headers: WAIT })
    const before = it.web.stats.requests
    const { website } = (await find(company.number)).body
    expect(website).toMatchObject({ status: 'verified', domain, resolution_id: forward.body.resolution_id })
    expect(website.tried).toEqual([{ domain, source: 'earlier answer', outcome: 'matched' }])
    expect(it.web.stats.requests).toBe(before)
  })

  test('what is known is served until somebody wants a fresh look', async () => {
    const company = await newCompany(it, siteOf)
    await find(company.number)
    it.web.setSite(company.domain, siteOf(await newCompany(it, null)))
    it.web.setSite(company.second, siteOf(company))
    const before = it.web.stats.requests
    expect((await find(company.number)).body.website.domain).toBe(company.domain)
    expect(it.web.stats.requests).toBe(before)
    it.clock.advance(15 * 60 + 1)
    const fresh = await find(company.number, { refresh: true })
    expect(fresh.body.website).toMatchObject({
      status: 'verified',
      domain: company.second,
      charge_reason: 'already_paid',
    })
    expect(fresh.body.website.tried).toContainEqual(
      expect.objectContaining({ domain: company.domain, outcome: 'other_company' }),
    )
    expect((await ask(company.number)).body.website.domain).toBe(company.second)
  })

  test('what changed at the company is told with its site', async () => {
    const company = await newCompany(it, siteOf)
    await recordQueuedChanges(it.app)
    await putCompanies(it.app, [{ ...company, status: 'liquidation' }])
    await recordQueuedChanges(it.app)
    const { body } = await find(company.number)
    expect([body.company.company_status, body.website.status]).toEqual(['liquidation', 'verified'])
    expect(body.signals.map(({ signal_type: type }: { signal_type: string }) => type)).toContain('status_changed')
  })
})

test('a company that cannot be looked up now is 503, not 404', async () => {
  // No server listens there.
  const register = { ...it.config.register, restKey: 'a key' }
  await using cutOff = await startTestService({ register, work: false })
  const { key } = await cutOff.openAccount()
  const { status, body } = await cutOff.call('POST', PATH, { key, body: { company_number: '09999999' } })
  expect([status, body.code, body.retryable]).toEqual([503, 'unavailable', true])
})
