/** The tools, as an agent uses them: what they answer, what they cost, and what they say when they cannot answer. */
import type { ProgressNotificationParams } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { PayloadAdapter } from '../src/oauth/payload-adapter.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { ACORN, ago, director } from './setup/acorn.ts'
import { connectAgent } from './setup/agent-walk.ts'
import { ALDER, BRACKEN, publish, SITES, siteOf, whileNoWorkEnds } from './setup/companies.ts'
import { prepare, startTestService, useTestService } from './setup/harness.ts'
import { connect, ERAS, modern, type ToolResult, toToolResult, useAgent } from './setup/mcp-client.ts'

const officers = Array.from({ length: 14 }, (_, index) => director(ACORN.number, String(index)))
const BRIAR = '01234568'
const briar = {
  number: BRIAR,
  name: 'BRIAR LIMITED',
  officers: [
    director(BRIAR, 'goes', { resigned_on: ago(-9) }),
    director(BRIAR, 'went', { resigned_on: ago(0) }),
    director(BRIAR, 'stays'),
  ],
  pscs: [
    { id: 'was', kind: 'super-secure-person-with-significant-control', ceased: true },
    { id: 'is', kind: 'super-secure-person-with-significant-control', ceased: false },
  ].map(({ id, ...psc }) => ({
    ...psc,
    notified_on: '2020-01-02',
    description: 'super-secure-persons-with-significant-control',
    etag: id,
    links: { self: `/company/${BRIAR}/persons-with-significant-control/super-secure/${id}` },
  })),
} satisfies NewCompany
const house = SimulatedCompaniesHouse.fromCompanies([{ ...ACORN, officers }, briar], { imageDelayMs: null })
const it = useTestService({
  companies: [ALDER, BRACKEN],
  sites: SITES,
  house,
})
const account = prepare(async () => {
  const opened = await it.openAccount({ credits: 100 })
  // So many calls in so short a time are more than a free plan has.
  await it.app.db.query(`update account set plan = 'scale' where id = $1`, [opened.id])
  return opened
})
const agent = useAgent(it, () => account.key)
afterEach(() => it.expectBalanced())

const FIND = 'find_company_behind_domain'
const connectAs = ({ key }: { key: string }) => connect(it, { 'x-api-key': key })
/** The second block repeats the structured part for clients that know only text. */
function expectJsonBlock({ content, structured }: ToolResult): void {
  expect(content[1]).toEqual({ type: 'text', text: JSON.stringify(structured) })
}

describe('who is behind a domain', () => {
  test.each(ERAS)('a match comes with its company, its proof and a link to all of it (%s)', async (era) => {
    await using asking = await connect(it, { 'x-api-key': account.key }, era)
    const result = await asking.ask(FIND, { domain: 'https://www.alderfinch.co.uk/shop?x=1' })
    expect(result.structured).toMatchObject({
      status: 'completed',
      input: 'https://www.alderfinch.co.uk/shop',
      domain: 'alderfinch.co.uk',
      outcome: 'matched',
      company: { company_number: ALDER.number, company_name: ALDER.name, company_status: 'active' },
      candidates: [],
      job_id: null,
    })
    expect(result.structured.evidence.length).toBeGreaterThan(0)
    expect(result.structured.evidence.length).toBeLessThanOrEqual(3)
    expect(result.structured.evidence[0].quote).toContain(ALDER.number)
    expect(result.text).toContain(`alderfinch.co.uk is run by ${ALDER.name}, company number ${ALDER.number}`)
    expect(result.text).toContain('Next: get_company')
    expectJsonBlock(result)
    expect(result.content[2]).toMatchObject({ type: 'resource_link', uri: result.structured.evidence_uri })
  })

  test('gives an address at which a person of the account opens the signed document', async () => {
    const person = await it.openAccount({ credits: 2 })
    await using own = await connect(it, { 'x-api-key': person.key })
    const { structured, text } = await own.ask(FIND, { domain: 'alderfinch.co.uk' })
    expect(text).toContain(`Signed document for people, after sign-in: ${structured.document_url}`)
    const { origin, pathname } = new URL(structured.document_url)
    expect(origin).toBe(it.config.siteUrl.origin)
    const headers = { cookie: `session=${person.token}` }
    const shown = await it.visit('GET', pathname, { headers })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await using testing = await connect(it, { 'x-api-key': person.testKey })
    expect((await testing.ask(FIND, { domain: 'matched.test' })).structured.document_url).toBeNull()
  })

  test.each([
    ['alderfinch.co.uk', 'matched', 'matched', 1],
    ['brackenmill.co.uk', 'needs_review', 'needs_review_free', 0],
    ['garden-diary.co.uk', 'no_match', 'no_match_free', 0],
    ['holzwerk.de', 'non_uk_entity', 'non_uk_entity_free', 0],
    ['not-there-at-all.co.uk', 'scrape_failed', 'scrape_failed_free', 0],
  ])('%s is %s and costs what it costs over the REST API', async (domain, outcome, reason, cost) => {
    const [caller, other] = [await it.openAccount(), await it.openAccount()]
    await using asking = await connectAs(caller)
    const result = await asking.ask(FIND, { domain })
    expect([result.structured.outcome, result.structured.charge_reason]).toEqual([outcome, reason])
    expect([result.structured.charged, result.structured.credits_available]).toEqual([cost === 1, 25 - cost])
    expect(result.structured.next_step.length).toBeGreaterThan(0)
    const over = await it.call('POST', '/v1/resolve/domain', { key: other.key, body: { domain } })
    expect([over.body.charged, over.body.charge_reason]).toEqual([result.structured.charged, reason])
    expect(await it.creditsOf(caller)).toEqual(await it.creditsOf(other))
    expect(over.body.resolution_id).toBe(result.structured.resolution_id)
  })

  test('candidates are shown for a person to choose from', async () => {
    const result = await agent.ask(FIND, { domain: 'brackenmill.co.uk' })
    expect(result.structured.candidates[0]).toMatchObject({ company_number: BRACKEN.number })
    expect(result.structured.company).toBeNull()
    expect(result.text).toContain(`- ${BRACKEN.name} (${BRACKEN.number})`)
    expect(result.structured.next_step).toContain('person')
  })

  test('the same question costs nothing the second time, by tool or by request', async () => {
    const caller = await it.openAccount({ credits: 1 })
    await using asking = await connectAs(caller)
    const domain = publish(it.web)
    const first = await asking.ask(FIND, { domain })
    const second = await asking.ask(FIND, { domain })
    const third = await it.call('POST', '/v1/enrich', { key: caller.key, body: { domain } })
    expect([first, second].map(({ structured }) => [structured.charged, structured.charge_reason])).toEqual([
      [true, 'matched'],
      [false, 'already_paid'],
    ])
    expect([third.body.charged, third.body.charge_reason]).toEqual([false, 'already_paid'])
    expect(await it.movesOf(caller)).toEqual(['hold domain_asked', 'capture matched'])
  })

  test('without credits nothing is read, and the agent is told where to look', async () => {
    const poor = await it.openAccount({ credits: 0 })
    await using asking = await connectAs(poor)
    const domain = publish(it.web)
    const result = await asking.ask(FIND, { domain })
    expect(result.isError).toBe(true)
    expect(result.text).toContain('get_account')
    expect(result.text).toContain(it.config.siteUrl.origin)
    await it.settle()
    expect(it.web.stats.byHost.get(domain)).toBeUndefined()
  })

  test.each(['Alderfinch Joinery Ltd', 'ann@gmail.com', '10.0.0.1', 'co.uk'])(
    'what is no domain of a company is refused: %s',
    async (domain) => {
      const result = await agent.ask(FIND, { domain })
      expect([result.isError, result.structured]).toEqual([true, undefined])
      expect(result.text).toContain('search_companies')
    },
  )

  test.each([{}, { domain: '' }, { domain: 7 }, { domain: 'a.co.uk', wait_seconds: 51 }])(
    'arguments that do not fit are told so: %j',
    async (input) => {
      const result = await agent.ask(FIND, input)
      expect(result.isError).toBe(true)
      expect(result.text).toContain('Invalid arguments')
    },
  )
})

describe('a site that takes its time', () => {
  test.each(ERAS)('the client is told every two seconds how it stands, then the answer (%s)', async (era) => {
    await using asking = await connect(it, { 'x-api-key': account.key }, era)
    const domain = publish(it.web)
    const reports: Array<Omit<ProgressNotificationParams, 'progressToken'>> = []
    const onprogress = (report: (typeof reports)[number]) => void reports.push(report)
    const asked = asking.client.callTool({ name: FIND, arguments: { domain } }, { onprogress })
    await whileNoWorkEnds(it.app, async () => {
      await expect.poll(() => reports.length).toBe(3)
    })
    const result = toToolResult(await asked)
    expect(result.structured).toMatchObject({ status: 'completed', outcome: 'matched', charged: true })
    const seconds = reports.map(({ progress }) => progress)
    expect(seconds).toEqual([...new Set(seconds)].toSorted((a, b) => a - b))
    expect(reports[0]?.message).toContain(`Reading ${domain}`)
    expect(reports.map(({ message }) => message).join()).toContain('under way')
  })

  test('when it takes too long a job id is given, and check_job has the answer, for one credit', async () => {
    const caller = await it.openAccount({ credits: 5 })
    await using asking = await connectAs(caller)
    const domain = publish(it.web)
    const pending = await whileNoWorkEnds(it.app, async () => {
      const result = await asking.ask(FIND, { domain, wait_seconds: 1 })
      expect(result.structured).toMatchObject({
        status: 'pending',
        outcome: null,
        charged: false,
        charge_reason: 'pending',
        credits_available: 4,
      })
      expect(result.text).toContain(`check_job with job_id ${result.structured.job_id}`)
      const early = await asking.ask('check_job', { job_id: result.structured.job_id, wait_seconds: 0 })
      expect(early.structured).toMatchObject({ status: 'pending', website_answer: null })
      return result.structured
    })
    const done = await asking.ask('check_job', { job_id: pending.job_id })
    expect(done.structured).toMatchObject({
      status: 'completed',
      job_id: pending.job_id,
      domain_answer: { domain, outcome: 'matched', charged: true, credits_available: 4 },
      website_answer: null,
    })
    expect(done.text).toContain(ALDER.name)
    expect(done.content[2]).toMatchObject({ type: 'resource_link' })
    expect(await it.movesOf(caller)).toEqual(['hold domain_asked', 'capture matched'])
  })

  test('a job is its account’s alone, and looks like none to others', async () => {
    const pending = await whileNoWorkEnds(it.app, () => agent.ask(FIND, { domain: publish(it.web), wait_seconds: 0 }))
    await using stranger = await connectAs(await it.openAccount())
    const theirs = await stranger.ask('check_job', { job_id: pending.structured.job_id })
    const nobodys = await stranger.ask('check_job', { job_id: `job_${'0'.repeat(27)}` })
    expect([theirs.isError, theirs.text]).toEqual([true, nobodys.text])
    expect(theirs.text).toContain('Ask the question again')
  })

  /** Calls of tools that have ended. */
  const finished = () => it.logText().split('"tool.finished"').length

  test('a client that goes away ends the wait; the answer is there when it comes back', async () => {
    const domain = publish(it.web)
    await whileNoWorkEnds(it.app, async () => {
      const going = new AbortController()
      const asked = agent.client.callTool({ name: FIND, arguments: { domain } }, { signal: going.signal })
      await expect.poll(() => it.web.stats.byHost.get(domain) ?? 0).toBeGreaterThan(0)
      const before = finished()
      going.abort()
      await expect(asked).rejects.toThrow()
      await expect.poll(finished).toBe(before + 1)
    })
    await it.settle()
    const back = await agent.ask(FIND, { domain })
    expect(back.structured).toMatchObject({ outcome: 'matched', charge_reason: 'already_paid' })
  })

  test('a service that is stopping gives the job id instead of waiting', async () => {
    const stopping = await startTestService({ work: false })
    const { key } = await stopping.openAccount()
    const { body, headers } = modern('tools/call', { name: FIND, arguments: { domain: 'a-site.co.uk' } })
    const asked = stopping.call('POST', '/mcp', { key, body, headers })
    await expect.poll(() => stopping.app.db.query('select from resolution_job')).toHaveLength(1)
    const startedMs = performance.now()
    await Promise.all([asked, stopping[Symbol.asyncDispose]()])
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect((await asked).body.result.structuredContent).toMatchObject({ status: 'pending' })
  })
})

describe('the web site of a company', () => {
  test('is told when it is verified, for one credit', async () => {
    const company = { number: '09300001', name: 'AMBERWICKQX LANTERNS LIMITED', postcode: 'HG4 1AA' }
    await putCompanies(it.app, [company])
    it.web.setSite('amberwickqxlanterns.co.uk', siteOf(company))
    const [caller, other] = [await it.openAccount(), await it.openAccount()]
    await using asking = await connectAs(caller)
    const result = await asking.ask('find_company_website', { company_number: ' 9300001' })
    expect(result.structured).toMatchObject({
      status: 'completed',
      company_number: company.number,
      outcome: 'verified',
      domain: 'amberwickqxlanterns.co.uk',
      charged: true,
      charge_reason: 'verified',
      credits_available: 24,
    })
    expect(result.structured.evidence[0].quote).toContain(company.number)
    expect(result.text).toContain('amberwickqxlanterns.co.uk, verified in both directions')
    expectJsonBlock(result)
    expect(result.content[2]).toMatchObject({ type: 'resource_link', uri: result.structured.evidence_uri })
    const body = { company_number: company.number }
    const over = await it.call('POST', '/v1/resolve/company', { key: other.key, body })
    expect(over.body.website).toMatchObject({ status: 'verified', charged: true, charge_reason: 'verified' })
    expect(await it.creditsOf(caller)).toEqual(await it.creditsOf(other))
    expect((await asking.ask('find_company_website', body)).structured.charge_reason).toBe('already_paid')
  })

  test('is a job when it takes too long', async () => {
    const company = { number: '09300002', name: 'AMBERWICKQY LANTERNS LIMITED', postcode: 'HG4 1AA' }
    await putCompanies(it.app, [company])
    it.web.setSite('amberwickqylanterns.co.uk', siteOf(company))
    const pending = await whileNoWorkEnds(it.app, () =>
      agent.ask('find_company_website', { company_number: company.number, wait_seconds: 0 }),
    )
    expect(pending.structured).toMatchObject({ status: 'pending', outcome: null })
    const done = await agent.ask('check_job', { job_id: pending.structured.job_id })
    expect(done.structured).toMatchObject({
      status: 'completed',
      domain_answer: null,
      website_answer: { outcome: 'verified', domain: 'amberwickqylanterns.co.uk', charged: true },
    })
  })

  test('that has none is told so, free of charge', async () => {
    const company = { number: '09300003', name: 'AMBERWICKQZ LANTERNS LIMITED', postcode: 'HG4 1AA' }
    await putCompanies(it.app, [company])
    const result = await agent.ask('find_company_website', { company_number: company.number })
    expect(result.structured).toMatchObject({ outcome: 'not_found', domain: null, charged: false })
  })
})

describe('a name is no number', () => {
  test.each(['find_company_website', 'get_company', 'list_company_signals', 'watch_company', 'unwatch_company'])(
    '%s refuses it and names the tool that finds the number',
    async (tool) => {
      for (const name of ['Alderfinch Joinery Limited', 'Tesco', '123456789', 'x'.repeat(150)]) {
        const result = await agent.ask(tool, { company_number: name })
        expect([result.isError, result.structured]).toEqual([true, undefined])
        expect(result.text).toContain('Call search_companies with it as the name')
      }
      const left = await agent.ask(tool, { company_name: 'Tesco' })
      expect([left.isError, left.text]).toEqual([true, expect.stringContaining('search_companies finds it by name')])
    },
  )

  test.each(['find_company_website', 'get_company', 'list_company_signals', 'watch_company'])(
    '%s says so when the register has no such number',
    async (tool) => {
      const result = await agent.ask(tool, { company_number: '09999999' })
      expect([result.isError, result.text]).toEqual([true, expect.stringContaining('search_companies')])
    },
  )
})

describe('searching the register', () => {
  test('finds a number for a name, misspelt', async () => {
    const result = await agent.ask('search_companies', { name: 'alderfinch joinary' })
    expect(result.structured.companies[0]).toMatchObject({ company_number: ALDER.number, company_name: ALDER.name })
    expect(result.text).toContain(`- ${ALDER.name} (${ALDER.number}), active, ${ALDER.postcode}`)
    expectJsonBlock(result)
  })

  test('goes by pages of ten, and misses none', async () => {
    const many = Array.from({ length: 23 }, (_, index) => ({
      number: String(8_800_000 + index).padStart(8, '0'),
      name: `QUERNMOOR ${String.fromCodePoint(65 + index)} LIMITED`,
      postcode: 'ZE3 9JZ',
    }))
    await putCompanies(it.app, many)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => agent.ask('search_companies', { postcode: 'ZE3', page })),
    )
    expect(pages.map(({ structured }) => [structured.companies.length, structured.has_more])).toEqual([
      [10, true],
      [10, true],
      [3, false],
      [0, false],
    ])
    const found = pages.flatMap(({ structured }) =>
      structured.companies.map((one: { company_number: string }) => one.company_number),
    )
    expect(new Set(found)).toEqual(new Set(many.map(({ number }) => number)))
  })

  test.each([
    [{}, 'at least one'],
    [{ name: ' ' }, 'Invalid arguments'],
    [{ incorporated_from: '2020-02-30' }, 'Invalid arguments'],
    [{ incorporated_from: '2021-01-01', incorporated_to: '2020-01-01' }, 'Swap them'],
    [{ name: 'x', page: 101 }, 'Invalid arguments'],
  ])('refuses %j', async (input, words) => {
    const result = await agent.ask('search_companies', input)
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining(words)])
  })

  test('says what to try when nothing fits', async () => {
    const result = await agent.ask('search_companies', { name: 'zzyzx quuxly' })
    expect([result.isError, result.structured.companies]).toEqual([false, []])
    expect(result.text).toContain('Try fewer criteria')
  })
})

test('the register’s word on a company is short: who, where, what is due, and how much more there is', async () => {
  const result = await agent.ask('get_company', { company_number: '1234567' })
  expect(result.structured).toMatchObject({
    company_number: '01234567',
    company_name: 'ACORN LIMITED',
    company_status: 'active',
    registered_address: '1 High Street, Leeds, LS1 4AP',
    previous_names: ['OAK LIMITED'],
    accounts: { type: 'micro-entity', type_text: 'Micro Entity', overdue: true, days_until_due: -1 },
    totals: { officers: 14 },
    missing: [],
  })
  expect(result.structured.officers).toHaveLength(10)
  expect(result.text).toContain('ACORN LIMITED (01234567): active, since 2020-01-02.')
  expect(result.text).toContain('overdue')
  expectJsonBlock(result)
})

test('an agent sees people who are in office and in control today, and none who have left', async () => {
  const { structured, text } = await agent.ask('get_company', { company_number: BRIAR })
  const names = structured.officers.map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual(['OFFICER, goes', 'OFFICER, stays'])
  expect(structured.owners).toMatchObject([
    { name: null, kind: 'super-secure-person-with-significant-control', kind_text: 'Protected individual' },
  ])
  expect(text).toContain('Owners: Protected individual.')
  const page = `https://find-and-update.company-information.service.gov.uk/company/${BRIAR}`
  expect(structured).toMatchObject({ company_type_text: 'Private limited company', register_url: page })
  expect(text).toContain(page)
  expect(structured.totals).toMatchObject({ officers: 3, pscs: 2 })
})

test('an insolvent company and one that was converted are described in words, without codes', async () => {
  const arranged = { number: '07600002', name: 'YARROW LIMITED', postcode: 'HG4 1AA', status: 'voluntary-arrangement' }
  const closed = { number: '07600003', name: 'TANSY LIMITED', postcode: 'HG4 1AA', status: 'converted-closed' }
  await putCompanies(it.app, [arranged, closed])
  const first = await agent.ask('get_company', { company_number: arranged.number })
  expect(first.text).toContain('YARROW LIMITED (07600002): voluntary arrangement')
  expect(first.text).toContain('Insolvency: Voluntary Arrangement.')
  const second = await agent.ask('get_company', { company_number: closed.number })
  expect(second.text).toContain('TANSY LIMITED (07600003): converted / closed')
  for (const { text } of [first, second]) expect(text).not.toMatch(/voluntary-arrangement|converted-closed/)
})

test('what the register cannot give at this moment is said to be missing', async () => {
  const company = { number: '07600001', name: 'WILLOWBANK LIMITED', postcode: 'HG4 1AA' }
  await putCompanies(it.app, [company])
  house.faults.rest.set({ answer503: { next: 1_000 } })
  const result = await agent.ask('get_company', { company_number: company.number })
  house.faults.clear()
  expect(result.structured).toMatchObject({ company_name: company.name, officers: null, owners: null, filings: null })
  expect(result.structured.missing).toEqual(['officers', 'charges', 'insolvency', 'pscs', 'filings'])
  expect(result.text).toContain('Not available now: officers, charges, insolvency, persons with significant control')
})

describe('watching', () => {
  const COMPANIES = ['one', 'two'].map((word, index) => ({
    number: `0770000${index}`,
    name: `HOLLOWAY ${word.toUpperCase()} LIMITED`,
    postcode: 'HG4 1AA',
  }))
  const [ONE, TWO] = COMPANIES as [(typeof COMPANIES)[0], (typeof COMPANIES)[0]]

  test('a company is watched, its changes are told, and it can be dropped', async () => {
    const caller = await it.openAccount()
    await using asking = await connectAs(caller)
    await putCompanies(it.app, COMPANIES)
    expect((await asking.ask('list_watched_signals')).text).toContain('No company is watched yet')
    const watched = await asking.ask('watch_company', { company_number: ONE.number })
    expect(watched.structured).toMatchObject({
      company_number: ONE.number,
      was_watched: false,
      watched: 1,
      watched_max: 25,
    })
    const again = await asking.ask('watch_company', { company_number: ONE.number })
    expect([again.structured.was_watched, again.structured.watched]).toEqual([true, 1])
    await putCompanies(
      it.app,
      COMPANIES.map((company) => ({ ...company, status: 'liquidation' })),
    )
    await recordQueuedChanges(it.app)

    const feed = await asking.ask('list_watched_signals')
    expect(feed.structured.signals).toMatchObject([{ company_number: ONE.number, signal_type: 'status_changed' }])
    expect(feed.text).toContain(ONE.name)
    expectJsonBlock(feed)
    const none = await asking.ask('list_watched_signals', { signal_type: 'psc_changed' })
    expect(none.structured.signals).toEqual([])
    const wrong = await asking.ask('list_watched_signals', { signal_type: 'gossip' })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('insolvency_started')])

    const history = await asking.ask('list_company_signals', { company_number: TWO.number })
    expect(history.structured.signals).toMatchObject([{ company_number: TWO.number, signal_type: 'status_changed' }])

    const dropped = await asking.ask('unwatch_company', { company_number: ONE.number })
    expect(dropped.structured).toEqual({ company_number: ONE.number, watched: false, was_watched: true })
    const twice = await asking.ask('unwatch_company', { company_number: ONE.number })
    expect([twice.isError, twice.structured.was_watched]).toEqual([false, false])
    expect((await asking.ask('list_watched_signals')).structured.signals).toEqual([])
    expect(await it.movesOf(caller)).toEqual([])
  })

  test('a history goes by pages', async () => {
    const company = { number: '07700009', name: 'HOLLOWAY NINE LIMITED', postcode: 'HG4 1AA' }
    for (const status of ['active', 'liquidation', 'active', 'receivership']) {
      await putCompanies(it.app, [{ ...company, status }])
      await recordQueuedChanges(it.app)
    }
    const ask = (input: object) => agent.ask('list_company_signals', { company_number: company.number, ...input })
    const all = (await ask({})).structured.signals
    const first = (await ask({ limit: 2 })).structured
    const rest = (await ask({ limit: 50, cursor: first.next_cursor })).structured
    expect([...first.signals, ...rest.signals]).toEqual(all)
    expect([all.length > 2, rest.next_cursor]).toEqual([true, null])
    expect((await ask({ cursor: 'nonsense' })).isError).toBe(true)
  })

  test('a full list says how to make room', async () => {
    const caller = await it.openAccount()
    await using asking = await connectAs(caller)
    await putCompanies(it.app, COMPANIES)
    const numbers = Array.from({ length: 25 }, (_, index) => String(7_800_000 + index).padStart(8, '0'))
    await putCompanies(
      it.app,
      numbers.map((number) => ({ number, name: `FILLER ${number} LIMITED`, postcode: 'HG4 1AA' })),
    )
    await it.call('POST', '/v1/watchlist/bulk', { key: caller.key, body: { company_numbers: numbers } })
    const result = await asking.ask('watch_company', { company_number: ONE.number })
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining('unwatch_company makes room')])
  })
})

describe('with a test key', () => {
  const testing = useAgent(it, () => account.testKey)

  test.each([
    ['matched.test', 'matched'],
    ['needs-review.test', 'needs_review'],
    ['no-match.test', 'no_match'],
    ['non-uk.test', 'non_uk_entity'],
    ['scrape-failed.test', 'scrape_failed'],
  ])('%s is %s, the same as over the REST API', async (domain, outcome) => {
    const result = await testing.ask(FIND, { domain })
    const over = await it.call('POST', '/v1/resolve/domain', { key: account.testKey, body: { domain } })
    expect([result.structured.outcome, result.structured.charge_reason]).toEqual([outcome, 'test_mode'])
    expect([over.body.outcome, over.body.resolution_id]).toEqual([outcome, result.structured.resolution_id])
    expect(result.structured.company?.company_number).toBe(over.body.company?.company_number)
    const { contents } = await testing.client.readResource({ uri: result.structured.evidence_uri })
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining(domain) })
  })

  test.each([
    [FIND, { domain: 'slow.test' }, 'domain_answer', 'matched'],
    ['find_company_website', { company_number: 'TS000004' }, 'website_answer', 'verified'],
  ])('%s %j is a job that is done after five seconds', async (tool, input, member, outcome) => {
    const pending = await testing.ask(tool, input)
    expect(pending.structured).toMatchObject({ status: 'pending', charge_reason: 'test_mode' })
    const { job_id } = pending.structured
    expect((await testing.ask('check_job', { job_id })).structured.status).toBe('pending')
    it.clock.advance(6)
    const done = await testing.ask('check_job', { job_id })
    expect(done.structured).toMatchObject({ status: 'completed', [member]: { outcome, charged: false } })
  })

  test.each([
    [FIND, { domain: 'failed.test' }, 'Ask the same question again'],
    [FIND, { domain: 'no-credits.test' }, 'get_account'],
    [FIND, { domain: 'rate-limited.test' }, 'Wait 2 s'],
    [FIND, { domain: 'alderfinch.co.uk' }, 'matched.test'],
    ['find_company_website', { company_number: 'TS000005' }, 'Ask the same question again'],
    ['find_company_website', { company_number: 'TS000006' }, 'get_account'],
    ['find_company_website', { company_number: ALDER.number }, 'TS000001'],
    ['watch_company', { company_number: ALDER.number }, 'TS000001'],
  ])('%s %j is a failure that says what to do', async (tool, input, words) => {
    const result = await testing.ask(tool, input)
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining(words)])
  })

  test('a failed job is told as one', async () => {
    const queued = await it.call('POST', '/v1/enrich', { key: account.testKey, body: { domain: 'failed.test' } })
    const result = await testing.ask('check_job', { job_id: queued.body.job_id })
    expect([result.isError, result.text]).toEqual([true, expect.stringContaining('always fails')])
  })

  test('the account says that nothing is spent, and nothing is', async () => {
    const before = await it.movesOf(account)
    const result = await testing.ask('get_account')
    expect([result.structured.mode, result.text]).toEqual(['test', expect.stringContaining('nothing is spent')])
    expect((await testing.ask('find_company_website', { company_number: 'TS000001' })).structured).toMatchObject({
      outcome: 'verified',
      domain: 'matched.test',
      charge_reason: 'test_mode',
    })
    expect(await it.movesOf(account)).toEqual(before)
  })

  test('watches test companies', async () => {
    expect((await testing.ask('watch_company', { company_number: 'TS000001' })).structured.was_watched).toBe(false)
    await it.call('POST', '/v1/test/signals', { key: account.testKey, body: {} })
    expect((await testing.ask('list_watched_signals')).structured.signals).toHaveLength(1)
    expect((await agent.ask('list_watched_signals')).structured.signals).toEqual([])
  })
})

describe('the evidence pack', () => {
  test.each(ERAS)('is a text to read, with the words, their pages and the weights (%s)', async (era) => {
    await using reading = await connect(it, { 'x-api-key': account.key }, era)
    const result = await reading.ask(FIND, { domain: 'alderfinch.co.uk' })
    const { resourceTemplates } = await reading.client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'nameplate://resolutions/{id}/evidence' }])
    const { contents } = await reading.client.readResource({ uri: result.structured.evidence_uri })
    const text = contents[0] && 'text' in contents[0] ? contents[0].text : ''
    expect(text).toContain('# Who runs alderfinch.co.uk?')
    expect(text).toContain(`**The site is run by ${ALDER.name}, company number ${ALDER.number}.**`)
    expect(text).toMatch(/^> “.*Company number 07214938/m)
    expect(text).toMatch(/SHA-256 [0-9a-f]{64}/)
    expect(text).toContain('## How it was weighed')
    expect(text).toContain('## Pages read')
    const [act] = await it.app.db.query(
      `select action, details, actor_kind, actor_id, request_id, ip from audit_event
       where account_id = $1 order by seq desc limit 1`,
      [account.id],
    )
    const [key] = await it.app.db.query<{ id: string }>(
      `select id from api_key where account_id = $1 and mode = 'live'`,
      [account.id],
    )
    expect(act).toMatchObject({
      action: 'evidence_exported',
      details: { format: 'markdown' },
      actor_kind: 'api_key',
      actor_id: key?.id,
      request_id: expect.stringMatching(/^req_/),
      ip: null,
    })
  })
})

describe('a program that the account has let in', () => {
  test('spends the account’s credits up to its daily cap, and can ask how much is left', async () => {
    const person = await it.openAccount()
    const { tokens } = await connectAgent(it, person, { cap: '1' })
    await using asking = await connect(it, { authorization: `Bearer ${tokens.access_token}` })
    const before = await asking.ask('get_account')
    expect(before.structured.connection).toEqual({
      client_name: 'Test Agent',
      daily_credit_cap: 1,
      credits_left_today: 1,
    })
    const found = await asking.ask(FIND, { domain: publish(it.web) })
    expect(found.structured).toMatchObject({ outcome: 'matched', charged: true, credits_available: 24 })
    const result = await asking.ask(FIND, { domain: publish(it.web) })
    expect([result.isError, result.text]).toEqual([true, expect.stringMatching(/may spend 1 credits? a day/)])
    expect(result.text).toContain('get_account')
    const website = await asking.ask('find_company_website', { company_number: BRACKEN.number })
    expect(website.isError).toBe(true)
    expect((await asking.ask('get_account')).structured.connection.credits_left_today).toBe(0)
    // The account's own key has no cap.
    await using own = await connectAs(person)
    expect((await own.ask(FIND, { domain: publish(it.web) })).structured.charged).toBe(true)
    expect((await own.ask('get_account')).structured.connection).toBeNull()
  })

  test('without the scope is told which one it needs', async () => {
    const { tokens } = await connectAgent(it, await it.openAccount())
    const adapter = new PayloadAdapter(it.app, 'AccessToken')
    const payload = await adapter.find(tokens.access_token)
    await adapter.upsert(tokens.access_token, { ...payload, scope: 'offline_access' }, 900)
    const reply = await it.call('POST', '/mcp', { token: tokens.access_token, ...modern('tools/list') })
    expect([reply.status, reply.body.error.data.code]).toEqual([403, 'insufficient_scope'])
    expect(reply.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", .*resource_metadata="[^"]+\/mcp", scope="service:mcp"$/,
    )
  })

  test('is out when its token has ended', async () => {
    const { tokens } = await connectAgent(it, await it.openAccount())
    const reach = () => it.call('POST', '/mcp', { token: tokens.access_token, ...modern('tools/list') })
    expect((await reach()).status).toBe(200)
    it.clock.advance(901)
    expect((await reach()).status).toBe(401)
  })
})

test('our own mistake is told without its cause, with an id to name', async () => {
  await it.app.db.query('alter table watched_signal rename to watched_signal_away')
  const result = await agent.ask('list_watched_signals')
  await it.app.db.query('alter table watched_signal_away rename to watched_signal')
  const [, id] = /recorded as (req_\w+)/.exec(result.text) ?? []
  expect([result.isError, id]).toEqual([true, expect.any(String)])
  expect(result.text).not.toContain('watched_signal')
  const line = it
    .logText()
    .split('\n')
    .find((one) => one.includes('"tool.failed"') && one.includes(id ?? 'none'))
  expect(line).toContain('watched_signal')
})
