/** Many domains at once: every row is accounted for, costs what a single question would, and survives what may happen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { afterEach, describe, expect, test } from 'vitest'
import { feedBulkJob, sweepBulkJob } from '../src/bulk/index.ts'
import { findUnbalancedAccounts, grantCredits } from '../src/credits/index.ts'
import { addSeconds } from '../src/lib/clock.ts'
import { askForDomain, sweepResolutionsJob } from '../src/resolution/index.ts'
import { scrubAddress } from '../src/resolver/index.ts'
import {
  ALDER,
  BRACKEN,
  publish,
  SITES,
  siteNaming,
  siteOf,
  siteOfGermans,
  siteWithoutCompany,
  whileNoWorkEnds,
  whileRegisterIsBroken,
} from './setup/companies.ts'
import {
  type CallOptions,
  DAY_SECONDS,
  type Reply,
  startTestService,
  startWorkerOf,
  type TestKeys,
  useTestService,
} from './setup/harness.ts'
import { reviewCalls } from './setup/reviews.ts'

/** A cell that needs its quotes. */
const TRICKY = { number: '09112233', name: 'WREN, "FINCH" & SONS LIMITED', postcode: 'HG4 1AB' }

const it = useTestService({
  companies: [ALDER, BRACKEN, TRICKY],
  sites: {
    ...SITES,
    'wrenfinchandsons.co.uk': siteOf(TRICKY),
  },
})

afterEach(expectBooksToBeRight)

async function expectBooksToBeRight(): Promise<void> {
  await it.expectBalanced()
  const held = `select from bulk_row join resolution_job as job on job.id = job_id
    join credit_hold as hold on hold.id = job.hold_id where hold.state = 'held' and bulk_row.state <> 'running'`
  expect(await it.app.db.query(held)).toEqual([])
}

function send({ key }: TestKeys, domains: string[], options: CallOptions & { query?: string } = {}): Promise<Reply> {
  const { query = '', ...call } = options
  return it.call('POST', `/v1/bulk${query}`, { key, body: { domains }, ...call })
}
const sendCsv = (account: TestKeys, rawBody: string, query = '') =>
  it.call('POST', `/v1/bulk${query}`, { key: account.key, rawBody, headers: { 'content-type': 'text/csv' } })
const read = async ({ key }: TestKeys, id: string) => (await it.call('GET', `/v1/bulk/${id}`, { key })).body
const act = ({ key }: TestKeys, id: string, action: 'cancel' | 'resume') =>
  it.call('POST', `/v1/bulk/${id}/${action}`, { key })

async function linesOf({ key }: TestKeys, id: string): Promise<Line[]> {
  const { text } = await it.call('GET', `/v1/bulk/${id}/results`, { key })
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Line)
}
type Line = Record<string, string | number | boolean | null> & { row: number; status: string; charged: boolean }

function sumOf({ total, ...counts }: Record<string, number>): { total: number | undefined; sum: number } {
  return { total, sum: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}
function expectToAddUp(counts: Record<string, number>): void {
  const { total, sum } = sumOf(counts)
  expect(sum, JSON.stringify(counts)).toBe(total)
}

const capturesOf = async ({ id }: TestKeys) =>
  (
    await it.app.db.query(
      `select from ledger_entry where account_id = $1 and kind = 'capture' and reference like 'job\\_%'`,
      [id],
    )
  ).length

async function give({ id: accountId }: TestKeys, amountCredits: number): Promise<void> {
  const gift = {
    accountId,
    amountCredits,
    reason: 'operator' as const,
    reference: `gift-${Math.random()}`,
    at: it.clock.now(),
  }
  await it.app.db.transaction((tx) => grantCredits(tx, gift))
}

const KINDS = [siteOf(ALDER), siteNaming(BRACKEN), siteWithoutCompany(), siteOfGermans('Holzwerk')]
const publishMany = (count: number) =>
  Array.from({ length: count }, (_, index) => publish(it.web, KINDS[index % KINDS.length]))

const MIXED = [
  'https://www.AlderFinch.co.uk/about',
  'brackenmill.co.uk',
  'not a domain',
  'someone@gmail.com',
  'info@alderfinch.co.uk',
  'garden-diary.co.uk',
  'holzwerk.de',
  'not-there-at-all.co.uk',
  'facebook.com/alderfinch',
]

test('a preflight says what a list would come to, and nothing is begun', async () => {
  const account = await it.openAccount({ credits: 2 })
  const before = await send(account, MIXED, { query: '?preflight=true' })
  expect([before.status, before.body]).toEqual([
    200,
    {
      rows: 9,
      unique_domains: 5,
      numbers: 0,
      names: 0,
      empty: 0,
      duplicates: 1,
      invalid: 2,
      free_mail: 1,
      already_known: 0,
      already_paid: 0,
      credits_max: 5,
      credits_available: 2,
      enough_credits: false,
      examples: {
        invalid: [
          { row: 3, input: 'not a domain', message: expect.stringContaining('not a domain') },
          { row: 9, input: 'facebook.com/alderfinch', message: expect.stringContaining('social network') },
        ],
        free_mail: [{ row: 4, input: 'someone@gmail.com', message: expect.stringContaining('free e-mail provider') }],
      },
    },
  ])
  expect((await it.call('GET', '/v1/bulk', { key: account.key })).body.data).toEqual([])
  expect(await it.creditsOf(account)).toEqual({ balance: 2, held: 0, available: 2 })

  const paid = publish(it.web)
  const wait = { prefer: 'wait=30' }
  await it.call('POST', '/v1/enrich', { key: account.key, body: { domain: paid }, headers: wait })
  const free = publish(it.web, siteWithoutCompany())
  await it.call('POST', '/v1/enrich', { key: account.key, body: { domain: free }, headers: wait })
  const after = await send(account, [paid, free, publish(it.web)], { query: '?preflight=true' })
  expect(after.body).toMatchObject({ unique_domains: 3, already_known: 2, already_paid: 1, credits_max: 1 })
  expect(after.body).toMatchObject({ credits_available: 1, enough_credits: true })
})

test('every row sent has its line, in that order, and a match is all that costs', async () => {
  const account = await it.openAccount({ credits: 10 })
  const sent = await send(account, MIXED, { body: { domains: MIXED, name: 'Leads of May' } })
  expect([sent.status, sent.headers.get('location')]).toEqual([202, `/v1/bulk/${sent.body.id}`])
  expect(sent.body).toMatchObject({ name: 'Leads of May', status: 'running', credits_max: 5, finished_at: null })
  expect(sent.body.counts).toMatchObject({ total: 9, waiting: 5, invalid: 3, duplicate: 1 })
  expect(sent.body.id).toMatch(/^blk_/)
  await it.settle()

  const done = await read(account, sent.body.id)
  expect(done).toMatchObject({ status: 'completed', credits_spent: 1, eta_seconds: null, paused_reason: null })
  expect(done.finished_at).not.toBeNull()
  expect(done.counts).toEqual({
    total: 9,
    waiting: 0,
    running: 0,
    matched: 1,
    needs_review: 1,
    no_match: 1,
    non_uk_entity: 1,
    scrape_failed: 1,
    failed: 0,
    invalid: 3,
    duplicate: 1,
    cancelled: 0,
  })
  const lines = await linesOf(account, sent.body.id)
  expect(lines.map(({ row, input }) => [row, input])).toEqual(MIXED.map((input, index) => [index + 1, input]))
  expect(lines.map(({ status, outcome }) => outcome ?? status)).toEqual([
    'matched',
    'needs_review',
    'invalid',
    'invalid',
    'duplicate',
    'no_match',
    'non_uk_entity',
    'scrape_failed',
    'invalid',
  ])
  expect(lines[0]).toMatchObject({
    domain: 'alderfinch.co.uk',
    status: 'completed',
    company_number: ALDER.number,
    company_name: ALDER.name,
    company_status: 'active',
    registered_postcode: ALDER.postcode,
    duplicate_of: null,
    charged: true,
    charge_reason: 'matched',
  })
  expect(lines[1]).toMatchObject({ company_number: null, charged: false, charge_reason: 'needs_review_free' })
  expect(lines[4]).toMatchObject({ duplicate_of: 1, reason: 'The same domain as row 1.', charge_reason: null })
  const evidence = new URL(String(lines[0]?.['evidence_url']))
  expect((await it.call('GET', evidence.pathname, { key: account.key })).body.domain).toBe('alderfinch.co.uk')
  expect([await it.creditsOf(account), await capturesOf(account)]).toEqual([{ balance: 9, held: 0, available: 9 }, 1])

  const again = await send(account, MIXED)
  await it.settle()
  expect(await read(account, again.body.id)).toMatchObject({ status: 'completed', credits_spent: 0 })
  expect((await linesOf(account, again.body.id))[0]).toMatchObject({ charged: false, charge_reason: 'already_paid' })
  const list = (await it.call('GET', '/v1/bulk?limit=1', { key: account.key })).body
  expect([list.data.map(({ id }: { id: string }) => id), list.has_more]).toEqual([[again.body.id], true])
  const older = (await it.call('GET', '/v1/bulk?limit=1&page=2', { key: account.key })).body
  expect([older.data[0], older.has_more]).toEqual([done, false])
})

test.each([
  ['a column called Domain', 'Name,Domain\nAlder,alderfinch.co.uk\nGarden,garden-diary.co.uk\n'],
  [
    'the web site rather than the e-mail',
    'E-mail;Web Site;Town\nx@gmail.com;alderfinch.co.uk;Ripon\n;garden-diary.co.uk;\n',
  ],
  ['an e-mail column, with tabs', 'Contact\tEmail Address\nAnn\tann@alderfinch.co.uk\nBen\tben@garden-diary.co.uk\n'],
  ['no header at all', 'alderfinch.co.uk,Alder\r\ngarden-diary.co.uk,Garden\r\n'],
  [
    'a mark before the first byte and empty lines',
    '\uFEFFURL\n\n"https://alderfinch.co.uk/?a=1,2"\n\ngarden-diary.co.uk\n',
  ],
])('a table is read as spreadsheets write it: %s', async (_, table) => {
  const account = await it.openAccount()
  const { status, body } = await sendCsv(account, table, '?name=A%20table')
  expect([status, body.name, body.counts.total]).toEqual([202, 'A table', 2])
  const domains = (await linesOf(account, body.id)).map(({ domain }) => domain)
  expect(domains).toEqual(['alderfinch.co.uk', 'garden-diary.co.uk'])
})

test('a table that cannot be read is refused with the line', async () => {
  const refused = await sendCsv(await it.openAccount(), 'domain\n"alderfinch.co.uk\n')
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect(refused.body.detail).toMatch(/Line \d.*quote/)
})

test('results come as CSV that no spreadsheet runs, by format or Accept', async () => {
  const account = await it.openAccount()
  const inputs = [
    'wrenfinchandsons.co.uk',
    '=HYPERLINK("http://x")',
    '+1',
    '-1',
    '@x',
    '\t=1',
    'two\nlines',
    'x;=cmd',
    '＝1',
  ]
  const disarmed = ['\'=HYPERLINK("http://x")', '+1', '-1', "'@x", "'\t'=1", 'two\nlines', "x;'=cmd", "'＝1"]
  const { id } = (await send(account, inputs)).body
  await it.settle()
  const path = `/v1/bulk/${id}/results`
  const { text, headers } = await it.call('GET', `${path}?format=csv`, { key: account.key })
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.csv"`)
  const [head, ...rows] = parse(text)
  expect(head?.join()).toBe(
    'row,input,domain,status,outcome,company_number,company_name,company_status,registered_postcode,confidence,reason,duplicate_of,resolution_id,evidence_url,charged,charge_reason,company_status_detail,company_status_text,resolution_url',
  )
  expect(rows.map((row) => row[1])).toEqual(['wrenfinchandsons.co.uk', ...disarmed])
  expect(
    text
      .split('\r\n')
      .filter(Boolean)
      .every((line) => line.startsWith('"') && line.endsWith('"')),
  ).toBe(true)
  expect([rows[0]?.[4], rows[0]?.[6]]).toEqual(['matched', TRICKY.name])
  const byHeader = await it.call('GET', path, { key: account.key, headers: { accept: 'text/csv' } })
  expect(byHeader.text).toBe(text)
  const lines = await it.call('GET', path, { key: account.key })
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
})

test('at every moment the counts come to what was sent, ends stay, and the results say the same', async () => {
  const account = await it.openAccount({ credits: 100 })
  const domains = publishMany(40)
  const inputs = [...domains, 'nonsense', ...domains.slice(0, 10)]
  const { id } = (await send(account, inputs)).body
  const polls: Array<Record<string, number>> = []
  let status = 'running'
  while (status === 'running') {
    const bulk = await read(account, id)
    ;({ status } = bulk)
    polls.push(bulk.counts)
    const lines = await linesOf(account, id)
    expect(lines.map(({ row }) => row)).toEqual(inputs.map((_, index) => index + 1))
    // Two requests at a time stay below what an account may send.
    await sleep(120)
  }
  for (const counts of polls) expectToAddUp(counts)
  for (const [index, counts] of polls.entries()) {
    const before = polls[index - 1] ?? {}
    for (const end of ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'invalid', 'duplicate']) {
      expect(counts[end]).toBeGreaterThanOrEqual(before[end] ?? 0)
    }
  }
  expect(new Set(polls.map(({ matched }) => matched)).size).toBeGreaterThan(2)
  expect(polls.at(-1)).toMatchObject({ total: 51, matched: 10, needs_review: 10, no_match: 10, non_uk_entity: 10 })
  const charged = (await linesOf(account, id)).filter((line) => line.charged).length
  expect([charged, (await read(account, id)).credits_spent, await capturesOf(account)]).toEqual([10, 10, 10])
})

test('without credits a bulk pauses where it is, and goes on when there are some', async () => {
  const account = await it.openAccount({ credits: 3 })
  const domains = Array.from({ length: 10 }, () => publish(it.web))
  const { id } = (await send(account, domains)).body
  await it.settle()
  const paused = await read(account, id)
  expect(paused).toMatchObject({ status: 'paused', paused_reason: 'insufficient_credits', credits_spent: 3 })
  expect(paused.counts).toMatchObject({ matched: 3, waiting: 7 })
  const refused = await act(account, id, 'resume')
  expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_credits'])
  expect((await send(account, ['alderfinch.co.uk'])).status).toBe(402)

  await give(account, 20)
  expect((await act(account, id, 'resume')).body).toMatchObject({ status: 'running', paused_reason: null })
  await it.settle()
  expect(await read(account, id)).toMatchObject({ status: 'completed', credits_spent: 10, counts: { matched: 10 } })
  expect([await capturesOf(account), await it.creditsOf(account)]).toEqual([
    10,
    { balance: 13, held: 0, available: 13 },
  ])
})

test('few credits suffice for many rows, as those that cost nothing give theirs back', async () => {
  const account = await it.openAccount({ credits: 2 })
  const domains = Array.from({ length: 12 }, () => publish(it.web, siteWithoutCompany()))
  const { id } = (await send(account, domains)).body
  await it.settle()
  expect(await read(account, id)).toMatchObject({ status: 'completed', credits_spent: 0, counts: { no_match: 12 } })
})

test('cancelled, what is under way ends and is counted, and the rest can be taken up again', async () => {
  await using own = await startTestService({ work: false, companies: [ALDER] })
  const { key } = await own.openAccount({ credits: 100 })
  const domains = Array.from({ length: 40 }, () => publish(own.web))
  const { id } = (await own.call('POST', '/v1/bulk', { key, body: { domains } })).body
  const callFor = async (method: string, suffix = '') =>
    (await own.call(method, `/v1/bulk/${id}${suffix}`, { key })).body
  await own.runJob(feedBulkJob, { bulkId: id }, runOf('one', 1_000))
  expect((await own.call('GET', '/v1/auth/me', { key })).body.credits.held).toBe(32)
  const costs = async () => {
    const path = `/v1/bulk/${id}/results?format=csv&layout=sheet&columns=outcome,cost`
    const lines = (await own.call('GET', path, { key })).text.trim().split('\r\n').slice(1)
    return [...new Set(lines)].toSorted()
  }
  expect(await costs()).toEqual(['"Running","Not known yet"', '"Waiting","Not known yet"'])
  const cancelled = await callFor('POST', '/cancel')
  expect(await costs()).toEqual(['"Cancelled","–"', '"Running","Not known yet"'])
  expect(cancelled).toMatchObject({ status: 'cancelled', finished_at: null, counts: { running: 32, cancelled: 8 } })
  expect(await callFor('POST', '/cancel')).toEqual(cancelled)

  const worker = await startWorkerOf(own)
  try {
    await expect.poll(async () => (await callFor('GET')).finished_at).not.toBeNull()
    expect(await callFor('GET')).toMatchObject({ status: 'cancelled', counts: { matched: 32, cancelled: 8 } })
    const { text } = await own.call('GET', `/v1/bulk/${id}/results`, { key })
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as Line
    expect(last).toMatchObject({ status: 'cancelled', outcome: null, charged: false, resolution_id: null })
    expect(await callFor('POST', '/resume')).toMatchObject({ status: 'running', finished_at: null })
    await expect.poll(async () => (await callFor('GET')).status).toBe('completed')
  } finally {
    await worker.close()
  }
  const done = await callFor('GET')
  expect(done).toMatchObject({ credits_spent: 40, counts: { matched: 40 } })
  for (const action of ['/cancel', '/resume']) expect(await callFor('POST', action)).toEqual(done)
  expect(await findUnbalancedAccounts(own.app.db)).toEqual([])
})

test('rows that we failed cost nothing and are tried again on resuming', async () => {
  const account = await it.openAccount({ credits: 3 })
  const { id } = (await send(account, [publish(it.web), publish(it.web)])).body
  await whileRegisterIsBroken(it.app, async () => {
    await expect.poll(async () => (await read(account, id)).counts.running).toBe(2)
    await it.app.db.query(`update resolution_work set deadline_at = $1`, [addSeconds(it.clock.now(), -1)])
    // As the minute's sweep does with work whose time is over.
    await it.runJob(sweepResolutionsJob)
    await expect.poll(async () => (await read(account, id)).status).toBe('completed')
  })
  expect(await read(account, id)).toMatchObject({ credits_spent: 0, counts: { failed: 2 } })
  expect((await linesOf(account, id))[0]).toMatchObject({ status: 'failed', charge_reason: 'failed_free' })
  await it.settle()
  await act(account, id, 'resume')
  await it.settle()
  expect(await read(account, id)).toMatchObject({ status: 'completed', credits_spent: 2, counts: { matched: 2 } })
})

test('what an account has decided itself is its answer here too, and free', async () => {
  const [account, other] = [await it.openAccount({ credits: 5 }), await it.openAccount({ credits: 5 })]
  const domain = publish(it.web, siteNaming(BRACKEN))
  const reviews = reviewCalls(it)
  await reviews.ask(account, domain)
  await reviews.decide(account, (await reviews.find(account, domain)).id, { action: 'accept', reviewer: 'Ann' })
  const ids = [(await send(account, [domain])).body.id, (await send(other, [domain])).body.id]
  await it.settle()
  expect((await linesOf(account, ids[0]))[0]).toMatchObject({
    outcome: 'matched',
    company_number: BRACKEN.number,
    charged: false,
    charge_reason: 'own_decision_free',
  })
  expect((await linesOf(other, ids[1]))[0]).toMatchObject({ outcome: 'needs_review', company_number: null })
})

test('a list repeated under its Idempotency-Key is one bulk', async () => {
  const account = await it.openAccount({ credits: 5 })
  const keyed = { headers: { 'idempotency-key': 'list-1' } }
  const domains = [publish(it.web)]
  const [first, again] = [await send(account, domains, keyed), await send(account, domains, keyed)]
  expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([202, first.body.id, 'true'])
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  const reused = await send(account, ['alderfinch.co.uk'], keyed)
  expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await it.call('GET', '/v1/bulk', { key: account.key })).body.data).toHaveLength(1)
})

test('bulk jobs are found by a part of their name, and those without a name by their id', async () => {
  const account = await it.openAccount()
  const start = async (query: string) =>
    (await it.call('POST', `/v1/bulk${query}`, { key: account.key, body: { domains: ['gmail.com'] } })).body.id
  const [leads, nameless] = [await start('?name=Leads%20of%20May'), await start('')]
  const find = async (text: string) => {
    const { body } = await it.call('GET', `/v1/bulk?q=${encodeURIComponent(text)}`, { key: account.key })
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await find('OF may')).toEqual([leads])
  expect(await find(nameless.slice(4))).toEqual([nameless])
  expect(await find('%')).toEqual([])
})

describe('refused', () => {
  const many = Array.from({ length: 10_001 }, (_, index) => `d${index}.co.uk`)

  test('more rows than a bulk takes, with how many there were; and none at all', async () => {
    const account = await it.openAccount()
    for (const reply of [await send(account, many), await sendCsv(account, `domain\n${many.join('\n')}\n`)]) {
      expect([reply.status, reply.body.code, reply.body.limit]).toEqual([402, 'plan_limit_reached', 10_000])
      expect(reply.body.detail).toContain('10,001 rows')
    }
    const lines = await sendCsv(account, `domain\n${'a.uk\n'.repeat(100_020)}`)
    expect([lines.status, lines.body.detail]).toEqual([400, expect.stringContaining('rows')])
    for (const reply of [await send(account, []), await sendCsv(account, 'domain\n')]) {
      expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'domains'])
    }
    const none = await it.call('POST', '/v1/bulk', { key: account.key, body: {} })
    expect([none.status, none.body.errors[0].field]).toEqual([400, 'domains'])
  })

  test('a test key: it can send none, and sees none', async () => {
    const { testKey: key } = await it.openAccount()
    const body = { domains: ['alderfinch.co.uk'] }
    const sent = await it.call('POST', '/v1/bulk', { key, body })
    expect([sent.status, sent.body.code]).toEqual([400, 'invalid_request'])
    expect(sent.body.detail).toContain('live key')
    expect((await it.call('GET', '/v1/bulk', { key })).body).toMatchObject({ data: [], has_more: false })
    const path = `/v1/bulk/blk_${'0'.repeat(27)}`
    for (const [method, at] of [
      ['GET', path],
      ['POST', `${path}/cancel`],
      ['POST', `${path}/resume`],
      ['GET', `${path}/results`],
    ] as const) {
      expect([at, (await it.call(method, at, { key })).status]).toEqual([at, 404])
    }
  })

  test('a sixth bulk at once, new or resumed, however many are sent together', async () => {
    const account = await it.openAccount({ credits: 100 })
    const domain = publish(it.web)
    const idle = (await send(account, [publish(it.web), publish(it.web)])).body.id
    await whileNoWorkEnds(it.app, async () => {
      await it.app.db.query(`update bulk set fed_until = 'infinity', fed_by = 'nobody' where id = $1`, [idle])
      await act(account, idle, 'cancel')
      const replies = await Promise.all(Array.from({ length: 7 }, () => send(account, [domain])))
      const refused = replies.filter(({ status }) => status !== 202)
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
        [409, 'bulk_limit_reached'],
        [409, 'bulk_limit_reached'],
      ])
      const resumed = await act(account, idle, 'resume')
      expect([resumed.status, resumed.body.code]).toEqual([409, 'bulk_limit_reached'])
    })
  })
})

test('a character that the database cannot keep is no reason to fail', async () => {
  const account = await it.openAccount()
  const { status, body } = await send(account, ['nul\0.co.uk', 'x'.repeat(5_000)], {
    body: { domains: ['nul\0.co.uk', 'x'.repeat(5_000)], name: 'a\0b' },
  })
  expect([status, body.counts.invalid]).toEqual([202, 2])
  expect((await linesOf(account, body.id)).map(({ input }) => String(input).length)).toEqual([10, 2_048])
})

test('after 30 days a bulk is gone, its rows with it', async () => {
  await using own = await startTestService({ work: false })
  const account = await own.openAccount()
  const { id } = (await own.call('POST', '/v1/bulk', { key: account.key, body: { domains: ['a.co.uk'] } })).body
  own.clock.advance(30 * DAY_SECONDS - 60)
  expect((await own.call('GET', `/v1/bulk/${id}`, { key: account.key })).status).toBe(200)
  own.clock.advance(61)
  for (const path of ['', '/results']) {
    expect((await own.call('GET', `/v1/bulk/${id}${path}`, { key: account.key })).status).toBe(404)
  }
  expect((await own.call('GET', '/v1/bulk', { key: account.key })).body.data).toEqual([])
  await own.runJob(sweepBulkJob)
  expect(await own.app.db.query('select from bulk union all select from bulk_row')).toEqual([])
})

describe('whoever asks for the rows', () => {
  test('asks once for each, also when it runs twice at once', async () => {
    await using own = await startTestService({ work: false })
    const account = await own.openAccount({ credits: 50 })
    const domains = Array.from({ length: 20 }, (_, index) => `row-${index}.co.uk`)
    const { id } = (await own.call('POST', '/v1/bulk', { key: account.key, body: { domains } })).body
    await own.app.db.query(`update bulk set fed_by = 'one'`)
    // The same job in two processes, as when one was silent for a while: the claim lets both in.
    const slices = ['one', 'one'].map((name) => own.runJob(feedBulkJob, { bulkId: id }, runOf(name, 1_500)))
    await Promise.all(slices)
    const jobs = await own.app.db.query('select subject from resolution_job')
    const holds = await own.app.db.query(`select from credit_hold where state = 'held'`)
    const queued = await own.app.db.query(`select from pgboss.job where name = 'resolution.resolve_domain'`)
    expect([jobs.length, holds.length, queued.length]).toEqual([20, 20, 20])
    const { counts } = (await own.call('GET', `/v1/bulk/${id}`, { key: account.key })).body
    expect(counts).toMatchObject({ running: 20, waiting: 0 })
  })

  test('stands behind people who ask for one domain, also for one of its own', async () => {
    await using own = await startTestService({ work: false })
    const account = await own.openAccount({ credits: 50 })
    const domains = Array.from({ length: 20 }, (_, index) => `row-${index}.co.uk`)
    const { id } = (await own.call('POST', '/v1/bulk', { key: account.key, body: { domains } })).body
    await own.runJob(feedBulkJob, { bulkId: id }, runOf('one', 1_000))
    const person = await own.openAccount()
    for (const domain of ['somebody-waits.co.uk', 'row-19.co.uk']) {
      await askForDomain(own.app, { accountId: person.id, input: scrubAddress(domain), domain })
    }
    const next = await own.app.jobs.fetch('resolution.resolve_domain', 2)
    const first = next.map(({ data }) => (data as { domain: string }).domain)
    expect(first.sort()).toEqual(['row-19.co.uk', 'somebody-waits.co.uk'])
  })

  test('is replaced when it is gone for good', async () => {
    const account = await it.openAccount()
    const { id } = (await send(account, [publish(it.web)])).body
    await it.settle()
    const forget = `update bulk set status = 'running', finished_at = null, fed_by = 'gone', fed_until = $2 where id = $1`
    const late = addSeconds(it.clock.now(), -1)
    await it.app.db.query(forget, [id, addSeconds(late, 60)])
    await it.runJob(sweepBulkJob)
    await it.settle()
    expect((await read(account, id)).status).toBe('running')
    await it.app.db.query(forget, [id, late])
    await it.runJob(sweepBulkJob)
    await it.settle()
    expect((await read(account, id)).status).toBe('completed')
  })
})

const runOf = (id: string, ms: number) => ({ id, signal: AbortSignal.timeout(ms) })
