/** Analysts match a column of company names with the register, in OpenRefine, without an account and without code. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCompanies } from '../src/register/apply-companies.ts'
import { parseProfile } from '../src/register/details/company-from-profile.ts'
import { rebuildSearchIndex } from '../src/register/search/search-index.ts'
import { describeInBrowser, expectGood, keepScreenshot, useChromium } from './setup/chromium.ts'
import { whileNoWorkEnds } from './setup/companies.ts'
import { type Reply, useTestService } from './setup/harness.ts'
import { EXTENSION, MANIFEST, PROPOSAL, RESULT_BATCH, SUGGESTIONS } from './setup/reconciliation-schemas.ts'

const it = useTestService()
beforeAll(async () => {
  const incoming = COMPANIES.map((given) => ({ facts: toFacts(given), rowHash: null, timepoint: 0 }))
  const options = { source: 'snapshot', reference: 'test', at: it.clock.now(), isStale: () => false } as const
  await it.app.db.transaction((tx) => applyCompanies(tx, incoming, options))
  await rebuildSearchIndex(it.app.db)
})

interface Given {
  number: string
  name: string
  status?: string
  type?: string
  postcode?: string
  previous?: string[]
  due?: string
}

const COMPANIES: Given[] = [
  { number: '00445790', name: 'MERIDIAN WIDGETS LIMITED', postcode: 'EC1V 9LH', due: '2027-01-31' },
  { number: '00445791', name: 'MERIDIAN WIDGETS HOLDINGS LIMITED', postcode: 'EC1V 9LH' },
  { number: 'SC123456', name: 'KESTREL AVIATION PLC', type: 'plc', previous: ['SPARROWHAWK GLIDERS LIMITED'] },
  { number: '00000021', name: 'HARBOUR LIGHT LIMITED', postcode: 'M1 1AE' },
  { number: 'OC300022', name: 'HARBOUR LIGHT LLP', type: 'llp', postcode: 'CF10 1AA' },
  { number: '00000031', name: 'OLD FORGE COMPANY LIMITED', status: 'dissolved', due: '2020-01-31' },
  { number: '00000032', name: 'THE OLD FORGE COMPANY LIMITED', status: 'liquidation' },
  { number: '00000041', name: 'PEBBLE & SHORE LIMITED', status: 'dissolved' },
  { number: '00000051', name: 'BLUEBERRY HILL CATERING LIMITED', postcode: 'M1 1AF' },
  { number: '00000061', name: '<I>SLANT</I> LIMITED', previous: ['UPRIGHT & SONS LIMITED', 'UPRIGHT LIMITED'] },
]

function toFacts({ number, name, status = 'active', type = 'ltd', postcode, previous = [], due }: Given) {
  const facts = parseProfile({
    company_number: number,
    company_name: name,
    company_status: status,
    type,
    date_of_creation: '2011-03-14',
    date_of_cessation: status === 'dissolved' ? '2019-05-06' : null,
    previous_company_names: previous.map((former) => ({ name: former, ceased_on: '2015-05-05' })),
    registered_office_address: { address_line_1: '1 Mill Lane', locality: 'Ripon', postal_code: postcode ?? null },
    accounts: due ? { next_accounts: { due_on: due } } : {},
    sic_codes: ['31090', '74100'],
  })
  if (!facts) throw new Error(`${name} is no company`)
  return facts
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)

function expectShape(schema: object, { status, body }: Reply): void {
  expect([status, ajv.validate(schema, body) ? 'fits' : ajv.errorsText()]).toEqual([200, 'fits'])
}

/** As OpenRefine sends it. */
function post(fields: Record<string, unknown>, ip?: string): Promise<Reply> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return it.call('POST', '/reconcile', {
    rawBody: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    ...(ip ? { ip } : {}),
  })
}

interface Shown {
  id: string
  name: string
  score: number
  match: boolean
  description: string
  type: Array<{ id: string }>
  features: Array<{ id: string; value: unknown }>
}

async function ask(query: object): Promise<Shown[]> {
  const reply = await post({ queries: { q0: query } })
  expectShape(RESULT_BATCH, reply)
  return reply.body.q0.result
}

test('the manifest says what the service offers, and every address in it answers', async () => {
  const manifest = await it.call('GET', '/reconcile', { headers: { origin: 'http://127.0.0.1:3333' } })
  expectShape(MANIFEST, manifest)
  expect(manifest.headers.get('access-control-allow-origin')).toBe('*')
  const { extend, preview, view, batchSize, defaultTypes } = manifest.body
  const suggest: Record<string, { service_url: string; service_path: string }> = manifest.body.suggest
  for (const { service_url: origin, service_path: path } of [...Object.values(suggest), extend.propose_properties]) {
    expect(origin).toBe(it.config.baseUrl.origin)
    expect([path, (await it.call('GET', path)).status]).toEqual([path, 200])
  }
  const shown = new URL(preview.url.replace('{{id}}', '00445790'))
  expect((await it.call('GET', shown.pathname + shown.search)).status).toBe(200)
  expect(view.url).toMatch(/^https:\/\/find-and-update\.company-information\.service\.gov\.uk\/company\/\{\{id\}\}$/)
  expect([batchSize, defaultTypes[0]]).toEqual([50, { id: 'company', name: 'Company' }])
})

test('a batch as OpenRefine sends it is answered by the ids of its queries, by POST and by GET alike', async () => {
  const queries = {
    q0: { query: 'Meridian Widgets', type: 'company', type_strict: 'should', limit: 5 },
    q1: { query: 'Kestrel Aviation', properties: [{ pid: 'postcode', v: { id: 'x', name: 'x' } }] },
    q2: { query: 'Nothing of the kind 9' },
  }
  const posted = await post({ queries })
  expectShape(RESULT_BATCH, posted)
  expect(Object.keys(posted.body)).toEqual(['q0', 'q1', 'q2'])
  expect(posted.body.q0.result[0]).toEqual({
    id: '00445790',
    name: 'MERIDIAN WIDGETS LIMITED',
    description: '00445790 · active · from 2011-03-14 · Ripon EC1V 9LH',
    score: 100,
    match: true,
    type: [
      { id: 'company', name: 'Company' },
      { id: 'ltd', name: 'Private limited company' },
    ],
    features: [
      { id: 'name_likeness', value: 1 },
      { id: 'previous_name', value: false },
      { id: 'on_register', value: true },
    ],
  })
  expect(posted.body.q2.result).toEqual([])
  const got = await it.call('GET', `/reconcile?queries=${encodeURIComponent(JSON.stringify(queries))}`)
  expect(got.body).toEqual(posted.body)
})

describe('a cell is matched only when no person needs to look', () => {
  const postcode = (v: unknown) => [{ pid: 'postcode', v }]
  test.each<[what: string, query: object, first: string, match: boolean]>([
    ['the very name', { query: 'Meridian Widgets' }, '00445790', true],
    ['its ending written otherwise', { query: 'the meridian widgets ltd.' }, '00445790', true],
    ['an ending of another kind', { query: 'Meridian Widgets LLP' }, '00445790', false],
    ['a number without its zeros', { query: '445790' }, '00445790', true],
    ['a number with a space', { query: 'sc 123456' }, 'SC123456', true],
    ['the number of a company that is gone', { query: '00000041' }, '00000041', true],
    ['a number elsewhere', { query: '00445790', properties: postcode('M1 1AE') }, '00445790', false],
    ['a name of two', { query: 'Harbour Light' }, '00000021', false],
    ['a name of two, with an ending', { query: 'Harbour Light L.L.P.' }, 'OC300022', false],
    ['a name of two, told apart', { query: 'Harbour Light', properties: postcode('cf101aa') }, 'OC300022', true],
    ['… by half a postcode', { query: 'Harbour Light', properties: postcode('M1') }, '00000021', true],
    ['… by one of several values', { query: 'Harbour Light', properties: postcode(['X', 'M1']) }, '00000021', true],
    ['a name elsewhere', { query: 'Meridian Widgets', properties: postcode('M1 1AE') }, '00445790', false],
    ['a name of one that is gone too', { query: 'Old Forge Co' }, '00000032', true],
    ['a name of one that is gone', { query: 'Pebble and Shore' }, '00000041', false],
    ['a previous name', { query: 'Sparrowhawk Gliders' }, 'SC123456', false],
    ['a misspelt name', { query: 'Blubery Hill Catering' }, '00000051', false],
    ['other spaces', { query: 'Blue berry hill catering' }, '00000051', false],
    [
      'the right year',
      { query: 'Blueberry Hill Catering', properties: [{ pid: 'incorporated_on', v: 2011 }] },
      '00000051',
      true,
    ],
    [
      'the wrong day',
      { query: 'Blueberry Hill Catering', properties: [{ pid: 'incorporated_on', v: '15/03/2011' }] },
      '00000051',
      false,
    ],
    [
      'part of the address',
      { query: 'Blueberry Hill Catering', properties: [{ pid: 'address', v: 'Mill Lane, Ripon' }] },
      '00000051',
      true,
    ],
    ['a number in its own column', { properties: [{ pid: 'company_number', v: 445790 }] }, '00445790', true],
    [
      'a property that nobody knows',
      { query: 'Meridian Widgets', properties: [{ pid: 'P31', v: 'x' }] },
      '00445790',
      true,
    ],
  ])('%s', async (_what, query, first, match) => {
    const result = await ask(query)
    expect(result[0]?.id).toBe(first)
    expect(result.filter((candidate) => candidate.match).map(({ id }) => id)).toEqual(match ? [first] : [])
    expect(result.map(({ score }) => score)).toEqual(result.map(({ score }) => score).toSorted((a, b) => b - a))
  })
})

test('a previous name counts for less than a name of today, and the candidate says so', async () => {
  const [now] = await ask({ query: 'Kestrel Aviation' })
  const [before] = await ask({ query: 'Sparrowhawk Gliders' })
  expect(before?.description).toContain('was called SPARROWHAWK GLIDERS LIMITED')
  expect(before?.features).toContainEqual({ id: 'previous_name', value: true })
  expect(now?.description).not.toContain('was called')
  expect(before?.score).toBeLessThan(now?.score ?? 0)
})

test('a type puts other companies lower, and a strict one leaves them out', async () => {
  const wanted = { query: 'Harbour Light', type: 'llp' }
  expect((await ask(wanted)).map(({ id }) => id)).toEqual(['OC300022', '00000021'])
  const strict = await ask({ ...wanted, type: ['llp', 'plc'], type_strict: 'any' })
  expect(strict.map(({ id, match }) => [id, match])).toEqual([['OC300022', true]])
})

test('without a name, a postcode finds the companies there, and none of them is certain', async () => {
  const found = await ask({ properties: [{ pid: 'postcode', v: 'EC1V 9LH' }], limit: 1 })
  expect(found.map(({ match, score }) => [match, score])).toEqual([[false, 50]])
  expect(await ask({ properties: [{ pid: 'company_status', v: 'active' }] })).toEqual([])
})

test('a cell with nothing usable in it finds nothing, and spoils nothing for the others', async () => {
  const odd = ['', '   ', '🎉🎉', 'x'.repeat(5_000), '%%%', "'; drop table company; --", 'Limited', null]
  const queries = Object.fromEntries(
    odd.map((query, index) => [`q${index}`, { query, properties: [{ pid: 'x', v: null }] }]),
  )
  const reply = await post({ queries: { ...queries, last: { query: 'Meridian Widgets', limit: -1 } } })
  expectShape(RESULT_BATCH, reply)
  expect(reply.body.q0.result).toEqual([])
  expect(reply.body.last.result[0].match).toBe(true)
})

describe('suggestions', () => {
  const suggest = async (kind: string, query: string) => {
    const reply = await it.call('GET', `/reconcile/suggest/${kind}?${query}`)
    expectShape(SUGGESTIONS, reply)
    return reply.body.result as Array<{ id: string; name: string; description?: string; notable?: object[] }>
  }

  test('companies whose name begins with what was typed, then those like it', async () => {
    const begun = await suggest('entity', 'prefix=meridian+wid')
    expect(begun.map(({ id }) => id)).toEqual(['00445790', '00445791'])
    expect(begun[0]).toMatchObject({
      description: expect.stringContaining('EC1V 9LH'),
      notable: [{ id: 'company' }, {}],
    })
    expect((await suggest('entity', 'prefix=blubery+hill'))[0]?.id).toBe('00000051')
    expect((await suggest('entity', 'prefix=SC123456'))[0]?.id).toBe('SC123456')
    expect((await suggest('entity', 'prefix=meridian+wid&cursor=1')).map(({ id }) => id)).toEqual(['00445791'])
    expect(await suggest('entity', 'prefix=')).toEqual([])
  })

  test('properties and types by any part of their name', async () => {
    expect((await suggest('property', 'prefix=post')).map(({ id }) => id)).toEqual(['postcode'])
    expect((await suggest('property', 'prefix=')).length).toBeGreaterThan(10)
    expect((await suggest('type', 'prefix=partnership')).map(({ id }) => id)).toContain('llp')
    expect((await suggest('type', 'prefix=comp'))[0]).toEqual({ id: 'company', name: 'Company' })
  })

  test.each(['suggest/entity', 'suggest/property', 'suggest/type'])(
    'a cursor that is none is refused: %s',
    async (path) => {
      const { status, body } = await it.call('GET', `/reconcile/${path}?prefix=a&cursor=first`)
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', 'cursor'])
    },
  )
})

describe('the preview', () => {
  test('is a page that other sites may frame, and that runs nothing', async () => {
    const { status, headers, text } = await it.call('GET', '/reconcile/preview?id=00000061')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*frame-ancestors \*$/,
    )
    expect(text).toContain('&lt;I&gt;SLANT&lt;/I&gt; LIMITED')
    expect(text).toContain('UPRIGHT &amp; SONS LIMITED; UPRIGHT LIMITED')
    expect(text).toContain('href="https://find-and-update.company-information.service.gov.uk/company/00000061"')
  })

  test.each(['id=99999999', 'id=%3Cscript%3E', '', 'id=1&id=2'])(
    'says when there is no such company: %s',
    async (query) => {
      const { status, text } = await it.call('GET', `/reconcile/preview?${query}`)
      expect(status).toBe(404)
      expect(text).toContain('No such company')
      expect(text).not.toContain('<script>')
    },
  )
})

describeInBrowser('in a browser', () => {
  const browser = useChromium()

  test('the preview shows in the frame of another program', async () => {
    const { url, width, height } = (await it.call('GET', '/reconcile')).body.preview
    const src = url.replace('{{id}}', '00000061')
    const program = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<link rel="icon" href="data:," /><iframe src="${src}" width="${width}" height="${height}"></iframe>`,
      )
    })
    await once(program.listen(0, '127.0.0.1'), 'listening')
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 460, height: 330 } })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(`http://127.0.0.1:${(program.address() as AddressInfo).port}/`)
      const shown = page.frameLocator('iframe')
      await shown.getByText('UPRIGHT & SONS LIMITED; UPRIGHT LIMITED').waitFor()
      // A grid only where the policy let the styles through.
      expect(await page.frames()[1]?.evaluate('getComputedStyle(document.querySelector("dl")).display')).toBe('grid')
      expect(complaints).toEqual([])
      await keepScreenshot(page, `reconcile-preview-${colorScheme}`)
      await page.goto(src)
      await expectGood(page, `reconcile-preview-alone-${colorScheme}`)
      await page.close()
    }
    program.close()
  })
})

describe('facts of matched companies', () => {
  test('are proposed, and fetched in the shape that becomes columns', async () => {
    const proposal = await it.call('GET', '/reconcile/properties?type=company&limit=3')
    expectShape(PROPOSAL, proposal)
    expect([proposal.body.limit, proposal.body.properties.length]).toEqual([3, 3])
    const all = await it.call('GET', '/reconcile/properties')
    const properties = all.body.properties.map(({ id }: { id: string }) => ({ id }))
    const reply = await post({ extend: { ids: ['00445790', 'SC123456', '99999999'], properties } })
    expectShape(EXTENSION, reply)
    expect(reply.body.meta).toEqual(all.body.properties)
    expect(reply.body.rows['00445790']).toEqual({
      company_number: [{ str: '00445790' }],
      company_name: [{ str: 'MERIDIAN WIDGETS LIMITED' }],
      company_status: [{ str: 'active' }],
      company_type: [{ str: 'ltd' }],
      incorporated_on: [{ date: '2011-03-14T00:00:00Z' }],
      dissolved_on: [],
      postcode: [{ str: 'EC1V 9LH' }],
      address: [{ str: '1 Mill Lane, Ripon, EC1V 9LH' }],
      sic_codes: [{ str: '31090' }, { str: '74100' }],
      accounts_type: [],
      accounts_next_due: [{ date: '2027-01-31T00:00:00Z' }],
      confirmation_next_due: [],
      previous_names: [],
    })
    expect(reply.body.rows.SC123456.previous_names).toEqual([{ str: 'SPARROWHAWK GLIDERS LIMITED' }])
    expect(Object.values(reply.body.rows['99999999']).flat()).toEqual([])
  })

  test('come under the ids that were sent, as few as were asked for; a company that is gone owes no accounts', async () => {
    const properties = [
      { id: 'sic_codes', settings: { limit: '1' } },
      { id: 'accounts_next_due' },
      { id: 'dissolved_on' },
    ]
    const extend = JSON.stringify({ ids: ['31'], properties })
    const { body } = await it.call('GET', `/reconcile?extend=${encodeURIComponent(extend)}`)
    expect(body.rows).toEqual({
      31: { sic_codes: [{ str: '31090' }], accounts_next_due: [], dissolved_on: [{ date: '2019-05-06T00:00:00Z' }] },
    })
  })

  test('that nobody has are refused by name', async () => {
    const { status, body } = await post({ extend: { ids: ['00445790'], properties: [{ id: 'turnover' }] } })
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', 'extend.properties.0.id'])
    expect(body.detail).toContain('accounts_next_due')
    expect((await it.call('GET', '/reconcile/properties?limit=none')).status).toBe(400)
  })
})

describe('what is refused', () => {
  test.each<[what: string, fields: Record<string, unknown>, field: string]>([
    ['queries that are not JSON', { queries: '{"q0":' }, 'queries'],
    ['queries that are a list', { queries: [] }, 'queries'],
    ['a query of nothing', { queries: { q0: { limit: 3 } } }, 'queries.q0'],
    ['a query that is a number', { queries: { q0: { query: 7 } } }, 'queries.q0.query'],
    ['an extension that is not JSON', { extend: 'all' }, 'extend'],
    ['an extension without ids', { extend: { properties: [] } }, 'extend.ids'],
    ['neither', { callback: 'x' }, 'body'],
  ])('%s', async (_what, fields, field) => {
    const { status, body } = await post(fields)
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', field])
  })

  test('queries in an address that are not JSON', async () => {
    const { status, body } = await it.call('GET', '/reconcile?queries=all')
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  test('more queries than the manifest says, by POST and by GET', async () => {
    const queries = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`q${index}`, { query: 'x' }]))
    const many = await post({ queries })
    expect([many.status, many.body.code]).toEqual([413, 'payload_too_large'])
    expect(many.body.detail).toContain('50')
    expect((await it.call('GET', `/reconcile?queries=${encodeURIComponent(JSON.stringify(queries))}`)).status).toBe(413)
    delete queries['q50']
    expect((await post({ queries })).status).toBe(200)
  })

  test('a body that is too large, or of another type', async () => {
    expect((await post({ queries: { q0: { query: 'x'.repeat(66_000) } } })).status).toBe(413)
    const headers = { 'content-type': 'text/plain' }
    expect((await it.call('POST', '/reconcile', { rawBody: 'queries={}', headers })).status).toBe(415)
  })

  test('an address that asks too often, which is told when to come back', async () => {
    const ip = '203.0.113.90'
    // Emptied before each request: a bucket fills again while a busy machine answers.
    const empty = `insert into rate_bucket select unnest($1::text[]), 0, 0, clock_timestamp() + interval '1 minute'
      on conflict (key) do update set tokens = 0, updated_at = excluded.updated_at`
    const asks = [
      () => post({ queries: { q0: { query: 'Meridian Widgets' } } }, ip),
      () => it.call('GET', '/reconcile?queries={}', { ip }),
      () => it.call('GET', '/reconcile/suggest/entity?prefix=m', { ip }),
      () => it.call('GET', '/reconcile/preview?id=00445790', { ip }),
    ]
    const replies: Reply[] = []
    for (const ask of asks) {
      await it.app.db.query(empty, [[`reconcile:${ip}`, `reconcile_glance:${ip}`]])
      replies.push(await ask())
    }
    for (const { status, body, headers } of replies) {
      expect([status, body.code]).toEqual([429, 'rate_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await it.call('GET', '/reconcile', { ip })).status).toBe(200)
  })

  test('more spreadsheets at once than can be matched soon; those that were taken are answered', async () => {
    const [slots, sent] = [36, 44]
    const statuses: number[] = []
    let all: Array<Promise<void>> = []
    await whileNoWorkEnds(it.app, async () => {
      all = Array.from({ length: sent }, async () => {
        const { status } = await post({ queries: { q0: { query: 'Meridian Widgets' } } })
        statuses.push(status)
      })
      await expect.poll(() => statuses).toEqual(Array(sent - slots).fill(503))
      const { status, body, headers } = await it.call('GET', '/reconcile?queries={}')
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'busy', '2'])
    })
    await Promise.all(all)
    expect(statuses.filter((status) => status === 200)).toHaveLength(slots)
  })
})
