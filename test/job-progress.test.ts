/** Watching a domain being read: what the job says meanwhile, and how the whole answer is had afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProgressWriter } from '../src/resolution/worker/work.ts'
import type { Service } from '../src/service.ts'
import {
  ALDER,
  BRACKEN,
  publish,
  siteNaming,
  siteOf,
  siteWithoutCompany,
  whileNoWorkEnds,
  whileRegisterIsBroken,
} from './setup/companies.ts'
import { startWorkerOf, type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN], work: false })
let account: TestAccount
let worker: Service | null = null
beforeAll(async () => {
  await startWorker()
  account = await it.openAccount({ credits: 20 })
  await stopWorker()
})
afterAll(() => stopWorker())

async function startWorker(): Promise<void> {
  worker = await startWorkerOf(it)
}
async function stopWorker(): Promise<void> {
  await worker?.close()
  worker = null
}

const ask = (domain: string, prefer?: string) =>
  it.call('POST', '/v1/resolve/domain', {
    token: account.token,
    body: { domain },
    ...(prefer ? { headers: { prefer } } : {}),
  })
const progressAt = async (url: string) => (await it.call('GET', url)).body.progress
const creditsLeft = async () => (await it.call('GET', '/v1/auth/me', { token: account.token })).body.credits

test('while a site is read, the job says which pages', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  const asked = await ask(domain)
  expect(asked.status).toBe(202)
  expect(asked.body.progress).toEqual({ step: 'queued', pages: [], started_at: null })

  const progress = await whileNoWorkEnds(it.app, async () => {
    await startWorker()
    const all = () => progressAt(asked.body.status_url)
    await expect.poll(async () => (await all()).pages.length).toBeGreaterThan(1)
    return all()
  })
  expect(progress).toMatchObject({
    step: expect.stringMatching(/^(?:reading|deciding)$/),
    started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(progress.pages).toContainEqual({ url: `https://${domain}/`, status: 200 })
  expect(progress.pages).toContainEqual({ url: `https://${domain}/legal`, status: 200 })
  await it.settle()
  const ended = await it.call('GET', asked.body.status_url)
  expect(ended.body).toMatchObject({ status: 'completed', charged: true })
  expect(ended.body).not.toHaveProperty('progress')
  await stopWorker()
})

test('the partner’s job says it too, to its own account', async () => {
  const domain = publish(it.web)
  const body = { domain }
  const asked = await it.call('POST', '/v1/partner/enrich-company', { key: account.key, body })
  expect(asked.body.progress).toMatchObject({ step: 'queued' })
  const read = await it.call('GET', asked.body.status_url, { key: account.key })
  expect(read.body.progress).toEqual({ step: 'queued', pages: [], started_at: null })
})

test('a test key’s job has no site to tell of', async () => {
  const body = { domain: 'slow.test' }
  const asked = await it.call('POST', '/v1/resolve/domain', { key: account.testKey, body })
  expect([asked.status, asked.body.progress]).toEqual([202, null])
})

test('an attempt that broke leaves its job waiting, with nothing read', async () => {
  const domain = publish(it.web)
  const asked = await ask(domain)
  await whileRegisterIsBroken(it.app, async () => {
    await startWorker()
    const states = () =>
      it.app.db.query(`select from pgboss.job where state = 'retry' and data->>'domain' = $1`, [domain])
    await expect.poll(states).toHaveLength(1)
    expect(await progressAt(asked.body.status_url)).toEqual({ step: 'queued', pages: [], started_at: null })
    await stopWorker()
  })
})

test('what cannot be noted is lost, and nobody waits for it', async () => {
  const query = () => Promise.reject(new Error('the database is away'))
  const broken = { ...it.app, db: Object.assign(Object.create(it.app.db), { query }) as typeof it.app.db }
  const work = { kind: 'domain', subject: 'nobody.co.uk', jobId: 'x', startedAt: it.clock.now() } as const
  using notes = new ProgressWriter(broken, work)
  for (let page = 0; page < 30; page += 1) notes.onPage({ url: `https://nobody.co.uk/${page}`, status: 200 })
  notes.onDeciding()
  await expect.poll(() => it.logText()).toContain('resolution.progress_lost')
})

test('many pages at once are one note, and never more than ten are kept', async () => {
  const statements: unknown[][] = []
  const query = async (_text: string, values: unknown[]) => {
    statements.push(values)
    return []
  }
  const counted = { ...it.app, db: Object.assign(Object.create(it.app.db), { query }) as typeof it.app.db }
  const work = { kind: 'domain', subject: 'many.co.uk', jobId: 'x', startedAt: it.clock.now() } as const
  using notes = new ProgressWriter(counted, work)
  for (let page = 0; page < 30; page += 1) notes.onPage({ url: `https://many.co.uk/${page}`, status: 200 })
  await expect.poll(() => statements).toHaveLength(1)
  notes.onDeciding()
  await expect.poll(() => statements.length).toBe(2)
  const last = JSON.parse(String(statements.at(-1)?.[3]))
  expect([last.step, last.pages.length]).toEqual(['deciding', 10])
})

test('a session asks, and has the whole answer by asking again: at once, and for nothing', async () => {
  await startWorker()
  const sites = [siteOf(ALDER), siteNaming(BRACKEN), siteWithoutCompany()]
  const reasons = ['already_paid', 'needs_review_free', 'no_match_free']
  for (const [index, site] of sites.entries()) {
    const domain = publish(it.web, site)
    const first = await ask(domain, 'wait=30')
    expect(first.status).toBe(200)
    const [before, requests] = [await creditsLeft(), it.web.stats.byHost.get(domain)]
    const again = await ask(domain)
    expect([again.status, again.body.resolution_id]).toEqual([200, first.body.resolution_id])
    expect([again.body.charged, again.body.charge_reason]).toEqual([false, reasons[index]])
    expect([await creditsLeft(), it.web.stats.byHost.get(domain)]).toEqual([before, requests])
  }
  await stopWorker()
})
