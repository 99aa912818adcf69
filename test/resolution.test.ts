/** The company behind a domain, over the API: every answer of the three endpoints that take one, and of their jobs. */
import { describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import {
  ALDER,
  BRACKEN,
  publish,
  siteNaming,
  siteOf,
  siteOfGermans,
  siteWithoutCompany,
  whileNoWorkEnds,
} from './setup/companies.ts'
import { type CallOptions, DAY_SECONDS, prepare, type Reply, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({
  companies: [ALDER, BRACKEN],
  sites: { 'alderfinch.co.uk': siteOf(ALDER), 'brackenmill.co.uk': siteNaming(BRACKEN) },
})
const account = prepare(() => it.openAccount({ credits: 1_000 }))

const FLAT = 'status input_domain domain charged charge_reason result'
const RESULT = `match_status company_name company_number company_status registered_postcode incorporated_on
  match_confidence accounts_type accounts_next_due accounts_overdue accounts_days_until_due confirmation_next_due
  confirmation_overdue confirmation_days_until_due has_insolvency_history current_insolvency_status has_active_charges
  last_charge_date days_since_last_charge recent_director_resignation last_director_change_date
  days_since_last_director_change recent_resignations review_candidates`
const MEMBERS = {
  '/v1/enrich': `${FLAT} company evidence explanation signals resolved_at as_of expires_at`,
  '/v1/resolve/domain': `status input_domain domain outcome confidence company evidence explanation candidates actions
    resolved_at expires_at charged charge_reason resolution_id reason`,
  '/v1/partner/enrich-company': FLAT,
}
const containing = (names: string) => expect.arrayContaining(names.split(/\s+/))

function ask(domain: unknown, options: CallOptions & { path?: string; maxAgeDays?: unknown } = {}): Promise<Reply> {
  const { path = '/v1/partner/enrich-company', maxAgeDays, ...call } = options
  const body = { domain, ...(maxAgeDays === undefined ? {} : { max_age_days: maxAgeDays }) }
  return it.call('POST', path, { key: account.key, body, ...call })
}
const read = (url: string) => it.call('GET', url, { key: account.key })
const outcomeOf = ({ body }: Reply) => body.outcome ?? body.result?.match_status

describe.each(Object.keys(MEMBERS))('POST %s', (path) => {
  test('queues what is not known, says where to ask, and answers there and here once it is', async () => {
    const domain = publish(it.web)
    const { queued, statusUrl } = await whileNoWorkEnds(it.app, async () => {
      const queued = await ask(domain, { path })
      const statusUrl = `${path.includes('partner') ? path : '/v1/enrich/status'}/${queued.body.job_id}`
      const seen = await read(statusUrl)
      expect([queued.status, seen.status]).toEqual([202, 200])
      for (const reply of [queued, seen]) {
        expect([reply.headers.get('retry-after'), reply.headers.get('location')]).toEqual(['2', statusUrl])
        expect(reply.body).toEqual({
          status: expect.stringMatching(/^(pending|processing)$/),
          input_domain: domain,
          domain,
          job_id: expect.stringMatching(/^job_[0-9A-Za-z]{27}$/),
          charged: false,
          charge_reason: 'pending',
          status_url: statusUrl,
          error_message: null,
          progress: expect.objectContaining({ step: expect.stringMatching(/^(queued|reading|deciding)$/) }),
        })
      }
      expect(queued.headers.get('credits-spent')).toBe('0')
      return { queued, statusUrl }
    })

    await expect.poll(async () => (await read(statusUrl)).body.status).toBe('completed')
    const { body } = await read(statusUrl)
    expect(body).toMatchObject({ input_domain: domain, charged: true, charge_reason: 'matched' })
    expect(body.result).toMatchObject({ match_status: 'matched', company_number: ALDER.number, review_candidates: [] })

    const again = await ask(domain, { path })
    expect([again.status, outcomeOf(again), again.body.charge_reason]).toEqual([200, 'matched', 'already_paid'])
    const remaining = Number(queued.headers.get('credits-remaining'))
    expect([again.headers.get('credits-spent'), again.headers.get('credits-remaining')]).toEqual(['0', `${remaining}`])
  })

  test('answers in one request when asked to wait, or says so when that is not long enough', async () => {
    const waited = await ask(publish(it.web), { path, headers: { prefer: 'respond-async, wait=30' } })
    expect([waited.status, outcomeOf(waited), waited.body.charged]).toEqual([200, 'matched', true])
    expect(waited.headers.get('credits-spent')).toBe('1')

    const slow = publish(it.web)
    const startedAt = Date.now()
    const late = await whileNoWorkEnds(it.app, () => ask(slow, { path, headers: { prefer: 'wait=1' } }))
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990)
    expect([late.status, late.headers.get('retry-after')]).toEqual([202, '2'])
    expect([late.headers.get('credits-spent'), late.body.charge_reason]).toEqual(['0', 'pending'])
    const joined = await ask(slow, { path, headers: WAIT })
    expect([joined.status, outcomeOf(joined)]).toEqual([200, 'matched'])
  })

  test('a wait of 60 seconds is shortened to 55 and one that cannot be read is ignored, neither is refused', async () => {
    const domain = publish(it.web)
    await ask(domain, { path, headers: WAIT })
    for (const [prefer, applied] of [
      ['wait=0', 'wait=0'],
      ['wait=55', 'wait=55'],
      ['wait=60', 'wait=55'],
      ['respond-async, wait=99999999999999999999', 'wait=55'],
      ['wait=soon', null],
      ['wait=1.5', null],
      ['wait=-3', null],
      ['wait=', null],
    ] as const) {
      const { status, headers } = await ask(domain, { path, headers: { prefer } })
      expect([prefer, status, headers.get('preference-applied')]).toEqual([prefer, 200, applied])
    }
  })

  test.each([
    ['192.0.2.7', /IP address/],
    ['https://[2001:db8::1]/', /IP address|not a domain/],
    ['co.uk', /a public suffix/],
    ['sales@gmail.com', /is a free e-mail provider/],
    ['https://www.facebook.com/alderfinch', /social network/],
    ['localhost', /reserved name/],
    ['foo.onion', /reserved name/],
    ['bit.ly/3xYz', /link shortener/],
    ['alderfinch', /not a public domain name/],
    ['matched.test', /not a public domain name/],
    ['exa mple.co.uk', /not a domain name/],
    ['   ', /missing/],
  ])('refuses %s and says why', async (domain, why) => {
    const refused = await ask(domain, { path })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_domain'])
    expect(refused.body.detail).toMatch(why)
    expect(refused.body.errors).toEqual([{ field: 'domain', message: refused.body.detail }])
  })

  test('refuses members of a wrong type, and says which', async () => {
    for (const domain of [undefined, 7, null, ['a.co.uk'], '', 'a'.repeat(2_049)]) {
      const { status, body } = await ask(domain, { path })
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', 'domain'])
    }
    for (const maxAgeDays of [-1, 31, 1.5, '7', null]) {
      const { status, body } = await ask('alderfinch.co.uk', { path, maxAgeDays })
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_request', 'max_age_days'])
    }
  })
})

test('whatever is pasted is one and the same domain, read and paid for once', async () => {
  const first = await ask('alderfinch.co.uk', { headers: WAIT })
  expect(first.body.charged).toBe(true)
  const requests = it.web.stats.byHost.get('alderfinch.co.uk')
  for (const [pasted, shown] of [
    ['https://WWW.Alderfinch.co.uk/a?b=1#c', 'https://WWW.Alderfinch.co.uk/a'],
    [' Sales@alderfinch.CO.UK ', 'Sales@alderfinch.CO.UK'],
    ['shop.alderfinch.co.uk.', 'shop.alderfinch.co.uk.'],
  ]) {
    const { status, body } = await ask(pasted)
    expect([status, body.input_domain, body.charge_reason]).toEqual([200, shown, 'already_paid'])
  }
  expect(it.web.stats.byHost.get('alderfinch.co.uk')).toBe(requests)
})

test('an answer has all members of the contract, whether there is a company or not', async () => {
  for (const domain of [publish(it.web), publish(it.web, siteWithoutCompany())]) {
    for (const [path, members] of Object.entries(MEMBERS)) {
      const { body } = await ask(domain, { path, headers: WAIT })
      expect([path, Object.keys(body)]).toEqual([path, containing(members)])
      if (path !== '/v1/resolve/domain') expect(Object.keys(body.result)).toEqual(containing(RESULT))
    }
  }
})

test('an enrichment has the flat answer, the profile, the proof, its weights and its dates', async () => {
  const { body } = await ask('alderfinch.co.uk', { path: '/v1/enrich', headers: WAIT })
  expect(body.result).toEqual((await ask('alderfinch.co.uk')).body.result)
  expect(body.company).toMatchObject({ company_number: ALDER.number, registered_address: { town: 'Ripon' } })
  expect(body.evidence[0]).toMatchObject({
    supports: ALDER.number,
    strength: 'decisive',
    url: expect.stringMatching(/^https:\/\/alderfinch\.co\.uk\//),
    content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(body.evidence[0].quote).toContain(`Company number ${ALDER.number}`)
  const { prior, features, total } = body.explanation
  const sum = features.reduce((bits: number, { weight }: { weight: number }) => bits + weight, prior)
  expect(total).toBeCloseTo(sum)
  expect(body).toMatchObject({ signals: [], as_of: toLondonDate(it.clock.now()) })
  expect(Date.parse(body.expires_at) - Date.parse(body.resolved_at)).toBe(30 * DAY_SECONDS * 1_000)
})

test('a resolution has the outcome with its reason, the proof, the candidates and what can be done next', async () => {
  const { body } = await ask('alderfinch.co.uk', { path: '/v1/resolve/domain', headers: WAIT })
  expect(body).toMatchObject({
    status: 'completed',
    domain: 'alderfinch.co.uk',
    outcome: 'matched',
    company: { company_number: ALDER.number, company_name: ALDER.name, registered_postcode: ALDER.postcode },
    candidates: [{ company_number: ALDER.number }],
  })
  expect(body.confidence).toBeGreaterThan(0.9)
  expect(body.reason).toContain(ALDER.number)
  expect(body.actions.map(({ action }: { action: string }) => action)).toEqual([
    'file',
    'profile',
    'signals',
    'dispute',
  ])

  const none = await ask(publish(it.web, siteWithoutCompany()), { path: '/v1/resolve/domain', headers: WAIT })
  expect(none.body).toMatchObject({ outcome: 'no_match', company: null, confidence: null, candidates: [] })
  expect(none.body.actions.map(({ action }: { action: string }) => action)).toEqual(['file'])
})

test('what is known is served for as long as its outcome lasts, then the site is read again', async () => {
  const lives: Array<[string, string, number]> = [
    [publish(it.web, { https: 'refused', http: 'refused' }), 'scrape_failed', 1],
    [publish(it.web, siteNaming(BRACKEN)), 'needs_review', 7],
    [publish(it.web, siteWithoutCompany()), 'no_match', 7],
    [publish(it.web, siteOfGermans('Holzwerk')), 'non_uk_entity', 7],
    [publish(it.web), 'matched', 30],
  ]
  const found = await Promise.all(lives.map(([domain]) => ask(domain, { headers: WAIT })))
  expect(found.map(outcomeOf)).toEqual(lives.map(([, outcome]) => outcome))
  let passedSeconds = 0
  const passTo = async (seconds: number) => {
    await it.settle()
    it.clock.advance(seconds - passedSeconds)
    passedSeconds = seconds
  }
  for (const days of [1, 7, 30]) {
    const ending = lives.filter(([, , life]) => life === days).map(([domain]) => domain)
    await passTo(days * DAY_SECONDS - 120)
    for (const domain of ending) expect([domain, (await ask(domain)).status]).toEqual([domain, 200])
    await passTo(days * DAY_SECONDS + 120)
    for (const domain of ending) {
      // Gone meanwhile, so that reading it again takes no time.
      it.web.setSite(domain, null)
      expect([domain, (await ask(domain)).status]).toEqual([domain, 202])
    }
  }
})

test('a caller may ask for something fresher', async () => {
  const domain = publish(it.web)
  await ask(domain, { headers: WAIT })
  it.clock.advance(2 * DAY_SECONDS)
  expect((await ask(domain, { maxAgeDays: 3 })).status).toBe(200)
  const requests = it.web.stats.byHost.get(domain) ?? 0
  const fresh = await ask(domain, { path: '/v1/resolve/domain', maxAgeDays: 1, headers: WAIT })
  expect([fresh.status, fresh.body.charge_reason]).toEqual([200, 'already_paid'])
  expect(Date.parse(fresh.body.resolved_at)).toBeGreaterThan(it.clock.now().getTime() - 60_000)
  expect(it.web.stats.byHost.get(domain)).toBeGreaterThan(requests)
  expect((await ask(domain, { maxAgeDays: 1 })).status).toBe(200)
  it.clock.advance(15 * 60 + 1)
  expect((await ask(domain, { maxAgeDays: 0 })).status).toBe(202)
})

test('asking for the freshest answer again and again reads a stranger’s site once in 15 minutes, for everybody together', async () => {
  const domain = publish(it.web)
  const first = await ask(domain, { path: '/v1/resolve/domain', headers: WAIT, maxAgeDays: 0 })
  const requests = it.web.stats.byHost.get(domain)
  const other = await it.openAccount()
  for (let round = 0; round < 5; round += 1) {
    for (const { key } of [account, other]) {
      const again = await ask(domain, { path: '/v1/resolve/domain', maxAgeDays: 0, key })
      expect([again.status, again.body.resolved_at]).toEqual([200, first.body.resolved_at])
    }
    it.clock.advance(170)
  }
  expect(it.web.stats.byHost.get(domain)).toBe(requests)
  it.clock.advance(60)
  expect((await ask(domain, { maxAgeDays: 0 })).status).toBe(202)
})

test('facts are those of the day they are read: accounts fall overdue without the site being read again', async () => {
  const domain = publish(it.web)
  const due = addDaysToDate(toLondonDate(it.clock.now()), 5)
  await putCompanies(it.app, [{ ...ALDER, accountsNextDue: due }])
  const before = await ask(domain, { headers: WAIT })
  expect(before.body.result).toMatchObject({ accounts_overdue: false, accounts_days_until_due: 5 })
  const requests = it.web.stats.byHost.get(domain)
  it.clock.advance(6 * DAY_SECONDS)
  const after = await ask(domain)
  expect(after.body.result).toMatchObject({
    accounts_next_due: due,
    accounts_overdue: true,
    accounts_days_until_due: -1,
  })
  expect(it.web.stats.byHost.get(domain)).toBe(requests)
})

test('a person who must decide gets the candidates with their confidence, reasons and status of today', async () => {
  const domain = 'brackenmill.co.uk'
  const [first, second] = [await ask(domain, { headers: WAIT }), await ask(domain)]
  const { result } = first.body
  expect(result).toMatchObject({ match_status: 'needs_review', company_number: null, accounts_overdue: null })
  expect(result.review_candidates).toEqual([
    {
      company_number: BRACKEN.number,
      company_name: BRACKEN.name,
      company_status: 'active',
      company_status_detail: null,
      company_status_text: 'Active',
      registered_postcode: BRACKEN.postcode,
      confidence: result.match_confidence,
      reasons: [
        'The site prints the registered name, but neither the number nor the office.',
        'No sentence around the details says who runs the site.',
        'The registered name is what the site calls itself.',
      ],
      reasons_against: ['No sentence around the details says who runs the site.'],
    },
  ])
  expect(second.body.result).toEqual(result)
  await putCompanies(it.app, [{ ...BRACKEN, status: 'liquidation' }])
  const later = await ask(domain)
  expect(later.body.result.review_candidates[0].company_status).toBe('liquidation')
})

test('what has changed at the matched company since is told with the answer', async () => {
  const [domain, options] = [publish(it.web, siteOf(BRACKEN)), { path: '/v1/enrich', headers: WAIT }]
  await putCompanies(it.app, [{ ...BRACKEN, status: 'active' }])
  await recordQueuedChanges(it.app)
  const signalsBefore = (await ask(domain, options)).body.signals.length
  await putCompanies(it.app, [{ ...BRACKEN, status: 'liquidation' }])
  await recordQueuedChanges(it.app)
  const { body } = await ask(domain, options)
  expect([body.signals.length, body.signals[0].signal_type]).toEqual([signalsBefore + 1, 'status_changed'])
  expect([body.company.company_status, body.result.company_status]).toEqual(['liquidation', 'liquidation'])
})

test('a site that has come back with a company is told anew once the old answer is too old', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  it.web.setSite(domain, { http: 'refused', https: 'refused' })
  expect(outcomeOf(await ask(domain, { headers: WAIT }))).toBe('scrape_failed')
  it.web.setSite(domain, siteOf(ALDER))
  expect(outcomeOf(await ask(domain, { headers: WAIT }))).toBe('scrape_failed')
  it.clock.advance(15 * 60 + 1)
  const fresh = await ask(domain, { headers: WAIT, maxAgeDays: 0 })
  expect([outcomeOf(fresh), fresh.body.charged]).toEqual(['matched', true])
})

test('the site of a customer of a platform is read, not the platform; and the bare domain of a platform like any other', async () => {
  it.web.setSite('alderfinch.blogspot.co.uk', siteOf(ALDER))
  it.web.setSite('bit.ly', siteOf(BRACKEN))
  const customer = await ask('https://alderfinch.blogspot.co.uk/2026/about', { headers: WAIT })
  expect(customer.body).toMatchObject({
    input_domain: 'https://alderfinch.blogspot.co.uk/2026/about',
    domain: 'alderfinch.blogspot.co.uk',
  })
  expect(it.web.stats.byHost.get('alderfinch.blogspot.co.uk')).toBeGreaterThan(0)
  expect(it.web.stats.byHost.get('blogspot.co.uk')).toBeUndefined()
  const platform = await ask('bit.ly', { headers: WAIT })
  expect([platform.status, platform.body.domain]).toEqual([200, 'bit.ly'])
})
