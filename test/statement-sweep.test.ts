/** The daily sweep for statements about owners that stay in force. */
import { beforeEach, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { listUnresolvedStatements } from '../src/register/index.ts'
import { sweepStatements, sweepStatementsJob } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { countScans } from './setup/scans.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
const sweep = () => it.runJob(sweepStatementsJob)
const DAY = 86_400
const DAYS = 90
const TYPE = 'psc_statement_unresolved'
const NO_RESPONSE = 'psc-contacted-but-no-response'
/** A statement of this day is 90 days old today. */
const dueDay = () => addDaysToDate(toLondonDate(it.clock.now()), -DAYS)
beforeEach(async () => {
  await it.app.db.query('delete from psc')
  await sweep()
})

interface Stated {
  code?: string
  madeOn?: string
  isCeased?: boolean
  status?: string
}

async function addMany(prefix: string, companies: number, stated: Stated = {}): Promise<void> {
  const { code = NO_RESPONSE, madeOn = dueDay(), isCeased = false, status = 'active' } = stated
  await it.app.db.query(
    `with added as (
       insert into company (number, name, name_key, status, type, source, changed_at)
       select $1 || lpad(n::text, 6, '0'), $1, $1, $3, 'ltd', 'snapshot', now() from generate_series(1, $2) n
       returning number
     )
     insert into psc (company_number, psc_id, kind, statement, notified_on, is_ceased, changed_at)
     select number, 'made', 'persons-with-significant-control-statement', $4, $5, $6, now() from added`,
    [prefix, companies, status, code, madeOn, isCeased],
  )
}

const listSignals = async (prefix: string) => {
  const { body } = await it.call('GET', `/v1/companies/${prefix}000001/signals`, { key: account.key })
  return body.data as Array<{ signal_type: string; summary: string; occurred_on: string }>
}
const countSignals = async (prefix: string) => {
  const [row] = await it.app.db.query<{ signals: number; companies: number }>(
    'select count(*) as signals, count(distinct company_number) as companies from signal where company_name = $1',
    [prefix],
  )
  return row
}

test('a statement that is still in force after 90 days is reported once, in words', async () => {
  const due = toLondonDate(it.clock.now())
  await addMany('AA', 1)
  await addMany('AB', 1, { code: 'steps-to-find-psc-not-yet-completed' })
  await addMany('AC', 1, { code: 'restrictions-notice-issued-to-psc-partnership' })
  await addMany('AD', 1, { isCeased: true })
  await addMany('AE', 1, { status: 'dissolved' })
  await addMany('AF', 1, { code: 'no-individual-or-entity-with-signficant-control' })
  await addMany('AG', 1, { madeOn: addDaysToDate(dueDay(), 2) })
  await addMany('AH', 1, { madeOn: addDaysToDate(dueDay(), -1) })
  await sweep()
  expect(await listSignals('AA')).toEqual([])
  it.clock.advance(DAY)
  await sweep()
  await sweep()
  const [signal] = await listSignals('AA')
  expect(signal).toMatchObject({
    signal_type: TYPE,
    severity: 'notice',
    occurred_on: due,
    source: { kind: 'sweep', reference: due },
  })
  expect(signal?.summary).toMatch(
    /^A statement of AA about its owners has been in force since \d+ \w+ \d{4}: The company has/,
  )
  expect(signal?.summary).not.toContain(NO_RESPONSE)
  for (const prefix of ['AA', 'AB', 'AC']) expect(await listSignals(prefix)).toHaveLength(1)
  for (const prefix of ['AD', 'AE', 'AF', 'AG', 'AH']) expect(await listSignals(prefix)).toEqual([])
  it.clock.advance(3 * DAY)
  await Promise.all([sweep(), sweep()])
  expect(await listSignals('AG')).toHaveLength(1)
  expect(await listSignals('AA')).toHaveLength(1)
})

test('a sweep that is cut off between batches is completed by the next, and each company is reported once', async () => {
  await addMany('BA', 1_200)
  it.clock.advance(DAY)
  let batches = 0
  const db = new Proxy(it.app.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (work: never) => {
        batches += 1
        if (batches === 2) throw new Error('killed')
        return target.transaction(work)
      }
    },
  })
  await expect(sweepStatements({ ...it.app, db })).rejects.toThrow('killed')
  expect(await countSignals('BA')).toEqual({ signals: 500, companies: 500 })
  await Promise.all([sweep(), sweep()])
  expect(await countSignals('BA')).toEqual({ signals: 1_200, companies: 1_200 })
})

test('a day is read by its index, not by a scan of all records', async () => {
  await addMany('CA', 20_000, { madeOn: '2030-01-02' })
  await addMany('CB', 1_000, { madeOn: '2030-01-01' })
  await it.app.db.query('analyze psc, company')
  const scans = await countScans(it.app.db, 'psc', async (tx) =>
    expect(await listUnresolvedStatements(tx, { madeOn: '2030-01-01', after: '', limit: 500 })).toHaveLength(500),
  )
  expect(scans).toBe(0)
})
