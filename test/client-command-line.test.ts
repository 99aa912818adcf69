/** `nameplate` as a customer has it: readable for people, JSON for programs, and every failure explains what to do. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { programEnvironment } from '../rig/program.ts'
import { ALDER, BRACKEN, SITES } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { rename, subscribe } from './setup/webhooks.ts'

const MAIN = join(import.meta.dirname, '../clients/cli/main.ts')
const LIFE_MS = 300_000

const it = useTestService({ companies: [ALDER, BRACKEN], sites: SITES })
const owner = prepare(() => it.openAccount({ credits: 20 }))
const home = mkdtempSync(join(tmpdir(), 'nameplate-client-'))
afterAll(() => rmSync(home, { recursive: true }))

interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

function run(argv: string[], options: { input?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  const env = { ...programEnvironment(), XDG_CONFIG_HOME: home, ...options.env }
  const child = spawn(process.execPath, [MAIN, ...argv], { env, cwd: home, timeout: LIFE_MS })
  const ran = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (ran.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (ran.stderr += chunk.toString()))
  child.stdin.end(options.input ?? '')
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ran })))
}

const baseUrl = () => it.config.baseUrl.origin

test('without a login every command says how to get one', async () => {
  const { code, stderr } = await run(['resolve', 'alderfinch.co.uk'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('nameplate login --url')])
})

test('login asks for address and password, and keeps the key where only its owner can read it', async () => {
  const wrong = await run(['login', '--url', baseUrl(), '--email', owner.email], { input: 'not this one\n' })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('password')])
  const { code, stdout } = await run(['login', '--url', baseUrl(), '--email', owner.email], {
    input: `${owner.password}\n`,
  })
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Logged in as ${owner.email}: 20 credits`)])
  const file = join(home, 'nameplate/connection.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ baseUrl: baseUrl(), apiKey: owner.key })
  expect(stdout).not.toContain(owner.key)
})

test('resolve shows the company with the words that prove it, and JSON to programs', async () => {
  const { code, stdout } = await run(['resolve', 'alderfinch.co.uk'])
  expect(code).toBe(0)
  expect(stdout).toContain('alderfinch.co.uk: Matched (96 %)')
  expect(stdout).toContain(`${ALDER.name}, ${ALDER.number}, active`)
  expect(stdout).toMatch(/“.*07214938.*”/)
  expect(stdout).toContain('One credit was spent.')
  const again = await run(['--json', 'resolve', 'https://www.alderfinch.co.uk/shop'])
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'matched', charge_reason: 'already_paid' })
  const review = await run(['resolve', 'brackenmill.co.uk'])
  expect(review.stdout).toContain('A person must look')
  expect(review.stdout).toContain(BRACKEN.number)
})

test('a refusal has the words of the service, with the request to ask about', async () => {
  const { code, stdout, stderr } = await run(['resolve', 'ann@gmail.com'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/gmail\.com.*\(invalid_domain, request req_/s)
  const unknown = await run(['frobnicate'])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('unknown command')])
})

test('search and company read the register', async () => {
  const found = await run(['search', 'alderfinch', 'joinery'])
  expect(found.stdout).toContain(ALDER.number)
  const company = await run(['company', ALDER.number, '--json'])
  expect(JSON.parse(company.stdout)).toMatchObject({ company_name: ALDER.name })
  const shown = await run(['company', ALDER.number])
  expect(shown.stdout).toContain(ALDER.name)
  expect((await run(['company', '99999999'])).code).toBe(1)
})

test('watch, signals and the end of it', async () => {
  const { company, account } = await subscribe(it)
  const env = { NAMEPLATE_API_KEY: account.key, NAMEPLATE_API_URL: baseUrl() }
  const empty = await run(['signals'], { env })
  expect([empty.code, empty.stderr]).toEqual([0, expect.stringContaining('Nothing yet')])
  await rename(it, company)
  await it.settle()
  const { stdout } = await run(['signals'], { env })
  expect(stdout).toContain('name_changed')
  const stopped = await run(['watch', '--stop', company.number], { env })
  expect(stopped.stdout).toBe(`${company.number} is not watched any more.\n`)
  const again = await run(['watch', company.number], { env })
  expect(again.stdout).toBe(`${company.number} is watched.\n`)
})

test('signals --follow goes on until it is stopped, and listen uses the login', async () => {
  const { company, account } = await subscribe(it)
  const env = { ...process.env, XDG_CONFIG_HOME: home, NAMEPLATE_API_KEY: account.key, NAMEPLATE_API_URL: baseUrl() }
  const following = spawn(process.execPath, [MAIN, 'signals', '--follow', '--json'], { env, timeout: LIFE_MS })
  let printed = ''
  following.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await rename(it, company)
  await expect.poll(() => printed).toContain('"signal_type":"name_changed"')
  following.kill('SIGINT')

  const listening = spawn(process.execPath, [MAIN, 'listen', '--forward-to', 'localhost:9'], {
    env: { ...programEnvironment(), XDG_CONFIG_HOME: home },
    timeout: LIFE_MS,
  })
  let shown = ''
  listening.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  await expect.poll(() => shown).toContain('whsec_')
  listening.kill('SIGINT')
})

test('bulk says what it can cost and starts only when told to, then keeps a result for every row', async () => {
  const file = join(home, 'leads.csv')
  writeFileSync(file, 'domain\nalderfinch.co.uk\ngarden-diary.co.uk\nann@gmail.com\nalderfinch.co.uk\n')
  const asked = await run(['bulk', 'leads.csv'])
  expect(asked.stdout).toMatch(/credits at most +\d+ of \d+/)
  expect(asked.stderr).toContain('Nothing was started')
  const { code, stdout } = await run(['bulk', 'leads.csv', '--yes'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('is completed: 4 rows')])
  const results = readFileSync(`${file}.results.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(results.map(({ status, outcome }) => outcome ?? status)).toEqual([
    'matched',
    'no_match',
    'invalid',
    'duplicate',
  ])
})

test('--help of every command says what it is for', async () => {
  const { stdout } = await run(['--help'])
  for (const name of ['login', 'resolve', 'search', 'company', 'watch', 'signals', 'bulk', 'listen']) {
    expect(stdout).toContain(`\n  ${name}`)
    expect((await run([name, '--help'])).stdout).toContain('Usage: nameplate')
  }
})
