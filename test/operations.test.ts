/** Operators look at every process in the same way, whatever its part. */
import { expect, test } from 'vitest'
import { metrics } from '../src/lib/metrics.ts'
import { type Service, startService } from '../src/service.ts'
import { testConfig } from './setup/config.ts'
import { createTestDatabase } from './setup/harness.ts'

const TOKEN = 'a-long-enough-token'

async function withProcess(
  roles: { serve: boolean; work: boolean; follow: boolean },
  look: (ask: (path: string) => Promise<{ status: number; text: string }>, service: Service) => Promise<void>,
): Promise<void> {
  // Other files have counted in this process.
  metrics.resetMetrics()
  const database = await createTestDatabase()
  const config = testConfig({ databaseUrl: database.url, operationsPort: 0, metricsToken: TOKEN, logLevel: 'silent' })
  const service = await startService(config, roles)
  const ask = async (path: string) => {
    const answer = await fetch(new URL(path, service.operationsAddress ?? ''), {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    return { status: answer.status, text: await answer.text() }
  }
  try {
    await look(ask, service)
  } finally {
    await service.close()
    await database.drop()
  }
}

test.each([
  { serve: false, work: true, follow: false },
  { serve: false, work: false, follow: true },
  { serve: true, work: false, follow: false },
])('a process with the parts %o answers probes and tells its metrics on the operations port', async (roles) => {
  await withProcess(roles, async (ask) => {
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/livez')).status).toBe(200)
    const { status, text } = await ask('/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/^nameplate_database_connections\{state="max"\} 10$/m)
    expect(text).toContain('# TYPE nameplate_job_seconds histogram')
    // Counting the queues is left to those that serve: there may be hundreds of workers.
    expect(text.includes('nameplate_jobs{')).toBe(roles.serve)
  })
})

test('the operations port has nothing for customers, and its metrics need the token', async () => {
  await withProcess({ serve: true, work: false, follow: false }, async (ask, { operationsAddress }) => {
    expect((await ask('/v1/status')).status).toBe(404)
    expect((await fetch(new URL('/metrics', operationsAddress ?? ''))).status).toBe(401)
  })
})

test('a process whose database is away is not ready but alive: ending it would not bring the database back', async () => {
  await withProcess({ serve: false, work: false, follow: true }, async (ask, { app }) => {
    await app.db.query(`alter table schema_migration rename to schema_migration_away`)
    expect((await ask('/readyz')).status).toBe(503)
    expect((await ask('/livez')).status).toBe(200)
  })
})

test('no metric has a label that Prometheus would rename', async () => {
  await withProcess({ serve: true, work: true, follow: false }, async (ask) => {
    expect((await ask('/metrics')).text).not.toMatch(/[{,](?:job|instance)="/)
  })
})

test('a thousand health checks at once make a few queries', async () => {
  await withProcess({ serve: true, work: false, follow: false }, async (ask, { app }) => {
    await ask('/healthz')
    let queries = 0
    app.db.pool.on('acquire', () => (queries += 1))
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask('/healthz')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // Three checks each second that the flood lasts, and what the process does by itself.
    expect(queries).toBeLessThan(100)
  })
})

test('the description of the API is written once, and a reader that has it gets 304', async () => {
  await withProcess({ serve: true, work: false, follow: false }, async (_ask, { operationsAddress }) => {
    const url = new URL('/openapi.json', operationsAddress ?? '')
    const first = await fetch(url)
    const tag = first.headers.get('etag') ?? ''
    expect([first.status, ((await first.json()) as { openapi: string }).openapi]).toEqual([200, '3.1.0'])
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    const again = await fetch(url, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})
