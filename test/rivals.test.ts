/** Two sites that claim one company: a copied footer, read before or after the original, and sites of one owner. */
import { describe, expect, test } from 'vitest'
import type { PlainCompany } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { scheduleWebsiteChecks } from '../src/websites/index.ts'
import { newCompany, page, siteOf } from './setup/companies.ts'
import { DAY_SECONDS, prepare, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [] })
const attacker = prepare(() => it.openAccount({ credits: 1_000 }))
const customer = prepare(() => it.openAccount({ credits: 1_000 }))

async function resolve(domain: string, { key } = customer) {
  // A site is read at most once in so long.
  it.clock.advance(15 * 60 + 1)
  const body = { domain, max_age_days: 0 }
  return (await it.call('POST', '/v1/resolve/domain', { key, body, headers: WAIT })).body
}
/** Returns the stored answer, without reading the site again. */
async function recall(domain: string, { key } = customer) {
  return (await it.call('POST', '/v1/resolve/domain', { key, body: { domain }, headers: WAIT })).body
}
async function find(number: string, { refresh = false, key = customer.key } = {}) {
  const body = { company_number: number, refresh }
  return (await it.call('POST', '/v1/resolve/company', { key, body, headers: WAIT })).body.website
}

/** A company, the domain of its name, and domains that have nothing of it. */
async function newRival() {
  const company = await newCompany(it, null)
  const { domain: own, number } = company
  return { ...company, own, strange: `quick-offers-${number}.com`, second: `moss-garden-${number}.net` }
}

function siteWith(company: PlainCompany, { head = '', words = '' }): SimulatedSite {
  const { pages = {} } = siteOf(company)
  const more = (text: unknown) =>
    String(text).replace('<title>', `${head}<title>`).replace('</footer>', `${words}</footer>`)
  return { pages: Object.fromEntries(Object.entries(pages).map(([path, text]) => [path, more(text)])) }
}
const evidenceOf = async (id: string) => (await it.call('GET', `/v1/resolutions/${id}/evidence`, customer)).body

describe('a copied footer', () => {
  test('does not make a stranger’s domain the verified site of a company', async () => {
    const company = await newRival()
    for (const domain of [company.own, company.strange]) it.web.setSite(domain, siteOf(company))
    expect((await resolve(company.own)).outcome).toBe('matched')
    const fake = await resolve(company.strange, attacker)
    expect(fake).toMatchObject({ outcome: 'needs_review', company: null, charged: false })
    expect(fake.reason).toMatch(/^Another site claims this company: /)
    expect(fake.reason).toContain(company.own)
    expect(fake.reason).toContain('its domain is the company’s name')
    expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.own })
    expect(await find(company.number, { key: attacker.key, refresh: true })).toMatchObject({ domain: company.own })
    expect((await recall(company.own)).company.company_number).toBe(company.number)

    const pack = await evidenceOf(fake.resolution_id)
    expect(pack.evidence).toContainEqual(
      expect.objectContaining({ kind: 'rival_site', strength: 'against', url: `https://${company.own}/` }),
    )
    expect(pack.candidates[0]).toMatchObject({ company_number: company.number, confidence: 0.5 })
    const html = await it.call(
      'GET',
      `/v1/resolutions/${fake.resolution_id}/evidence?company_number=${company.number}`,
      customer,
    )
    expect(html.body.why_not.answer).toContain('Another site claims this company')
  })

  test('that was read first gives way to the company’s own site, and everybody gets the new answer', async () => {
    const company = await newRival()
    for (const domain of [company.own, company.strange]) it.web.setSite(domain, siteOf(company))
    expect((await resolve(company.strange, attacker)).outcome).toBe('matched')
    const real = await resolve(company.own)
    expect(real).toMatchObject({ outcome: 'matched', company: { company_number: company.number } })
    expect(real.evidence).toContainEqual(expect.objectContaining({ kind: 'rival_site' }))
    const fake = await recall(company.strange, attacker)
    expect([fake.outcome, fake.charge_reason]).toEqual(['needs_review', 'needs_review_free'])
    expect(fake.reason).toContain(company.own)
    expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.own })
    expect((await resolve(company.strange, attacker)).outcome).toBe('needs_review')
    expect((await recall(company.own)).outcome).toBe('matched')
  })

  test('that still points to the original is no match, though nobody asked about the original', async () => {
    const company = await newRival()
    it.web.setSite(company.own, siteOf(company))
    const head = `<link rel="canonical" href="https://${company.own}/">`
    it.web.setSite(company.strange, siteWith(company, { head }))
    const fake = await resolve(company.strange, attacker)
    expect(fake).toMatchObject({ outcome: 'needs_review', company: null, charged: false, confidence: 0.5 })
    expect(fake.reason).toContain(`${company.own} prints ${company.name} (${company.number}) too`)
    expect(fake.evidence).toContainEqual(
      expect.objectContaining({ kind: 'rival_site', strength: 'against', url: `https://${company.own}/` }),
    )
    expect(fake.explanation.features.at(-1)).toMatchObject({ kind: 'veto', says: fake.reason })
  })

  test('under a longer domain with the name in it is no match, if it gives the original as its address', async () => {
    const company = await newRival()
    it.web.setSite(company.own, siteOf(company))
    const copy = company.own.replace('.co.uk', '-clearance.com')
    it.web.setSite(copy, siteWith(company, { head: `<link rel="canonical" href="https://${company.own}/">` }))
    expect(await resolve(copy, attacker)).toMatchObject({ outcome: 'needs_review', company: null, charged: false })
  })

  test('is no copy if the original links back: then both sites are the company’s', async () => {
    const company = await newRival()
    it.web.setSite(company.own, siteWith(company, { words: `<a href="https://${company.strange}/">Our shop</a>` }))
    const head = `<link rel="canonical" href="https://${company.own}/">`
    it.web.setSite(company.strange, siteWith(company, { head }))
    expect((await resolve(company.strange)).outcome).toBe('matched')
  })

  test('is not verified where the name of the company leads to its own site', async () => {
    const company = await newRival()
    for (const domain of [company.own, company.strange]) it.web.setSite(domain, siteOf(company))
    await resolve(company.strange, attacker)
    expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.own })
    expect((await recall(company.strange)).outcome).toBe('needs_review')
  })

  test.each([
    ['its canonical address', { head: '<link rel="canonical" href="https://OTHER/">' }],
    ['the address it is shared by', { head: '<meta property="og:url" content="https://OTHER/">' }],
    ['a link', { words: '<a href="https://OTHER/shop">Shop</a>' }],
    ['a mail address', { words: 'Write to office@OTHER.' }],
    ['a mail link', { words: '<a href="mailto:office@OTHER?subject=Hello">Write to us</a>' }],
  ])('that leads to the original by %s is the copy, whichever was read first', async (_, marks) => {
    const company = await newRival()
    const copied = Object.fromEntries(
      Object.entries(marks).map(([path, text]) => [path, text.replace('OTHER', company.second)]),
    )
    it.web.setSite(company.strange, siteWith(company, copied))
    it.web.setSite(company.second, siteOf(company))
    await resolve(company.strange, attacker)
    expect((await resolve(company.second)).outcome).toBe('matched')
    const fake = await recall(company.strange)
    expect(fake.outcome).toBe('needs_review')
    expect(fake.reason).toContain(company.second)
  })

  test('of a site whose domain has another name leaves both to a person', async () => {
    const company = await newRival()
    it.web.setSite(company.second, siteOf(company))
    expect((await resolve(company.second)).outcome).toBe('matched')
    it.web.setSite(company.strange, siteOf(company))
    const fake = await resolve(company.strange, attacker)
    expect(fake.reason).toContain('nothing shows which one is the company’s')
    expect((await recall(company.second)).outcome).toBe('needs_review')
    expect(await find(company.number)).toMatchObject({ status: 'needs_review', charged: false })
  })

  test('cannot push a site into review that has been known for a while', async () => {
    const company = await newRival()
    it.web.setSite(company.second, siteOf(company))
    await resolve(company.second)
    it.clock.advance(8 * DAY_SECONDS)
    for (const domain of [company.strange, company.own]) {
      it.web.setSite(domain, siteOf(company))
      if (domain === company.own) it.clock.advance(23 * DAY_SECONDS)
      expect([domain, (await resolve(domain, attacker)).outcome]).toEqual([domain, 'needs_review'])
      expect((await resolve(company.second)).outcome).toBe('matched')
    }
    expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.second })
  })

  test('read at the same moment as the original is found out all the same', async () => {
    const company = await newRival()
    const domains = [company.strange, company.own, company.second]
    for (const domain of domains) it.web.setSite(domain, siteOf(company))
    await Promise.all(domains.map((domain) => resolve(domain)))
    const outcomes = await Promise.all(domains.map(async (domain) => (await recall(domain)).outcome))
    expect(outcomes).toEqual(['needs_review', 'matched', 'needs_review'])
  })

  test('behind a domain that leads to it is judged as the site it is', async () => {
    const company = await newRival()
    for (const domain of [company.own, company.strange]) it.web.setSite(domain, siteOf(company))
    it.web.setSite(company.second, { redirects: { '/': `https://${company.strange}/` } })
    await resolve(company.own)
    expect((await resolve(company.second, attacker)).outcome).toBe('needs_review')
  })

  test('that is gone does not count any more', async () => {
    const company = await newRival()
    it.web.setSite(company.second, siteOf(company))
    await resolve(company.second)
    it.web.setSite(company.second, { pages: { '/': page('My garden', 'I write about tomatoes.') } })
    expect((await resolve(company.second)).outcome).not.toBe('matched')
    it.web.setSite(company.strange, siteOf(company))
    expect((await resolve(company.strange)).outcome).toBe('matched')
  })
})

describe('sites of one owner stay matched', () => {
  test('under one name', async () => {
    const company = await newRival()
    const domains = [company.own, company.own.replace('.co.uk', '.com'), company.own.replace('.co.uk', '-shop.co.uk')]
    for (const domain of domains) it.web.setSite(domain, siteOf(company))
    for (const domain of domains) expect([domain, (await resolve(domain)).outcome]).toEqual([domain, 'matched'])
    expect((await recall(company.own)).outcome).toBe('matched')
    expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.own })
  })

  test('when they link to each other, or the company’s own site links to them', async () => {
    const company = await newRival()
    it.web.setSite(company.own, siteWith(company, { words: `<a href="https://${company.strange}/">Our shop</a>` }))
    it.web.setSite(company.strange, siteOf(company))
    for (const domain of [company.own, company.strange, company.own]) {
      expect([domain, (await resolve(domain)).outcome]).toEqual([domain, 'matched'])
    }
    const other = await newRival()
    const link = (to: string) => siteWith(other, { words: `<a href="https://${to}/">Our other shop</a>` })
    it.web.setSite(other.strange, link(other.second))
    it.web.setSite(other.second, link(other.strange))
    for (const domain of [other.strange, other.second, other.strange]) {
      expect([domain, (await resolve(domain)).outcome]).toEqual([domain, 'matched'])
    }
  })

  test('when one leads to the other', async () => {
    const company = await newRival()
    it.web.setSite(company.second, siteOf(company))
    it.web.setSite(company.strange, { redirects: { '/': `https://${company.second}/` } })
    for (const domain of [company.second, company.strange, company.second]) {
      expect([domain, (await resolve(domain)).outcome]).toEqual([domain, 'matched'])
    }
  })
})

test('those who watch a company get a signal when its verified site turns out to be a copy', async () => {
  const company = await newRival()
  it.web.setSite(company.strange, siteOf(company))
  await resolve(company.strange, attacker)
  expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.strange })
  await it.call('POST', '/v1/watchlist', { key: customer.key, body: { company_number: company.number } })
  await scheduleWebsiteChecks(it.app)
  it.web.setSite(company.own, siteOf(company))
  await resolve(company.own)
  const { body } = await it.call('GET', '/v1/signals?signal_type=website_changed', customer)
  const [signal] = body.data
  expect(signal).toMatchObject({ company_number: company.number, severity: 'warning' })
  expect(signal.summary).toContain(company.strange)
  expect(signal.changes).toMatchObject([{ field: 'website_status', from: 'verified', to: 'contested' }])
  expect(await find(company.number)).toMatchObject({ status: 'verified', domain: company.own })
})
