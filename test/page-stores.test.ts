/** Kept pages in a folder or a bucket: moved when they are safely there, read from wherever they are, deleted there too. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { SimulatedObjectStore } from '../rig/object-store.ts'
import { toPageSettings } from '../rig/settings.ts'
import type { PageArchiveConfig } from '../src/config.ts'
import { deletePages, findBody, listCaptures, moveBodiesJob, verifyBodies } from '../src/page-archive/index.ts'
import { newCompany } from './setup/companies.ts'
import { prepare, startCommand, type TestService, useTestService, WAIT } from './setup/harness.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-page-store-'))
const store = await new SimulatedObjectStore().listen()
afterAll(async () => {
  await rm(directory, { recursive: true })
  await store[Symbol.asyncDispose]()
})

beforeEach(() => {
  store.trouble = null
  store.isLineBad = false
  store.requests.length = 0
})

const inFolder: PageArchiveConfig = { keepsIn: 'folder', directory, s3: null }
const inBucket: PageArchiveConfig = { keepsIn: 's3', directory, s3: store.config }

const listFiles = async () => (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.zst'))
const countIn = async (it: TestService, where: string) =>
  (await it.app.db.query('select from page_body where stored_in = $1', [where])).length

/** A site that is read; returns the hashes of the pages that its answer quotes. */
function reader(it: TestService) {
  const account = prepare(() => it.openAccount({ credits: 100 }))
  return async () => {
    const { domain } = await newCompany(it)
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
    const captures = await listCaptures(it.app.db, body.resolution_id)
    expect(captures.length).toBeGreaterThan(0)
    return { domain, hashes: captures.map(({ sha256 }) => sha256) }
  }
}

async function expectWhole(it: TestService, hashes: readonly string[]) {
  for (const hash of hashes) expect(await findBody(it.app, hash)).not.toBeNull()
  expect(await verifyBodies(it.app, () => undefined)).toMatchObject({ missing: 0, damaged: 0, unreachable: 0 })
}

describe('in a folder', () => {
  const it = useTestService({ pageArchive: inFolder, work: true })
  const read = reader(it)

  test('pages are files, named by their hash, and leave the database; to move twice changes nothing', async () => {
    const { hashes } = await read()
    await it.runJob(moveBodiesJob)
    await it.runJob(moveBodiesJob)
    expect(await countIn(it, 'postgres')).toBe(0)
    const files = await listFiles()
    for (const hash of hashes) expect(files.filter((name) => name.includes(hash))).toHaveLength(1)
    await expectWhole(it, hashes)
  })

  test('a file that was changed or lost is found', async () => {
    const { hashes } = await read()
    await it.runJob(moveBodiesJob)
    const named = (hash: string | undefined, files: string[]) => files.find((name) => name.includes(hash ?? '')) ?? ''
    const path = join(directory, named(hashes[0], await listFiles()))
    await writeFile(path, 'something else')
    expect(await verifyBodies(it.app, () => undefined)).toMatchObject({ missing: 0, damaged: 1 })
    await rm(path)
    const ran = await it.run('archive', 'verify', '--json')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ missing: 1, damaged: 0 })
  })

  test('pages that are deleted leave the folder', async () => {
    const { domain, hashes } = await read()
    await it.runJob(moveBodiesJob)
    await deletePages(it.app, domain)
    await it.runJob(moveBodiesJob)
    const files = await listFiles()
    for (const hash of hashes) expect(files.some((name) => name.includes(hash))).toBe(false)
    expect(await it.app.db.query('select from page_removal')).toEqual([])
  })

  test('pages that are deleted leave the folder also while many others wait for a bucket without settings', async () => {
    await it.app.db.query(
      `insert into page_removal (path, stored_in) select '00/' || number, 's3' from generate_series(1, 200) number`,
    )
    const { domain, hashes } = await read()
    await it.runJob(moveBodiesJob)
    await deletePages(it.app, domain)
    await it.runJob(moveBodiesJob)
    const files = await listFiles()
    for (const hash of hashes) expect(files.some((name) => name.includes(hash))).toBe(false)
    const left = await it.app.db.query(
      'select distinct stored_in, count(*)::integer from page_removal group by stored_in',
    )
    expect(left).toEqual([{ stored_in: 's3', count: 200 }])
  })
})

describe('in a bucket', () => {
  const it = useTestService({ pageArchive: inBucket })
  const read = reader(it)
  const held = (hash: string) => [...store.objects.keys()].filter((key) => key.includes(hash))

  test('pages are objects, put by signed requests, and are exported from there', async () => {
    const { domain, hashes } = await read()
    await it.runJob(moveBodiesJob)
    expect(await countIn(it, 'postgres')).toBe(0)
    // The job of the clock may put the same one at the same time.
    expect(store.requests.every(({ status }) => [200, 412].includes(status))).toBe(true)
    for (const hash of hashes) expect(held(hash)).toHaveLength(1)
    await expectWhole(it, hashes)
    const file = join(directory, 'from-bucket.warc.gz')
    const ran = await it.run('archive', 'export', domain, '--output', file)
    expect(ran).toMatchObject({ code: 0 })
  })

  test.each(['refuse', 'hang_up', 'forget'] as const)(
    'a store that is in trouble (%s) loses nothing: pages wait in the database and go when it is well',
    async (trouble) => {
      store.trouble = trouble
      const { hashes } = await read()
      await it.runJob(moveBodiesJob)
      await it.runJob(moveBodiesJob)
      expect(await countIn(it, 'postgres')).toBeGreaterThanOrEqual(hashes.length)
      expect(it.logText()).toContain('page_archive.store_away')
      expect((await it.call('GET', '/metrics')).text).toMatch(/^nameplate_page_store_failures_total [1-9]/m)
      store.trouble = null
      await expectWhole(it, hashes)
      await it.runJob(moveBodiesJob)
      expect(await countIn(it, 'postgres')).toBe(0)
      for (const hash of hashes) expect(held(hash)).toHaveLength(1)
      await expectWhole(it, hashes)
    },
  )

  test('a page that is damaged on its way is refused by its signed hash, and stays in the database', async () => {
    store.isLineBad = true
    const { hashes } = await read()
    await it.runJob(moveBodiesJob)
    expect(store.requests.map(({ status }) => status)).toContain(400)
    for (const hash of hashes) expect(held(hash)).toEqual([])
    store.isLineBad = false
    await it.runJob(moveBodiesJob)
    await expectWhole(it, hashes)
  })

  test('pages that are deleted while the store is away are deleted there later', async () => {
    const { domain, hashes } = await read()
    await it.runJob(moveBodiesJob)
    store.trouble = 'refuse'
    await deletePages(it.app, domain)
    await it.runJob(moveBodiesJob)
    expect(hashes.flatMap(held)).toHaveLength(new Set(hashes).size)
    store.trouble = null
    await it.runJob(moveBodiesJob)
    expect(hashes.flatMap(held)).toEqual([])
  })

  test('a page that is deleted and kept again is there, although the store deletes the first one later', async () => {
    const { domain, hashes } = await read()
    await it.runJob(moveBodiesJob)
    await deletePages(it.app, domain)
    it.clock.advance(16 * 60)
    const account = await it.openAccount({ credits: 1 })
    const body = { domain, max_age_days: 0 }
    await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body })
    await it.runJob(moveBodiesJob)
    for (const hash of hashes) expect(held(hash)).toHaveLength(1)
    await expectWhole(it, hashes)
  })

  test('over the API a store that is away is 503, and the file comes when it is well', async () => {
    const account = await it.openAccount({ credits: 1 })
    const { domain } = await newCompany(it)
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
    await it.runJob(moveBodiesJob)
    const id = body.resolution_id
    const open = () => it.call('GET', `/v1/resolutions/${id}/archive`, { key: account.key })
    store.trouble = 'refuse'
    expect((await open()).status).toBe(503)
    store.trouble = null
    expect((await open()).status).toBe(200)
  })

  test('a store that does not answer is named as unreachable, and a wrong key is no answer', async () => {
    await read()
    await it.runJob(moveBodiesJob)
    const wrong = { ...inBucket, s3: { ...store.config, secretKey: 'another' } }
    const { ended } = startCommand(it.config, ['archive', 'verify', '--json'], toPageSettings(wrong))
    const ran = await ended
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ missing: 0, damaged: 0 })
    expect(JSON.parse(ran.stdout).unreachable).toBeGreaterThan(0)
    expect(ran.stderr).toContain('run this again')
  })
})

describe('off', () => {
  const it = useTestService({ pageArchive: { keepsIn: 'off', directory: null, s3: null } })
  const account = prepare(() => it.openAccount({ credits: 5 }))

  test('keeps no page', async () => {
    const { domain } = await newCompany(it)
    const { body } = await it.call('POST', '/v1/resolve/domain', { key: account.key, headers: WAIT, body: { domain } })
    expect(body.outcome).toBe('matched')
    expect(await listCaptures(it.app.db, body.resolution_id)).toEqual([])
  })
})
