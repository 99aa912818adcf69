/** The archive of old months: a customer who has the id of an answer finds it as before. */
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makePartitionsJob } from '../src/lib/db/partitions.ts'
import { archiveAnswersJob, findAnswer, sweepResolutionsJob } from '../src/resolution/index.ts'
import { ALDER, publish } from './setup/companies.ts'
import { DAY_SECONDS, useTestService, WAIT } from './setup/harness.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-archive-'))
afterAll(() => rm(directory, { recursive: true }))

const it = useTestService({ companies: [ALDER], archive: { directory, afterMonths: 13 } })

const isStored = async (id: string) =>
  (await it.app.db.query('select from resolution where id = $1', [id])).length === 1

const listFiles = async () => (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.zst'))

/** Reads a domain once, and again in a later month; then more than a year passes. */
async function growOld({ readsAgain = true } = {}) {
  const account = await it.openAccount({ credits: 5 })
  const domain = publish(it.web)
  const resolve = async () => {
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
    return body.resolution_id as string
  }
  await it.runJob(makePartitionsJob)
  const id = await resolve()
  const readEvidence = () => it.call('GET', `/v1/resolutions/${id}/evidence?format=json`, { key: account.key })
  const before = await readEvidence()
  expect(before.status).toBe(200)
  it.clock.advance(62 * DAY_SECONDS)
  if (readsAgain) expect(await resolve()).not.toBe(id)
  it.clock.advance(380 * DAY_SECONDS)
  await it.runJob(sweepResolutionsJob)
  await it.runJob(makePartitionsJob)
  return { account, id, before: before.body, readEvidence, resolve }
}

test('the evidence of an answer is the same after its month moved to the archive', async () => {
  const { id, before, readEvidence } = await growOld()
  const expected = (await readEvidence()).body
  expect(expected.resolution).toEqual(before.resolution)
  await it.runJob(archiveAnswersJob)
  expect(await isStored(id)).toBe(false)
  const { status, body } = await readEvidence()
  expect(status).toBe(200)
  expect({ ...body, read_at: null }).toEqual({ ...expected, read_at: null })
})

test('the newest answer of a domain stays in the table, however old it is', async () => {
  const { id, readEvidence } = await growOld({ readsAgain: false })
  await it.runJob(archiveAnswersJob)
  expect(await isStored(id)).toBe(true)
  expect((await readEvidence()).status).toBe(200)
})

test('an archived answer can be disputed, and is in the table again for those who check it', async () => {
  const { account, id, resolve } = await growOld()
  await it.runJob(archiveAnswersJob)
  expect(await isStored(id)).toBe(false)
  await resolve()
  const { status } = await it.call('POST', `/v1/resolutions/${id}/dispute`, {
    key: account.key,
    body: { reason: 'It is another company.' },
  })
  expect(status).toBe(200)
  expect(await isStored(id)).toBe(true)
})

test('a run that ends in the middle is continued: every answer is in one file, and none is lost', async () => {
  const { id, readEvidence } = await growOld()
  await it.app.db.query(
    `insert into resolution select $2 || n, domain, outcome, situation, confidence, company_number, reason, findings,
       model_version, resolved_at
     from resolution, generate_series(1, 450) n where id = $1`,
    [id, `${id}x`],
  )
  const filesBefore = await listFiles()
  const stopped = AbortSignal.abort()
  await expect(it.runJob(archiveAnswersJob, {}, { signal: stopped })).rejects.toThrow()
  expect(await isStored(id)).toBe(true)
  await it.runJob(archiveAnswersJob)
  await it.runJob(archiveAnswersJob)
  expect((await listFiles()).length - filesBefore.length).toBeGreaterThanOrEqual(3)
  expect(await isStored(`${id}x450`)).toBe(false)
  expect((await readEvidence()).status).toBe(200)
  const [sums] = await it.app.db.query<{ answers: number; files: number }>(
    `select sum(answers)::int as answers, count(*)::int as files from archived_file
     where month = (select month from archived_file where first_id <= $1 and last_id >= $1 limit 1)`,
    [id],
  )
  expect(sums?.answers).toBeGreaterThan(450)
})

test('a file that was changed is not believed', async () => {
  const { id } = await growOld()
  await it.runJob(archiveAnswersJob)
  const [file] = await it.app.db.query<{ path: string }>(
    'select path from archived_file where first_id <= $1 and last_id >= $1 order by archived_at desc limit 1',
    [id],
  )
  await appendFile(join(directory, file?.path ?? ''), 'x')
  await expect(findAnswer(it.app, id)).rejects.toThrow('is not the file that was archived')
})

test('an answer that a person begins to review while its month is archived stays in the table', async () => {
  const { account, id } = await growOld()
  let archived: Promise<unknown> = Promise.resolve()
  await it.app.db.transaction(async (tx) => {
    await tx.query('select from resolution where id = $1', [id])
    await tx.query(
      `insert into review_item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
       select 'rev_' || id, $2, domain, id, 'open', 0.5, resolved_at, resolved_at from resolution where id = $1`,
      [id, account.id],
    )
    archived = it.runJob(archiveAnswersJob)
    await expect
      .poll(() => it.app.db.query(`select 1 from pg_locks where not granted and relation = 'resolution'::regclass`))
      .toHaveLength(1)
  })
  await archived
  expect(await isStored(id)).toBe(true)
})
