/** The evidence pack: what a compliance officer files of an answer, as JSON and as a page to print. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { ALDER, BRACKEN, page, publish, siteNaming, siteOf } from './setup/companies.ts'
import { type CallOptions, createPlainCall, prepare, type TestService, useTestService } from './setup/harness.ts'

const CORMORANT = { number: '09300001', name: 'CORMORANT & <B>SONS</B> LIMITED', postcode: 'HG4 1AD' }

/** A site of one company that names another company as a different one. */
const SUPPLIED: SimulatedSite = {
  pages: {
    ...siteOf(ALDER).pages,
    '/legal': page('Legal', `Web site by ${BRACKEN.name}, company number ${BRACKEN.number}.`),
  },
}
const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>"' </style><a href=//evil.test>`
const hostileWords = `${HOSTILE.replaceAll('<', '&lt;').replaceAll('>', '&gt;')} © 2026 ${ALDER.name}.
  Registered in England and Wales. Company number ${ALDER.number}.`
const SITES = {
  matched: SUPPLIED,
  needs_review: siteNaming(BRACKEN),
  no_match: { pages: { '/': '<!doctype html><title>Parked</title><h1>This domain is for sale</h1>' } },
  scrape_failed: { http: 'refused', https: 'refused' },
  hostile: { pages: { '/': page(ALDER.name, hostileWords), '/legal': page('Legal', hostileWords) } },
} satisfies Record<string, SimulatedSite>

const it = useTestService({ companies: [ALDER, BRACKEN, CORMORANT] })
const account = prepare(() => it.openAccount({ credits: 100 }))
/** The same without the contract, in which pages are not. */
let visit: TestService['call']
let ids: Record<keyof typeof SITES, string>
beforeAll(async () => {
  visit = createPlainCall(it.config.baseUrl)
  const found = Object.entries(SITES).map(async ([kind, site]) => [
    kind,
    (await resolve(publish(it.web, site))).resolution_id,
  ])
  ids = Object.fromEntries(await Promise.all(found))
})

async function resolve(domain: string, key = account.key) {
  it.clock.advance(15 * 60 + 1)
  const body = { domain, max_age_days: 0 }
  const found = await it.call('POST', '/v1/resolve/domain', { key, body, headers: { prefer: 'wait=30' } })
  expect(found.body.status).toBe('completed')
  return found.body
}
const urlOf = (id: string, query = '') => `/v1/resolutions/${id}/evidence${query}`
const read = (id: string, query = '', options: CallOptions = {}) =>
  it.call('GET', urlOf(id, query), { key: account.key, ...options })
const print = (id: string, query = '', accept = '*/*') =>
  visit('GET', urlOf(id, query), { key: account.key, headers: { accept } })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('a pack has the words, where and when they stood there, and the hash of the page that was sent', async () => {
  const { status, body, headers } = await read(ids.matched)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(body).toMatchObject({
    resolution_id: ids.matched,
    outcome: 'matched',
    crawl: { finding: 'read' },
    why_not: null,
  })
  const hashes = Object.fromEntries(
    Object.entries(SUPPLIED.pages ?? {}).map(([path, text]) => [`https://${body.domain}${path}`, sha256(String(text))]),
  )
  const [proof] = body.evidence
  expect(proof).toMatchObject({ supports: ALDER.number, strength: 'decisive', url: `https://${body.domain}/` })
  expect(proof.quote).toContain(`Company number ${ALDER.number}`)
  for (const { url, content_sha256: hash, fetched_at: at, quote } of body.evidence) {
    expect([url, hash]).toEqual([url, hashes[url]])
    expect(quote).not.toBe('')
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(body.resolved_at))
    expect(Date.parse(at)).toBeGreaterThan(Date.parse(body.resolved_at) - 60_000)
  }
  for (const { url, status: pageStatus, sha256: hash } of body.crawl.pages) {
    expect([url, pageStatus, hash]).toEqual([url, 200, hashes[url]])
  }
  expect(body.candidates.map(numberOf)).toEqual([ALDER.number])
  expect(body.considered.map(numberOf)).toEqual([ALDER.number, BRACKEN.number])
  const { prior, features, total } = body.explanation
  const sum = features.reduce((bits: number, { weight }: { weight: number }) => bits + weight, prior)
  expect(total).toBeCloseTo(sum)
  expect(Date.parse(body.read_at)).toBeGreaterThanOrEqual(Date.parse(body.resolved_at))
})

const numberOf = (company: { company_number: string }) => company.company_number

test('the register’s record is told as it was compared and as it is now', async () => {
  const first = (await read(ids.matched)).body.register
  const record = { company_number: ALDER.number, company_name: ALDER.name, company_status: 'active' }
  expect(first.before).toMatchObject({ ...record, registered_postcode: ALDER.postcode })
  expect(first.now).toEqual([expect.objectContaining(first.before)])
  it.clock.advance(60)
  await putCompanies(it.app, [{ ...ALDER, status: 'liquidation', postcode: 'LS1 4AP' }])
  const { before, now } = (await read(ids.matched)).body.register
  expect(before).toEqual(first.before)
  expect(now).toHaveLength(1)
  expect(now[0]).toMatchObject({ company_status: 'liquidation', registered_postcode: 'LS1 4AP' })
  expect(Date.parse(now[0].record_changed_at)).toBeGreaterThanOrEqual(Date.parse(before.record_changed_at) + 60_000)
  await putCompanies(it.app, [ALDER])
  const review = (await read(ids.needs_review)).body.register
  expect([review.before, review.now.map(numberOf)]).toEqual([null, [BRACKEN.number]])
})

test('the pack says in words what the register says in codes, on paper and as JSON', async () => {
  it.clock.advance(60)
  const statusDetail = 'active-proposal-to-strike-off'
  await putCompanies(it.app, [{ ...ALDER, statusDetail }])
  const { before, now } = (await read(ids.matched)).body.register
  expect(before).toMatchObject({ company_status: 'active', company_status_text: 'Active' })
  expect(now[0]).toMatchObject({
    company_status_detail: statusDetail,
    company_status_text: 'Active — proposal to strike off',
    company_type_text: 'Private limited company',
    sic_codes_text: ['Manufacture of other furniture'],
  })
  const { text } = await visit('GET', urlOf(ids.matched, '?format=html'), { key: account.key })
  for (const words of [
    'Active — proposal to strike off',
    'Private limited company',
    'Manufacture of other furniture',
    '14 March 2011',
  ])
    expect(text).toContain(words)
  const shown = text.slice(text.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ')
  const own = shown.replaceAll(/https?:\/\/\S+|\S+\.(?:co\.)?uk/g, '')
  expect(own.match(/\b[a-z]+(?:-[a-z]+){2,}\b|\b[a-z]+_[a-z_]+\b/g)).toBeNull()
  await putCompanies(it.app, [ALDER])
})

describe('why not this company?', () => {
  test.each([
    ['the answer itself', 'matched', ALDER.number, /^It is the answer\.$/, `Company number ${ALDER.number}`],
    [
      'a company that is named as another company',
      'matched',
      BRACKEN.number,
      /not as its own.*“Web site by”/,
      'Web site by',
    ],
    [
      'a candidate',
      'needs_review',
      BRACKEN.number,
      /is a candidate, at \d+(?:\.\d)?%.*neither its number/,
      BRACKEN.name,
    ],
    ['a company that is not named', 'matched', CORMORANT.number, /^The \d pages read print neither .*09300001/, null],
    [
      'a company that is not named by a site that says nothing',
      'scrape_failed',
      ALDER.number,
      /No page .* could be read/,
      null,
    ],
    ['a number of nobody', 'matched', '09999999', /register has no company 09999999/, null],
    ['a number as people write it', 'matched', ' 5820417 ', /not as its own/, 'Web site by'],
  ] as const)('%s', async (_, kind, number, answer, quote) => {
    const { status, body } = await read(ids[kind], `?company_number=${encodeURIComponent(number)}`)
    expect([status, body.why_not.company_number]).toEqual([200, number.trim().padStart(8, '0')])
    expect(body.why_not.answer).toMatch(answer)
    if (quote === null) expect([body.why_not.quote, body.why_not.url]).toEqual([null, null])
    else {
      expect(body.why_not.quote).toContain(quote)
      expect(body.why_not.url).toContain(`https://${body.domain}/`)
    }
    if (kind === 'needs_review') expect(body.why_not.reasons).toEqual(body.candidates[0].reasons)
  })
})

test('what was filed stays as it was when the site is gone', async () => {
  const domain = publish(it.web, siteOf(BRACKEN))
  const first = await resolve(domain)
  const filed = (await read(first.resolution_id)).body
  it.web.setSite(domain, null)
  expect([first.outcome, (await resolve(domain)).outcome]).toEqual(['matched', 'scrape_failed'])
  const later = (await read(first.resolution_id)).body
  expect({ ...later, read_at: null }).toEqual({ ...filed, read_at: null, expires_at: filed.resolved_at })
})

test('whoever has credentials and the id may read it, free of charge; nobody else may', async () => {
  const stranger = await it.openAccount({ credits: 0 })
  expect((await read(ids.matched, '', { key: stranger.key })).status).toBe(200)
  for (const query of ['', '?format=html']) {
    const none = await it.call('GET', urlOf(ids.matched, query))
    expect([none.status, none.body.code]).toEqual([401, 'missing_credentials'])
    const unknown = await read(`res_${'0'.repeat(27)}`, query)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  }
})

test.each([
  ['?company_number=LIMITED', 'company_number'],
  ['?company_number=', 'company_number'],
  ['?company_number=123456789', 'company_number'],
  [`?company_number=${'1'.repeat(21)}`, 'company_number'],
  ['?format=pdf', 'format'],
])('%s is refused', async (query, field) => {
  const { status, body } = await read(ids.matched, query)
  expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', field])
})

test('the answers of a test key have their packs, too', async () => {
  for (const outcome of ['matched', 'needs-review', 'no-match', 'non-uk', 'scrape-failed']) {
    const { resolution_id: id, actions } = await resolve(`${outcome}.test`, account.testKey)
    expect(actions[0].url).toBe(urlOf(id))
    const pack = await it.call('GET', actions[0].url, { key: account.testKey })
    expect([outcome, pack.status, pack.body.domain]).toEqual([outcome, 200, `${outcome}.test`])
  }
  const page = await visit('GET', urlOf('res_test_matched', '?format=html'), { key: account.testKey })
  expect(page.text).toContain('run by <strong>TEST MODE TRADING LTD')
})

describe('an evidence address that a person opens in a browser', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const open = (url: string, headers: Record<string, string> = {}) =>
    visit('GET', url, { headers: { accept, ...headers } })

  test('shows the page to whoever is signed in on the site, and not 401', async () => {
    const owner = await it.openAccount()
    const address = urlOf(ids.matched, `?company_number=${BRACKEN.number}&format=html`)
    const there = await it.call('GET', address, { headers: { accept } })
    const page = `/evidence/${ids.matched}?company_number=${BRACKEN.number}`
    expect([there.status, there.headers.get('location')]).toEqual([302, new URL(page, it.config.siteUrl).href])
    const shown = await it.visit('GET', page, { headers: { accept, cookie: `session=${owner.token}` } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(shown.text).toContain(`run by <strong>${ALDER.name}</strong>`)
    expect(shown.text).toContain(`Why not ${BRACKEN.name}?`)
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const missing = await it.visit('GET', `/evidence/res_${'0'.repeat(27)}`, {
      headers: { accept, cookie: `session=${owner.token}` },
    })
    expect(missing.status).toBe(404)
  })

  test('asks everybody else to sign in, and brings them back', async () => {
    const page = `/evidence/${ids.matched}`
    const { status, headers, text } = await it.visit('GET', page, { headers: { accept } })
    expect([status, headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(page)}`])
    expect(text).not.toContain(ALDER.name)
  })

  test('leaves programs as they are', async () => {
    expect((await open(urlOf(ids.matched, '?format=json'))).status).toBe(401)
    expect((await open(urlOf(ids.matched), { 'x-api-key': 'np_live_wrong' })).status).toBe(401)
    expect((await visit('GET', urlOf(ids.matched), { headers: { accept: '*/*' } })).status).toBe(401)
    expect((await open(urlOf(ids.matched), { 'x-api-key': account.key })).status).toBe(200)
  })
})

describe('the page', () => {
  test('comes by ?format=html and to browsers; programs get JSON', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const [query, accept, type] of [
      ['?format=html', '*/*', 'text/html; charset=utf-8'],
      ['?format=html', 'application/json', 'text/html; charset=utf-8'],
      ['', browser, 'text/html; charset=utf-8'],
      ['', '*/*', 'application/json; charset=utf-8'],
      ['', 'application/json, text/html', 'application/json; charset=utf-8'],
      ['?format=json', browser, 'application/json; charset=utf-8'],
    ] as const) {
      const { status, headers } = await print(ids.matched, query, accept)
      expect([query, accept, status, headers.get('content-type')]).toEqual([query, accept, 200, type])
    }
  })

  test.each([
    ['matched', `run by <strong>${ALDER.name}</strong>, company number ${ALDER.number}`],
    ['needs_review', 'Not decided: a person must look'],
    ['no_match', 'There is no site yet'],
    ['scrape_failed', 'The site could not be read'],
  ] as const)('of an answer that is %s says so, with all the quotes, hashes and times', async (kind, headline) => {
    const { body } = await read(ids[kind])
    const { text } = await print(ids[kind], '?format=html')
    expect(text).toContain(headline)
    expect(text).toContain(body.domain)
    for (const { quote, url, content_sha256: hash } of body.evidence) {
      for (const words of [quote, url, hash]) expect(text).toContain(words)
    }
    for (const { url, sha256: hash } of body.crawl.pages) for (const words of [url, hash]) expect(text).toContain(words)
  })

  test('is only its own markup, whatever the site and the register say', async () => {
    const { body } = await read(ids.hostile)
    expect(body.evidence[0].quote).toContain(HOSTILE)
    const { text } = await print(ids.hostile, `?format=html&company_number=${CORMORANT.number}`)
    expect(text).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;&quot;&#39; &lt;/style&gt;',
    )
    expect(text).toContain('CORMORANT &amp; &lt;B&gt;SONS&lt;/B&gt; LIMITED')
    const elements = new Set([...text.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name))
    const own = 'html head meta title style body header strong span h1 h2 p div blockquote table tr th td br ul li'
    expect([...elements].filter((name) => !own.split(' ').includes(name ?? ''))).toEqual([])
    const attributes = new Set([...text.matchAll(/<[a-z0-9]+((?:\s+[a-z-]+="[^"]*")*)\s*\/?>/g)].flatMap(namesIn))
    expect([...attributes].sort()).toEqual(['charset', 'class', 'content', 'lang', 'name'])
  })

  test('takes nothing from elsewhere, and its policy allows nothing but its own style', async () => {
    const { text, headers } = await print(ids.matched, '?format=html')
    expect(text).not.toMatch(/\b(?:src|href|action|srcset|background)\s*=|@import|url\(/i)
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? ''
    expect(style).toContain('blockquote')
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

function namesIn([, attributes = '']: RegExpMatchArray): string[] {
  return [...attributes.matchAll(/([a-z-]+)="/g)].map(([, name = '']) => name)
}
