import { beforeAll, expect, test } from 'vitest'
import type { Settings } from '../rig/settings.ts'
import { startCommand, useTestService } from './setup/harness.ts'
import { doomedJob, TEST_JOBS } from './setup/jobs.ts'

const it = useTestService({ extraJobs: TEST_JOBS })
beforeAll(async () => {
  await it.app.db.query('create table test_note (name text, what text)')
})

const runWith = (change: Settings, ...argv: string[]) => startCommand(it.config, argv, change).ended

test('--help names every command with a word on each, and ends well', async () => {
  const help = await it.run('--help')
  expect(help.code).toBe(0)
  for (const word of ['serve', 'work', 'all', 'migrate', 'account', 'secrets', 'jobs', 'Examples:'])
    expect(help.stdout).toContain(word)
  const account = await it.run('account', '--help')
  for (const word of [
    'create',
    'show',
    'grant',
    'plan',
    'sign-out',
    'ledger',
    'check',
    'list',
    'disable',
    'enable',
    'export',
    'erase',
  ])
    expect(account.stdout).toContain(word)
})

test('a mistake in the command ends with 2 and says what to do', async () => {
  const unknown = await it.run('acount', 'show', 'x')
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('account')])
  const missing = await it.run('account', 'grant', 'ann@customer.test')
  expect(missing.code).toBe(2)
  const amount = await it.run('account', 'grant', 'ann@customer.test', '-5')
  expect(amount.code).toBe(2)
  const config = await runWith({ HASHING_KEY: '', DATABASE_URL: 'nonsense' }, 'jobs', 'list')
  expect([config.code, config.stderr]).toEqual([2, expect.stringContaining('HASHING_KEY: is missing')])
})

test('an operator signs an account out everywhere, and its keys go on working', async () => {
  const person = await it.openAccount()
  const out = await it.run('account', 'sign-out', person.email, '--json')
  expect([out.code, JSON.parse(out.stdout)]).toEqual([0, expect.objectContaining({ account_id: person.id })])
  expect((await it.call('GET', '/v1/auth/me', { token: person.token })).status).toBe(401)
  expect((await it.call('GET', '/v1/auth/me', { key: person.key })).status).toBe(200)
})

test('an account is made, shown, given credits and a plan, and its ledger read', async () => {
  const made = await it.run('account', 'create', 'Ops@customer.test', '--json')
  expect(made.code).toBe(0)
  const account = JSON.parse(made.stdout) as Record<string, string>
  const me = await it.call('GET', '/v1/auth/me', { key: account['api_key'] ?? '' })
  expect(me.body.account_id).toBe(account['account_id'])
  const login = { email: 'ops@customer.test', password: account['password'] }
  expect((await it.call('POST', '/v1/auth/login', { body: login })).status).toBe(200)

  const again = await it.run('account', 'create', 'ops@customer.test')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is an account')])

  const grant = () => it.run('account', 'grant', 'ops@customer.test', '100', '--reference', 'invoice 17', '--json')
  expect(JSON.parse((await grant()).stdout)).toMatchObject({ granted: 100, balance: 125 })
  expect(JSON.parse((await grant()).stdout)).toMatchObject({ granted: 0, balance: 125 })

  const plan = await it.run('account', 'plan', account['account_id'] ?? '', 'growth', '--json')
  expect(JSON.parse(plan.stdout)).toMatchObject({ plan: 'growth', balance: 5_125, monthly_credits: 5_000 })
  expect((await it.run('account', 'plan', 'ops@customer.test', 'gold')).code).toBe(2)

  const shown = await it.run('account', 'show', 'ops@customer.test')
  expect(shown.stdout).toMatch(/available +5125/)
  expect(shown.stdout).not.toContain(account['api_key'])
  const ledger = await it.run('account', 'ledger', 'ops@customer.test')
  for (const word of ['welcome', 'invoice 17', 'plan:growth:']) expect(ledger.stdout).toContain(word)
  const unknown = await it.run('account', 'show', 'nobody@customer.test')
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no account')])
  expect((await it.run('account', 'check')).code).toBe(0)
})

test('dead letters are listed and redriven', async () => {
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, doomedJob, { name: 'cli' }))
  await expect.poll(async () => (await it.app.jobs.listDeadLetters(10)).length).toBe(1)
  const listed = await it.run('jobs', 'list')
  expect(listed.stdout).toContain('test.doomed')
  expect(listed.stdout).toContain('the cause is still there')
  await it.app.db.query(`insert into test_note (name, what) values ('cli', 'cured')`)
  const redriven = await it.run('jobs', 'redrive', 'test.doomed', '--json')
  expect(JSON.parse(redriven.stdout)).toEqual({ redriven: 1 })
  await it.settle()
  const { dead_letters: letters } = JSON.parse((await it.run('jobs', 'list', '--json')).stdout) as {
    dead_letters: unknown[]
  }
  expect(letters).toEqual([])
})

test('migrate says what it did; on a database at another version, other commands say to migrate', async () => {
  expect((await it.run('migrate')).stdout).toContain('up to date')
  const name = `empty_${Date.now()}`
  await it.app.db.query(`create database ${name}`)
  const url = new URL(it.config.databaseUrl)
  url.pathname = `/${name}`
  const early = await runWith({ DATABASE_URL: url.href }, 'jobs', 'list')
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('nameplated migrate')])
  expect((await runWith({ DATABASE_URL: url.href }, 'migrate')).stdout).toContain('0001_baseline.sql')
  await it.app.db.query(`drop database ${name} with (force)`)
})

test('production does not start on simulators or over plain http', async () => {
  const refused = await runWith({ ENVIRONMENT: 'production', SIMULATED: 'mailbox' }, 'all')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('production does not run on simulators')
  expect(refused.stderr).toContain('BASE_URL: must be https')
})
