/** Months of answers that are over: what something refers to opens as before, and the rest is deleted with the month. */
import { expect, test } from 'vitest'
import { makePartitionsJob } from '../src/lib/db/partitions.ts'
import { expirePagesJob } from '../src/page-archive/index.ts'
import { deleteOldAnswersJob, forgetHistoryJob, sweepResolutionsJob } from '../src/resolution/index.ts'
import { ALDER, BRACKEN, publish, siteNaming } from './setup/companies.ts'
import { DAY_SECONDS, type TestKeys, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })

const isStored = async (id: string) =>
  (await it.app.db.query('select from resolution where id = $1', [id])).length === 1

/** Returns the partition that has an answer. */
const partitionOf = async (id: string) =>
  (
    await it.app.db.query<{ name: string }>('select tableoid::regclass::text as name from resolution where id = $1', [
      id,
    ])
  )
    .map(({ name }) => name.replace('part.', ''))
    .join()

const isTable = async (name: string) =>
  (await it.app.db.query('select from pg_class where relname = $1', [name])).length > 0

const resolve = async ({ key }: TestKeys, domain: string) => {
  const { body } = await it.call('POST', '/v1/resolve/domain', { key, headers: WAIT, body: { domain } })
  return body.resolution_id as string
}

/** Two answers about one domain, in months of their own. */
async function readTwice(account: TestKeys, domain = publish(it.web)) {
  await it.runJob(makePartitionsJob)
  const id = await resolve(account, domain)
  const month = await partitionOf(id)
  it.clock.advance(62 * DAY_SECONDS)
  const newer = await resolve(account, domain)
  expect(newer).not.toBe(id)
  return { domain, id, month, newer }
}

/** Lets the time pass after which months are dropped, with the jobs that end requests, payments, pages and entries. */
async function passMonths(days = 400) {
  it.clock.advance(days * DAY_SECONDS)
  for (const job of [sweepResolutionsJob, expirePagesJob, forgetHistoryJob, makePartitionsJob]) await it.runJob(job)
}

/** Adds answers to the month of another one that nothing refers to, as readings of lists are. */
async function addUnused(id: string, count: number) {
  await it.app.db.query(
    `insert into resolution select id || 'x' || n, domain, outcome, situation, confidence, company_number, reason, findings,
       model_version, resolved_at
     from resolution, generate_series(1, $2) n where id = $1`,
    [id, count],
  )
}

const get = async ({ key }: TestKeys, path: string) => {
  const { status, body } = await it.call('GET', path, { key })
  expect(status).toBe(200)
  return body
}

test('an entry of the history opens after its month was dropped, with its record, its review and its share link', async () => {
  const account = await it.openAccount({ credits: 10 })
  const { key } = account
  const doubtful = await resolve(account, publish(it.web, siteNaming(BRACKEN)))
  const { id, month, newer } = await readTwice(account)
  const { body: record } = await it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key })
  await addUnused(id, 2_300)
  await passMonths()
  const { body: link } = await it.call('POST', `/v1/resolutions/${id}/share-links`, { key, body: { days: 30 } })
  const readAll = async () => {
    const [entry, evidence, changes, reviews] = [
      await get(account, `/v1/resolutions/${id}`),
      await get(account, `/v1/resolutions/${id}/evidence?format=json`),
      await get(account, `/v1/resolutions/${newer}/changes?since=${id}`),
      await get(account, '/v1/reviews'),
    ]
    const review = await get(account, `/v1/reviews/${reviews.data[0].id}`)
    const sealed = await get(account, `/v1/evidence/${record.id}`)
    const shared = await it.visit('GET', new URL(link.url).pathname)
    return {
      entry,
      evidence: { ...evidence, read_at: null },
      changes,
      review,
      record: sealed.record,
      shared: shared.status,
    }
  }
  const before = await readAll()
  expect(before.review.evidence_url).toContain(doubtful)
  expect(JSON.parse(before.record).question.resolution_id).toBe(id)
  expect(before.shared).toBe(200)
  for (const left of ['replaced', 'dropped']) {
    await it.runJob(deleteOldAnswersJob)
    expect(await readAll(), left).toEqual(before)
    expect(await isTable(month), left).toBe(left === 'replaced')
    expect(await isStored(`${id}x1`), left).toBe(false)
  }
  expect(await partitionOf(id)).toBe(month.replace('resolution_', 'resolution_kept_'))
  expect(await isStored(`${id}x2300`)).toBe(false)
})

test('the answers of an account that was erased are gone with their month', async () => {
  const leaving = await it.openAccount({ credits: 5 })
  const { id, newer } = await readTwice(leaving)
  await it.run('account', 'erase', leaving.email, '--yes')
  await passMonths()
  await it.runJob(deleteOldAnswersJob)
  expect(await isStored(id)).toBe(false)
  // The newest of a domain is there for whoever asks next.
  expect(await isStored(newer)).toBe(true)
})

test('the pages of an answer and the answer itself are there together', async () => {
  const leaving = await it.openAccount({ credits: 5 })
  const { id } = await readTwice(leaving)
  await it.app.db.query(
    `update page_capture set kept_until = kept_until + interval '3 years' where resolution_id = $1`,
    [id],
  )
  await it.run('account', 'erase', leaving.email, '--yes')
  await passMonths()
  await it.runJob(deleteOldAnswersJob)
  expect(await isStored(id)).toBe(true)
  expect(JSON.parse((await it.run('archive', 'verify', '--json')).stdout)).toMatchObject({ unanswered: 0 })
})

test('a kept answer is deleted within a month after the last entry that refers to it', async () => {
  const account = await it.openAccount({ credits: 5 })
  const { id } = await readTwice(account)
  await passMonths()
  await it.runJob(deleteOldAnswersJob)
  await passMonths(4.5 * 365)
  const look = async () => {
    for (let day = 0; day < 28; day += 1) {
      it.clock.advance(DAY_SECONDS)
      await it.runJob(deleteOldAnswersJob)
    }
  }
  await look()
  expect(await isStored(id)).toBe(true)
  await passMonths(365)
  await look()
  expect(await isStored(id)).toBe(false)
}, 60_000)

test('a run that ends in the middle is continued, and none that is referred to is lost', async () => {
  const account = await it.openAccount({ credits: 5 })
  const { id, month } = await readTwice(account)
  await addUnused(id, 1_200)
  await passMonths()
  const runUntil = async (most: number) => {
    let looks = 0
    const throwIfAborted = () => (looks += 1) > most && AbortSignal.abort().throwIfAborted()
    return it.runJob(deleteOldAnswersJob, {}, { signal: { throwIfAborted } as never }).then(
      () => true,
      () => false,
    )
  }
  let most = 0
  do {
    most += 1
    expect(await isStored(id)).toBe(true)
  } while (!(await runUntil(most)))
  expect(most).toBeGreaterThan(3)
  await it.runJob(deleteOldAnswersJob)
  expect([await isStored(id), await isStored(`${id}x1200`), await isTable(month)]).toEqual([true, false, false])
})

/** A review of an answer that nothing else refers to. */
const REVIEW = `insert into review_item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
  select 'rev_' || id, $2, domain, id, 'open', 0.5, resolved_at, resolved_at from resolution where id = $1`

test('an answer that a person begins to review while its month is replaced stays', async () => {
  const [account, reviewer] = [await it.openAccount({ credits: 5 }), await it.openAccount()]
  const { id } = await readTwice(account)
  await addUnused(id, 1)
  await passMonths()
  let ran: Promise<unknown> = Promise.resolve()
  await it.app.db.transaction(async (tx) => {
    await tx.query(REVIEW, [`${id}x1`, reviewer.id])
    ran = it.runJob(deleteOldAnswersJob)
    await expect
      .poll(() => it.app.db.query(`select 1 from pg_locks where not granted and relation = 'resolution'::regclass`))
      .toHaveLength(1)
  })
  await ran
  expect(await isStored(`${id}x1`)).toBe(true)
})

test('an answer that a slow request begins to refer to after its month was replaced is back before the month is dropped', async () => {
  const [account, reviewer] = [await it.openAccount({ credits: 5 }), await it.openAccount()]
  const { id, domain, month } = await readTwice(account)
  await addUnused(id, 1)
  await passMonths()
  await it.runJob(deleteOldAnswersJob)
  expect(await isStored(`${id}x1`)).toBe(false)
  await it.app.db.query(
    `insert into review_item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
     values ('rev_slow', $1, $2, $3, 'open', 0.5, $4, $4)`,
    [reviewer.id, domain, `${id}x1`, it.clock.now()],
  )
  await it.runJob(deleteOldAnswersJob)
  expect([await isStored(`${id}x1`), await isTable(month)]).toEqual([true, false])
})

test('every column with the id of an answer holds the answer back, except that of bulk rows', async () => {
  const columns = await it.app.db.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname like '%resolution_id'
       and c.relname <> 'bulk_row'`,
  )
  const [definition] = await it.app.db.query<{ text: string }>(
    `select prosrc as text from pg_proc where proname = 'answers_in_use'`,
  )
  const read = [...(definition?.text ?? '').matchAll(/select (\w+) from (\w+) where \1 = any \(ids\)/g)]
  const named = (all: string[]) => all.toSorted()
  expect(named(read.map(([, column, table]) => `${table}.${column}`))).toEqual(
    named(columns.map(({ table, column }) => `${table}.${column}`)),
  )
})

test('only months that are over can be replaced, and only replaced ones dropped', async () => {
  const account = await it.openAccount({ credits: 5 })
  const { month } = await readTwice(account)
  await expect(it.app.db.query('select drop_answer_month($1)', [month])).rejects.toThrow(
    'is no replaced month of answers',
  )
  await expect(it.app.db.query(`select replace_answer_month('resolution_rest')`)).rejects.toThrow('is no whole month')
})
