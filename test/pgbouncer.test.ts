/** The service behind PgBouncer in transaction mode, with fewer connections to the database than it asks for. */
import { describe, expect, inject, test } from 'vitest'
import { isPgBouncerInstalled, startPgBouncer } from '../rig/pgbouncer.ts'
import { syntheticSignal } from '../rig/synthetic-signal.ts'
import { Database } from '../src/lib/db/db.ts'
import { startService } from '../src/service.ts'
import { raiseSignals } from '../src/signals/index.ts'
import { newCompany } from './setup/companies.ts'
import { createTestDatabase, prepare, startTestService, WAIT } from './setup/harness.ts'

const CONNECT_QUERY = 'set statement_timeout = 30000; set idle_in_transaction_session_timeout = 30000'
const CONNECTIONS_MAX = 3
const AT_ONCE = 40

describe.skipIf(!isPgBouncerInstalled() && !process.env['CI'])('behind PgBouncer', () => {
  const it = prepare(
    async () => {
      const serverUrl = inject('postgresUrl')
      const pgBouncer = await startPgBouncer({
        serverUrl,
        connectionsMax: CONNECTIONS_MAX,
        connectQuery: CONNECT_QUERY,
      })
      const database = await createTestDatabase()
      const databaseUrl = pgBouncer.through(database.url)
      const service = await startTestService({ databaseUrl, databasePooler: 'pgbouncer' })
      const end = async () => {
        await service[Symbol.asyncDispose]()
        await pgBouncer[Symbol.asyncDispose]()
        await database.drop()
      }
      return { ...service, database, end }
    },
    ({ end }) => end(),
  )

  test('an account signs up, is answered, charged once, searches, watches and disputes', async () => {
    const account = await it.signUp()
    const { key } = account
    const company = await newCompany(it)
    const ask = () => it.call('POST', '/v1/resolve/domain', { key, headers: WAIT, body: { domain: company.domain } })
    const first = await ask()
    expect(first.body).toMatchObject({ outcome: 'matched', charged: true })
    expect((await ask()).body).toMatchObject({ outcome: 'matched', charged: false })
    const found = await it.call('GET', `/v1/companies/search?name=${encodeURIComponent(company.name)}`, { key })
    expect(found.body.data[0].company_number).toBe(company.number)
    await it.call('POST', '/v1/watchlist', { key, body: { company_number: company.number } })
    const signal = syntheticSignal(company.number, 'behind PgBouncer')
    await it.app.db.transaction((tx) => raiseSignals(it.app, tx, [signal], it.clock.now()))
    expect((await it.call('GET', '/v1/signals', { token: account.token })).body.data).toHaveLength(1)
    const id = first.body.resolution_id as string
    const disputed = await it.call('POST', `/v1/resolutions/${id}/dispute`, { key, body: { reason: 'wrong' } })
    expect(disputed.status).toBe(200)
    expect((await ask()).body).toMatchObject({ outcome: 'no_match' })
    await it.expectBalanced()
  })

  test('a bulk job runs to its end, and every row is charged once', async () => {
    const { key, id } = await it.openAccount({ credits: 30 })
    const companies = await Promise.all(Array.from({ length: 6 }, () => newCompany(it)))
    const body = { domains: companies.map(({ domain }) => domain) }
    const { body: job } = await it.call('POST', '/v1/bulk', { key, body })
    await expect.poll(async () => (await it.call('GET', `/v1/bulk/${job.id}`, { key })).body.status).toBe('completed')
    const [row] = await it.app.db.query<{ captured: number }>(
      `select count(*) as captured from ledger_entry where account_id = $1 and kind = 'capture'`,
      [id],
    )
    expect(row?.captured).toBe(companies.length)
    await it.expectBalanced()
  })

  test(`${AT_ONCE} requests at once share ${CONNECTIONS_MAX} connections`, async () => {
    const { key } = await it.openAccount()
    const company = await newCompany(it)
    const ask = () => it.call('GET', `/v1/companies/${company.number}`, { key })
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, ask))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const connections = await it.app.db.query(
      `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
    )
    expect(connections.length).toBeLessThanOrEqual(CONNECTIONS_MAX)
  })

  test('dates count in UTC on every connection, whatever the zone of the server', async () => {
    await using pgBouncer = await startPgBouncer({
      serverUrl: inject('postgresUrl'),
      connectionsMax: CONNECTIONS_MAX,
      connectQuery: 'set timezone = Japan',
    })
    const url = pgBouncer.through(it.database.url)
    const open = () => new Database({ url, connectionsMax: 2, applicationName: 'test', pooler: 'pgbouncer' })
    const databases = Array.from({ length: 4 }, open)
    const readZone = async (db: Database) => {
      const [row] = await db.transaction((tx) =>
        tx.query<{ zone: string }>(`select current_setting('timezone') as zone from pg_sleep(0.01)`),
      )
      return row?.zone
    }
    const zones = await Promise.all(Array.from({ length: 20 }, () => databases.map(readZone)).flat())
    expect(new Set(zones)).toEqual(new Set(['UTC']))
    for (const db of databases) await db.close()
  })

  test('a service whose statements could last for ever does not start', async () => {
    await using unbounded = await startPgBouncer({ serverUrl: inject('postgresUrl'), connectionsMax: 2 })
    const config = { ...it.config, databaseUrl: unbounded.through(it.database.url) }
    await expect(startService(config, { serve: false, work: false })).rejects.toThrow('connect_query')
  })
})
