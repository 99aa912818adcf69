import { beforeEach, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { recordQueuedChanges, recordSignals, recordSignalsJob, sweepOverdueJob } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())

let companyCount = 0
let number = ''
beforeEach(async () => {
  number = await addCompany()
})

async function addCompany(facts: { status?: string; accountsDue?: string; confirmationDue?: string } = {}) {
  companyCount += 1
  const added = String(1_000_000 + companyCount).padStart(8, '0')
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, incorporated_on, accounts_next_due,
       confirmation_next_due, source, changed_at)
     values ($1, $2, $2, $3, 'ltd', '2010-05-04', $4, $5, 'snapshot', now())`,
    [
      added,
      `COMPANY ${companyCount} LIMITED`,
      facts.status ?? 'active',
      facts.accountsDue ?? null,
      facts.confirmationDue ?? null,
    ],
  )
  return added
}

/** As the register's changes carry it. */
const company = (facts: object = {}) => ({
  number,
  name: `COMPANY ${companyCount} LIMITED`,
  previousNames: [],
  status: 'active',
  statusDetail: null,
  type: 'ltd',
  incorporatedOn: '2010-05-04',
  dissolvedOn: null,
  address: { line1: '1 High Street', town: 'York' },
  accountsNextDue: null,
  accountsLastMadeUp: null,
  accountsType: null,
  confirmationNextDue: null,
  confirmationLastMadeUp: null,
  charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
  sicCodes: [],
  ...facts,
})

interface Queued {
  kind?: string
  source?: string
  reference?: string
  companyNumber?: string
}

async function queue(before: object | null, after: object | null, options: Queued = {}): Promise<void> {
  await it.app.db.query(
    `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      options.companyNumber ?? number,
      options.kind ?? 'company',
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      options.source ?? 'stream',
      options.reference ?? 'companies:1',
      it.clock.now(),
    ],
  )
}

const today = () => toLondonDate(it.clock.now())
// By key, because tests move the clock and a session ends after a day.
const read = (query = '', of = number) => it.call('GET', `/v1/companies/${of}/signals${query}`, { key: account.key })
const listTypes = async (of = number): Promise<string[]> =>
  (await read('?limit=100', of)).body.data.map((signal: { signal_type: string }) => signal.signal_type)

test('a change of the register is read as a signal, in words and in fields', async () => {
  await queue(company(), company({ status: 'liquidation' }), { reference: 'companies:68805562' })
  await recordQueuedChanges(it.app)
  // The service's own job may have taken it in the meantime.
  await expect.poll(() => it.app.db.query('select from register_change')).toEqual([])
  const reply = await read()
  expect(reply.body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^sig_\d+$/),
        signal_type: 'status_changed',
        company_number: number,
        company_name: `COMPANY ${companyCount} LIMITED`,
        severity: 'warning',
        summary: `COMPANY ${companyCount} LIMITED changed status from active to liquidation.`,
        occurred_on: today(),
        detected_at: expect.stringMatching(/Z$/),
        changes: [
          {
            field: 'company_status',
            from: 'active',
            to: 'liquidation',
            field_text: 'Status',
            from_text: 'Active',
            to_text: 'Liquidation',
          },
        ],
        source: { kind: 'stream', reference: 'companies:68805562' },
      },
    ],
    page: 1,
    limit: 20,
    has_more: false,
    next_cursor: null,
  })
  expect(await it.app.db.query('select 1 from register_change')).toEqual([])
})

test('a part of a company is told with the company’s name, and a session reads it too', async () => {
  const links = { self: `/company/${number}/appointments/a1` }
  const officer = { name: 'SMITH, Jane', officer_role: 'director', appointed_on: today(), links }
  await queue(null, officer, { kind: 'officer', source: 'rest', reference: 'officers' })
  await queue(null, officer, { kind: 'officer', reference: 'officers:2' })
  await recordQueuedChanges(it.app)
  const reply = await it.call('GET', `/v1/companies/${number}/signals`, { token: account.token })
  expect(reply.body.data).toMatchObject([
    { signal_type: 'director_appointed', company_name: `COMPANY ${companyCount} LIMITED`, source: { kind: 'rest' } },
  ])
})

test('the first sight of a company is silent', async () => {
  await queue(null, company(), { source: 'snapshot' })
  expect(await recordQueuedChanges(it.app)).toBe(0)
  expect(await listTypes()).toEqual([])
})

test('eight recorders at once report every change exactly once, though each was queued several times', async () => {
  const numbers: string[] = []
  for (let index = 0; index < 40; index += 1) {
    number = await addCompany()
    numbers.push(number)
    for (const source of ['stream', 'stream', 'snapshot']) {
      await queue(company(), company({ name: `RENAMED ${index} LIMITED`, sicCodes: ['62020'] }), { source })
    }
  }
  const recordInSmallBatches = async () => {
    for (;;) {
      const { changes } = await it.app.db.transaction((tx) =>
        recordSignals(it.app, tx, { limit: 7, at: it.clock.now() }),
      )
      if (changes === 0) return
    }
  }
  await Promise.all(Array.from({ length: 8 }, recordInSmallBatches))
  for (const each of numbers) expect((await listTypes(each)).toSorted()).toEqual(['name_changed', 'sic_codes_changed'])
})

test('a drain that dies loses nothing and tells nothing twice', async () => {
  await queue(company(), company({ sicCodes: ['62020'] }))
  const dying = it.app.db.transaction(async (tx) => {
    const { signals } = await recordSignals(it.app, tx, { limit: 10, at: it.clock.now() })
    expect(signals).toHaveLength(1)
    throw new Error('died before the commit')
  })
  await expect(dying).rejects.toThrow('died')
  expect(await listTypes()).toEqual([])
  await it.runJob(recordSignalsJob)
  await it.runJob(recordSignalsJob)
  expect(await listTypes()).toEqual(['sic_codes_changed'])
})

test('a status that goes there and back and there again is told each time, also within a day', async () => {
  const [active, arranged] = [company(), company({ status: 'voluntary-arrangement' })]
  await queue(active, arranged)
  await queue(active, arranged, { source: 'snapshot' })
  await queue(arranged, active)
  await recordQueuedChanges(it.app)
  await queue(arranged, active)
  await queue(active, arranged)
  await queue(active, arranged)
  await recordQueuedChanges(it.app)
  const reply = await read()
  const steps = reply.body.data.map(({ changes }: { changes: { to: string }[] }) => changes[0]?.to)
  expect(steps).toEqual(['voluntary-arrangement', 'active', 'voluntary-arrangement'])
})

test('the same change coming again days later is no news', async () => {
  await queue(company(), company({ sicCodes: ['62020'] }))
  await recordQueuedChanges(it.app)
  it.clock.advance(3 * 86_400)
  await queue(company(), company({ sicCodes: ['62020'] }), { source: 'snapshot' })
  await recordQueuedChanges(it.app)
  expect(await listTypes()).toEqual(['sic_codes_changed'])
  // After months it is another one, whose way back we missed.
  it.clock.advance(90 * 86_400)
  for (const source of ['stream', 'snapshot']) await queue(company(), company({ sicCodes: ['62020'] }), { source })
  await recordQueuedChanges(it.app)
  expect(await listTypes()).toEqual(['sic_codes_changed', 'sic_codes_changed'])
})

test('a proposal to strike off is told again when another follows a discontinued one', async () => {
  const [quiet, proposed] = [company(), company({ statusDetail: 'active-proposal-to-strike-off' })]
  await queue(quiet, proposed)
  await queue(proposed, quiet)
  await queue(quiet, proposed)
  await recordQueuedChanges(it.app)
  expect(await listTypes()).toEqual(['strike_off_proposed', 'strike_off_discontinued', 'strike_off_proposed'])
})

test('a change that cannot be read is logged and does not hold up the others', async () => {
  await queue({ status: 'active' }, { status: 'dissolved' }, { reference: 'companies:broken' })
  await queue(company(), company({ sicCodes: ['62020'] }))
  await recordQueuedChanges(it.app)
  expect(await listTypes()).toEqual(['sic_codes_changed'])
  expect(it.logText()).toContain('companies:broken')
})

test('signals are paged by a cursor that stays stable while new ones arrive', async () => {
  const codes = (count: number) => company({ sicCodes: [String(10_000 + count)] })
  for (let count = 0; count < 7; count += 1) await queue(codes(count), codes(count + 1))
  await recordQueuedChanges(it.app)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const reply = await read(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
    expect([reply.body.page, reply.body.limit]).toEqual([1, 3])
    expect(reply.body.has_more).toBe(reply.body.next_cursor !== null)
    seen.push(...reply.body.data.map(({ changes }: { changes: { to: string[] }[] }) => changes[0]?.to[0]))
    cursor = reply.body.next_cursor
    await queue(codes(100 + seen.length), codes(101 + seen.length))
    await recordQueuedChanges(it.app)
  } while (cursor !== null)
  expect(seen).toEqual(['10007', '10006', '10005', '10004', '10003', '10002', '10001'])
})

test('the second page of signals is not the first again', async () => {
  const codes = (count: number) => company({ sicCodes: [String(20_000 + count)] })
  for (let count = 0; count < 3; count += 1) await queue(codes(count), codes(count + 1))
  await recordQueuedChanges(it.app)
  const pages = await Promise.all([1, 2, 3].map((page) => read(`?limit=1&page=${page}`)))
  expect(pages.map(({ body }) => [body.page, body.data[0].changes[0].to[0]])).toEqual([
    [1, '20003'],
    [2, '20002'],
    [3, '20001'],
  ])
})

test('a number is taken as people write it', async () => {
  await queue(company(), company({ sicCodes: ['62020'] }))
  await recordQueuedChanges(it.app)
  expect(await listTypes(String(Number(number)))).toEqual(['sic_codes_changed'])
})

test('an unknown company is not found, a wrong limit or cursor is refused, and so is a caller without credentials', async () => {
  for (const unknown of ['09999999', 'SC999999', 'not-a-number', '123456789', '%00']) {
    const reply = await read('', unknown)
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
  }
  for (const wrong of [
    'limit=0',
    'limit=101',
    'limit=many',
    'cursor=7',
    'cursor=sig_0',
    'cursor=sig_9999999999999999',
  ]) {
    const reply = await read(`?${wrong}`)
    expect([wrong, reply.status, reply.body.code]).toEqual([wrong, 400, 'invalid_request'])
  }
  const anonymous = await it.call('GET', `/v1/companies/${number}/signals`)
  expect([anonymous.status, anonymous.body.code]).toEqual([401, 'missing_credentials'])
})

const sweep = () => it.runJob(sweepOverdueJob)

test('a due date that passes is told once, also for days on which nobody looked; what was overdue before is not', async () => {
  const [yesterday, day] = [addDaysToDate(today(), -1), today()]
  const before = await addCompany({ accountsDue: yesterday, confirmationDue: yesterday })
  const dueToday = await addCompany({ accountsDue: day, confirmationDue: addDaysToDate(day, 3) })
  const dissolved = await addCompany({ accountsDue: day, status: 'dissolved' })
  const closed = await addCompany({ accountsDue: day, status: 'converted-closed' })
  const dueTomorrow = await addCompany({ accountsDue: addDaysToDate(day, 1) })

  await sweep()
  expect([await listTypes(before), await listTypes(dueToday)]).toEqual([[], []])

  it.clock.advance(86_400)
  await sweep()
  await sweep()
  expect(await listTypes(dueToday)).toEqual(['accounts_overdue'])
  for (const silent of [before, dissolved, closed, dueTomorrow]) expect(await listTypes(silent)).toEqual([])
  const [signal] = (await read('', dueToday)).body.data
  expect(signal).toMatchObject({
    severity: 'warning',
    occurred_on: addDaysToDate(day, 1),
    changes: [{ field: 'accounts_overdue', from: false, to: true }],
    source: { kind: 'sweep', reference: day },
  })
  expect(signal.summary).toMatch(/^COMPANY \d+ LIMITED has not filed the accounts that were due on \d+ \w+ \d{4}\.$/)

  it.clock.advance(5 * 86_400)
  await Promise.all([sweep(), sweep()])
  expect(await listTypes(dueTomorrow)).toEqual(['accounts_overdue'])
  expect(await listTypes(dueToday)).toEqual(['confirmation_overdue', 'accounts_overdue'])
  expect(await listTypes(before)).toEqual([])
})

test('an overseas entity owes an update statement where a company owes a confirmation statement', async () => {
  await sweep()
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, confirmation_next_due, source, changed_at)
     values ('OE000001', 'OVERSEAS SARL', 'OVERSEAS SARL', 'registered', 'registered-overseas-entity', $1, 'stream', now()),
       ('OE000002', 'REMOVED SARL', 'REMOVED SARL', 'removed', 'registered-overseas-entity', $1, 'stream', now())`,
    [today()],
  )
  it.clock.advance(86_400)
  await sweep()
  const [signal] = (await read('', 'OE000001')).body.data
  expect(signal.signal_type).toBe('confirmation_overdue')
  expect(signal.summary).toMatch(
    /^OVERSEAS SARL has not filed the yearly update statement that was due on \d+ \w+ \d{4}\.$/,
  )
  expect(await listTypes('OE000002')).toEqual([])
})

test('a sweep takes more companies than fit into one batch, each once', async () => {
  await sweep()
  const day = today()
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, confirmation_next_due, source, changed_at)
     select 'SC' || lpad(n::text, 6, '0'), 'MANY', 'MANY', 'active', 'ltd', $1, 'snapshot', now()
     from generate_series(1, 4500) n`,
    [day],
  )
  it.clock.advance(86_400)
  await sweep()
  const [counted] = await it.app.db.query<{ signals: number; companies: number }>(
    `select count(*) as signals, count(distinct company_number) as companies from signal where company_name = 'MANY'`,
  )
  expect(counted).toEqual({ signals: 4_500, companies: 4_500 })
})
