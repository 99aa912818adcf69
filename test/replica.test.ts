/** A replica answers what only reads. No caller can see the difference, whatever happens to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../rig/postgres.ts'
import { findMissingPackage, ReplicatedPostgres } from '../rig/replicated-postgres.ts'
import { syntheticSignal } from '../rig/synthetic-signal.ts'
import { readPosition } from '../src/lib/db/position.ts'
import { createLog } from '../src/lib/log.ts'
import { databaseReads } from '../src/lib/metrics.ts'
import { migrateDatabase, startService } from '../src/service.ts'
import { raiseSignals } from '../src/signals/index.ts'
import { newCompany } from './setup/companies.ts'
import { testConfig } from './setup/config.ts'
import { type Call, createPlainCall, prepare, startTestService, type TestKeys, WAIT } from './setup/harness.ts'

const isMissing = findMissingPackage() !== null && !process.env['CI']

describe.skipIf(isMissing)('with a replica', () => {
  const servers = prepare(
    async () => ({ pair: await ReplicatedPostgres.start() }),
    ({ pair }) => pair[Symbol.asyncDispose](),
  )
  const it = prepare(
    async () => {
      const databaseUrl = servers.pair.primary.url
      await migrateDatabase(testConfig({ databaseUrl }), createLog({ level: 'silent' }))
      await servers.pair.untilCaughtUp()
      return startTestService({ databaseUrl, databaseReplicaUrl: servers.pair.replicaUrl() })
    },
    (service) => service[Symbol.asyncDispose](),
  )
  /** A second API process. */
  const other = prepare(
    async () => {
      const port = await findFreePort()
      const url = new URL(`http://127.0.0.1:${port}`)
      const config = { ...it.config, listen: { host: '127.0.0.1', port }, baseUrl: url, siteUrl: url }
      const service = await startService(config, { serve: true, work: false, clock: it.clock, log: it.app.log })
      return { service, app: service.app, call: createPlainCall(url) }
    },
    ({ service }) => service.close(),
  )
  const replicas = () => [it.app.replica, other.app.replica]
  const untilInUse = async () => {
    await expect.poll(() => replicas().every((replica) => replica?.isInUse)).toBe(true)
  }

  afterEach(async () => {
    servers.pair.thawReplica()
    await servers.pair.resumeReplay()
    await servers.pair.untilCaughtUp()
    await untilInUse()
  })

  const search = (call: Call, { key }: TestKeys, name: string) =>
    call('GET', `/v1/companies/search?name=${encodeURIComponent(name)}`, { key })
  const resolve = (call: Call, { key }: TestKeys, domain: string) =>
    call('POST', '/v1/resolve/domain', { key, headers: WAIT, body: { domain } })

  /** An account that has paid for a match, and asked both processes for it. */
  async function known() {
    const account = await it.openAccount({ credits: 20 })
    const company = await newCompany(it)
    const first = await resolve(it.call, account, company.domain)
    expect(first.body).toMatchObject({ outcome: 'matched', charged: true })
    for (const { call } of [it, other]) await resolve(call, account, company.domain)
    return { account, company, domain: company.domain, id: first.body.resolution_id as string }
  }

  /** How many statements each server has answered meanwhile. */
  async function countReads(during: () => Promise<unknown>): Promise<Record<string, number>> {
    const read = async () => (await databaseReads.get()).values.map((value) => ({ ...value }))
    const before = await read()
    await during()
    const counts: Record<string, number> = {}
    for (const { labels, value } of await read()) {
      const earlier = before.find((one) => one.labels.server === labels.server && one.labels.reason === labels.reason)
      const reads = value - (earlier?.value ?? 0)
      if (reads > 0) counts[`${labels.server} ${labels.reason}`] = reads
    }
    return counts
  }

  test('it answers searches, profiles, the feed and known answers', async () => {
    const { account, company, domain } = await known()
    const { key } = account
    const asks: Array<() => Promise<{ status: number }>> = [
      () => search(it.call, account, company.name),
      () => it.call('GET', `/v1/companies/${company.number}`, { key }),
      () => it.call('GET', '/v1/signals', { key }),
      () => resolve(it.call, account, domain),
    ]
    for (const ask of asks) {
      const counts = await countReads(async () => expect((await ask()).status).toBe(200))
      expect(Object.keys(counts)).toEqual(['replica fresh'])
    }
  })

  const CHANGES: Array<{
    name: string
    change: (of: Awaited<ReturnType<typeof known>>) => Promise<unknown>
    isSeen: (call: Call, of: Awaited<ReturnType<typeof known>>) => Promise<unknown>
  }> = [
    {
      name: 'a renamed company',
      change: ({ company }) =>
        it.app.db.query(`update company set name = 'RENAMED LIMITED' where number = $1`, [company.number]),
      isSeen: async (call, { account, company, domain }) => {
        const { body } = await resolve(call, account, domain)
        expect(body.company.company_name).toBe('RENAMED LIMITED')
        const profile = await call('GET', `/v1/companies/${company.number}`, { key: account.key })
        expect(profile.body.company_name).toBe('RENAMED LIMITED')
        const found = await search(call, account, company.number)
        expect(found.body.data[0].company_name).toBe('RENAMED LIMITED')
      },
    },
    {
      name: 'a dispute with its refund',
      change: ({ account, id }) =>
        it.call('POST', `/v1/resolutions/${id}/dispute`, { key: account.key, body: { reason: 'wrong' } }),
      isSeen: async (call, { account, domain }) => {
        const { body, headers } = await resolve(call, account, domain)
        expect(body).toMatchObject({ outcome: 'no_match', charge_reason: 'own_decision_free' })
        expect(headers.get('credits-remaining')).toBe('20')
      },
    },
    {
      name: 'a signal of a company that the account has begun to watch',
      change: async ({ account, company }) => {
        const body = { company_number: company.number }
        expect((await it.call('POST', '/v1/watchlist', { key: account.key, body })).status).toBe(201)
        const signal = syntheticSignal(company.number, account.id)
        await it.app.db.transaction((tx) => raiseSignals(it.app, tx, [signal], it.clock.now()))
      },
      isSeen: async (call, { account, company }) => {
        const { body } = await call('GET', '/v1/signals', { key: account.key })
        expect(body.data).toMatchObject([{ company_number: company.number }])
      },
    },
    {
      name: 'a key that was replaced at once',
      change: ({ account }) =>
        it.app.db.query(`update api_key set expires_at = $2 where account_id = $1 and mode = 'live'`, [
          account.id,
          new Date(it.clock.now().getTime() - 1_000),
        ]),
      isSeen: async (call, { account, domain }) => expect((await resolve(call, account, domain)).status).toBe(401),
    },
  ]

  describe.each(CHANGES)('$name', ({ change, isSeen }) => {
    test('is seen by the next request to any process, while the replica is behind', async () => {
      const of = await known()
      await servers.pair.pauseReplay()
      await change(of)
      for (const call of [other.call, it.call]) await isSeen(call, of)
    })
  })

  test('without the position a read would be old: it is the check that keeps it right', async () => {
    const { company } = await known()
    const position = await readPosition(it.app.db)
    if (!position) throw new Error('the primary has no position')
    await servers.pair.untilCaughtUp()
    await servers.pair.pauseReplay()
    await it.app.db.query(`update company set name = 'RENAMED LIMITED' where number = $1`, [company.number])
    const nameAsOf = async (at: typeof position | null) => {
      const rows = await it.app.reads.asOf(at).query('select name from company where number = $1', [company.number])
      return rows[0]?.['name']
    }
    expect(await nameAsOf(position)).toBe(company.name)
    expect(await nameAsOf(await readPosition(it.app.db))).toBe('RENAMED LIMITED')
    expect(await nameAsOf({ ...position, timeline: '0000000F' })).toBe('RENAMED LIMITED')
  })

  test('a replica that hangs delays a request a little, and the next ones not at all', {
    timeout: 60_000,
  }, async () => {
    const { account, company } = await known()
    servers.pair.freezeReplica()
    const times: number[] = []
    for (let count = 0; count < 8; count += 1) {
      const startedMs = performance.now()
      expect((await search(it.call, account, company.name)).status).toBe(200)
      times.push(performance.now() - startedMs)
    }
    expect(Math.max(...times)).toBeLessThan(2_000)
    expect(it.app.replica?.isInUse).toBe(false)
    servers.pair.thawReplica()
    await untilInUse()
    const counts = await countReads(async () => {
      expect((await search(it.call, account, company.name)).status).toBe(200)
    })
    expect(Object.keys(counts)).toEqual(['replica fresh'])
  })

  test('a replica that dies fails no request, and is used again when it is back', async () => {
    const { account, company } = await known()
    await servers.pair.killReplica()
    for (let count = 0; count < 8; count += 1) {
      for (const { call } of [it, other]) expect((await search(call, account, company.name)).status).toBe(200)
    }
    expect(it.app.replica?.isInUse).toBe(false)
    await servers.pair.startReplica()
    await untilInUse()
  })

  test('a read that the replica cancels to go on replaying is answered by the primary', async () => {
    await it.app.db.query('create table conflicting as select generate_series(1, 10) as id')
    await servers.pair.untilCaughtUp()
    const reads = it.app.reads.asOf(await readPosition(it.app.db))
    const counts = await countReads(async () => {
      const read = reads.query(`select count(*), pg_sleep(0.4) from conflicting`)
      await sleep(50)
      await it.app.db.query('truncate conflicting')
      expect(await read).toMatchObject([{ count: 0 }])
    })
    expect(counts).toEqual({ 'primary conflict': 1 })
    expect(it.app.replica?.isInUse).toBe(true)
  })

  test('the metrics show how far it is behind and which server answered', async () => {
    const { account, company } = await known()
    await search(it.call, account, company.name)
    const { body } = await it.call('GET', '/metrics')
    const text = String(body)
    expect(text).toMatch(/^nameplate_replica_lag_bytes\{server="replica"\} \d+$/m)
    expect(text).toMatch(/^nameplate_replica_lag_seconds\{server="replica"\} \d/m)
    expect(text).toMatch(/^nameplate_replica_in_use\{server="replica"\} 1$/m)
    expect(text).toMatch(/^nameplate_database_reads_total\{server="replica",reason="fresh"\} \d+$/m)
  })
})
