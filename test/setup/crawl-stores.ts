import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { executeSql } from '../../rig/postgres.ts'
import type { Config } from '../../src/config.ts'
import { Database } from '../../src/lib/db/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'

/** The crawl stores `c1` and `c2` for the tests of a file, beside the main database of its service. */
export function useCrawlStores(it: { config: Config }) {
  const stores = new Map<string, Database>()
  /** The migrations that ran. */
  const migrated: string[] = []
  const addressOf = (name: string) => ({ name, url: stores.get(name)?.url ?? null })
  const configOf = (names: string[], previous: string[] = []): Config => ({
    ...it.config,
    crawl: { stores: names.map(addressOf), previous: previous.map(addressOf) },
  })
  beforeAll(async () => {
    for (const name of ['c1', 'c2']) {
      const database = `crawl_${randomBytes(6).toString('hex')}`
      await executeSql(inject('postgresUrl'), `create database ${database}`)
      const url = new URL(inject('postgresUrl'))
      url.pathname = `/${database}`
      stores.set(name, new Database({ url: url.href, connectionsMax: 4, applicationName: 'test' }))
    }
    migrated.push(...(await migrateDatabase(configOf(['c1', 'c2']), createLog({ level: 'silent' }))))
  })
  afterAll(async () => {
    for (const { url, ...db } of stores.values()) {
      await db.pool.end()
      await executeSql(inject('postgresUrl'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)
    }
  })
  return { stores, migrated, addressOf, configOf }
}
