/** Tables that are split by time: partitions are made ahead, rows go to them, and old ones are dropped. */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Database } from '../src/lib/db/db.ts'
import { makePartitionsJob } from '../src/lib/db/partitions.ts'
import { forgetEventsJob } from '../src/webhooks/index.ts'
import { ALDER, publish } from './setup/companies.ts'
import { DAY_SECONDS, useTestService, WAIT } from './setup/harness.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const it = useTestService({ companies: [ALDER] })
beforeEach(() => it.runJob(makePartitionsJob))

const partitionsOf = async (table: string) =>
  (
    await it.app.db.query<{ name: string }>(
      `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
       where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name)

const countIn = async (table: string) =>
  (await it.app.db.query<{ count: number }>(`select count(*) from ${table}`))[0]?.count

/** Reads a site for an account with a webhook, and returns the response. */
async function answerOne() {
  const account = await it.openAccount({ credits: 5 })
  const { received } = await receiveAnswers(it, account)
  const domain = publish(it.web)
  const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
  await it.settle()
  await expect.poll(() => received.length).toBe(1)
  return { account, id: body.resolution_id as string }
}

test('partitions are made ahead once, however often the job runs', async () => {
  const before = await partitionsOf('resolution')
  await it.runJob(makePartitionsJob)
  expect(await partitionsOf('resolution')).toEqual(before)
  expect(before).toEqual(expect.arrayContaining(['resolution_rest']))
  expect(before.length).toBeGreaterThanOrEqual(7)
  expect((await partitionsOf('webhook_event')).length).toBeGreaterThanOrEqual(6)
})

/** The hourly job that forgets events makes partitions too. Where it runs meanwhile, a later month is tried. */
async function answerBeyondPartitions() {
  for (let attempt = 1; ; attempt += 1) {
    it.clock.advance(400 * DAY_SECONDS)
    const { account, id } = await answerOne()
    const read = () => it.call('GET', `/v1/resolutions/${id}/evidence?format=json`, { key: account.key })
    const rest = await countIn('part.resolution_rest')
    if ((rest ?? 0) > 0 || attempt === 3) return { read, rest }
  }
}

test('an answer of a month without a partition is found by its id, before and after the partition is made', async () => {
  const { read, rest } = await answerBeyondPartitions()
  expect((await read()).status).toBe(200)
  expect(rest).toBeGreaterThan(0)
  await it.runJob(makePartitionsJob)
  expect(await countIn('part.resolution_rest')).toBeLessThan(rest ?? 0)
  expect((await read()).status).toBe(200)
})

test('events have numbers of their week, and a week is dropped once all of it is older than 30 days', async () => {
  await it.runJob(makePartitionsJob)
  await answerOne()
  const weeks = await partitionsOf('webhook_event')
  const newest = async () =>
    (
      await it.app.db.query<{ id: number; created_at: Date }>(
        'select id, created_at from webhook_event order by id desc limit 1',
      )
    )[0]
  const first = await newest()
  expect(Math.floor((first?.id ?? 0) / 1e9)).toBe(Math.floor(it.clock.now().getTime() / 604_800_000))
  it.clock.advance(29 * DAY_SECONDS)
  await it.runJob(forgetEventsJob)
  expect((await newest())?.id).toBe(first?.id)
  it.clock.advance(9 * DAY_SECONDS)
  await answerOne()
  await it.runJob(forgetEventsJob)
  expect((await newest())?.id).toBeGreaterThan(first?.id ?? 0)
  const left = await partitionsOf('webhook_event')
  expect(left).not.toContain(weeks.find((name) => name.endsWith(String(Math.floor((first?.id ?? 0) / 1e9)))))
  expect(await countIn('webhook_event')).toBe(1)
  expect(await countIn('webhook_delivery')).toBe(1)
  expect(await countIn('webhook_attempt')).toBe(1)
})

test('a process that only serves requests plans a statement over many partitions once, not for every value', async () => {
  const { id } = await it.openAccount({ credits: 5 })
  const options = { url: it.app.config.databaseUrl, connectionsMax: 1, applicationName: 'test', plansOnce: true }
  const db = new Database(options)
  onTestFinished(() => db.close())
  await db.transaction(async (tx) => {
    for (let count = 0; count < 20; count += 1) {
      await tx.query('select state from credit_hold where account_id = $1 and reference = $2', [id, `job ${count}`])
    }
    const [plans] = await tx.query(
      `select custom_plans, generic_plans from pg_prepared_statements where statement like 'select state from credit_hold%'`,
    )
    expect(plans).toEqual({ custom_plans: 0, generic_plans: 20 })
  })
})
