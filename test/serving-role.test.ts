/** The service on a role that may read and write rows and nothing more, while another owns the tables. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { executeSql } from '../rig/postgres.ts'
import { JOBS } from '../src/jobs.ts'
import { createLog } from '../src/lib/log.ts'
import { disableAccount, eraseAccount } from '../src/privacy/index.ts'
import { deleteOldAnswersJob } from '../src/resolution/index.ts'
import { migrateDatabase } from '../src/service.ts'
import { testConfig } from './setup/config.ts'
import { createTestDatabase, DAY_SECONDS, startTestService, type TestService } from './setup/harness.ts'
import { rename, subscribe } from './setup/webhooks.ts'

const ROLE = `serving_${randomBytes(4).toString('hex')}`

let database: { url: string; drop(): Promise<void> }
let it: TestService
beforeAll(async () => {
  database = await createTestDatabase()
  const serving = new URL(database.url)
  serving.username = ROLE
  serving.password = randomBytes(12).toString('hex')
  const urls = { databaseUrl: serving.href, migrationDatabaseUrl: database.url }
  const log = createLog({ level: 'silent' })
  await migrateDatabase(testConfig(urls), log)
  // Again, as on every deployment.
  await migrateDatabase(testConfig(urls), log)
  it = await startTestService({
    ...urls,
    sites: {
      'lantern.co.uk': {
        pages: { '/': 'Harbour Lantern Ltd, registered in England and Wales, company number 09876543' },
      },
    },
    companies: [{ number: '09876543', name: 'HARBOUR LANTERN LTD', postcode: 'HG4 1AA' }],
  })
})
afterAll(async () => {
  await it[Symbol.asyncDispose]()
  await executeSql(database.url, `drop owned by ${ROLE}`)
  await database.drop()
  await executeSql(inject('postgresUrl'), `drop role ${ROLE}`)
})

test('the service runs end to end on a role that may only read and write rows', async () => {
  const [row] = await it.app.db.query<{ name: string }>('select current_user as name')
  expect(row?.name).toBe(ROLE)
  const account = await it.signUp()
  const { company, receiver } = await subscribe(it, { account })
  const asked = await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain: 'lantern.co.uk' } })
  expect([200, 202]).toContain(asked.status)
  await it.settle()
  expect((await it.call('GET', '/v1/companies/09876543', { key: account.key })).status).toBe(200)
  await rename(it, company)
  await it.settle()
  expect(receiver.arrived).toBe(1)
  const { token } = account
  expect((await it.call('GET', '/v1/account/ledger', { token })).status).toBe(200)
})

test('every scheduled job runs on it', async () => {
  for (const job of JOBS.filter(({ schedule }) => schedule)) {
    await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, job, {}))
  }
  await it.settle()
  expect(it.logText()).not.toMatch(/permission denied|must be owner/)
  expect(await it.app.jobs.listDeadLetters(10)).toEqual([])
})

test('months of answers are replaced, dropped and looked at again on it', async () => {
  it.clock.advance(500 * DAY_SECONDS)
  for (let day = 0; day < 28; day += 1) {
    it.clock.advance(DAY_SECONDS)
    await it.runJob(deleteOldAnswersJob)
  }
  const months = await it.app.db.query<{ state: string }>('select distinct state from old_answer_months($1)', [
    it.clock.now(),
  ])
  expect(months.map(({ state }) => state).toSorted()).toEqual(['kept', 'whole'])
})

test('an account is disabled and erased on it', async () => {
  const account = await it.signUp()
  await disableAccount(it.app, account.id)
  await eraseAccount(it.app, account)
  const rows = await it.app.db.query('select from audit_event where account_id = $1 and ip is not null', [account.id])
  expect(rows).toEqual([])
})

test.each([
  'create table stolen (id integer)',
  'drop table account',
  'alter table account add column note text',
  'truncate watch',
  'alter table ledger_entry disable trigger all',
  'drop trigger ledger_entry_append_only on ledger_entry',
  `set session_replication_role = 'replica'`,
  'update ledger_entry set amount = amount',
  'delete from audit_event',
  'update audit_chain set entries = 0',
  'delete from audit_chain',
  'select append_to_audit_chain(null, 1, null)',
  `update audit_event set ip = null`,
  'update review_decision set reason = null',
  `insert into schema_migration (name, sha256) values ('x', 'x')`,
  'create schema stolen',
  'alter function forget_addresses rename to harmless',
])('it may not: %s', async (statement) => {
  await expect(it.app.db.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})
