/** `npm run contract` against a whole service, with the world around it as `npm run dev` has it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIMULATED_REST_KEY, SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { listenOutside } from '../rig/outside-page.ts'
import { toSettings } from '../rig/settings.ts'
import { Receiver } from '../rig/web/index.ts'
import { startFollowing } from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { PARTNER } from '../tools/contract/areas/resolution.ts'
import { type Deployment, toDeployment } from '../tools/contract/deployment.ts'
import { runContract, showAreas } from '../tools/contract/run.ts'
import { openStage } from '../tools/contract/stage.ts'
import { ALDER, BRACKEN, siteNaming, siteOf, siteWithoutCompany } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'

const RECEIVER = 'hooks.demo-partner.co.uk'
const OTHERS = Array.from({ length: 50 }, (_, index) => ({
  number: String(10_000_000 + index),
  name: `NUMBER ${index} STREET BAKERY LIMITED`,
  postcode: 'LS1 4AP',
}))
const CHANGING = ['10000048', '10000049']
const CONTRACT = join(import.meta.dirname, '../tools/contract.ts')

const companies = [ALDER, BRACKEN, ...OTHERS]
const house = SimulatedCompaniesHouse.fromCompanies(
  companies.map(({ number, name }) => ({ number, name, incorporatedOn: '2010-01-01' })),
  { stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 }, imageDelayMs: null },
)
const receiver = new Receiver()
const it = useTestService({
  companies,
  sites: {
    'alderfinchjoinery.co.uk': siteOf(ALDER),
    'a-name-alone.co.uk': siteNaming(BRACKEN),
    'my-garden.co.uk': siteWithoutCompany(),
    [RECEIVER]: { receiver },
  },
  house,
  houseKeys: { restKey: SIMULATED_REST_KEY, streamKeys: [SIMULATED_STREAM_KEY] },
})
const account = prepare(() => it.openAccount())
let deployment: Deployment
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const follower = startFollowing(it.app, { onApplied: async () => void (await recordQueuedChanges(it.app)) })
  closing.defer(() => follower.close())
  const outside = await listenOutside({ house, receiver, receiverUrl: `https://${RECEIVER}/nameplate` }, 0)
  closing.defer(() => outside.close())
  deployment = toDeployment({
    baseUrl: it.config.baseUrl.origin,
    siteUrl: it.config.siteUrl.origin,
    mailboxUrl: await it.mailbox.listenPage(0),
    outsideUrl: outside.url,
    envFile: writeEnvironment(),
    matchedDomain: 'alderfinchjoinery.co.uk',
    reviewDomain: 'a-name-alone.co.uk',
    unmatchedDomain: 'my-garden.co.uk',
    websiteCompany: ALDER.number,
    changingCompanies: CHANGING.join(),
  })
})
afterAll(() => closing.disposeAsync())

function writeEnvironment(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-contract-'))
  closing.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings.env')
  const settings = Object.entries({ ...toSettings(it.config), REGISTER_REST_URL: it.config.register.restUrl.origin })
  writeFileSync(file, settings.map(([name, value]) => `${name}="${value}"\n`).join(''))
  return file
}

test('every row of the contract is shown and kept', async () => {
  const results = await runContract(deployment)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(results.length).toBeGreaterThan(200)
  expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
})

test('a deployment that breaks a promise fails the rows about it, with what was expected and what came', async () => {
  const proxy = await listenBetween((status) => (status === 402 ? 400 : status))
  const { port } = proxy.address() as AddressInfo
  const stage = openStage({ ...deployment, baseUrl: new URL(`http://127.0.0.1:${port}`) })
  const results = await showAreas(stage, [PARTNER])
  await stage.close()
  proxy.close()
  expect(results.filter(({ ok }) => !ok)).toMatchObject([
    { id: 'partner-402', outcome: 'failed', detail: expect.stringMatching(/^expected 402; came 400 from POST/) },
  ])
  expect(results.length).toBeGreaterThan(5)
})

test('an operator with nothing but an account sees what could not be shown, and why; that is not a pass', async () => {
  const { baseUrl, siteUrl } = deployment
  const given = ['--email', account.email, '--password', account.password, '--webhook-url', `https://${RECEIVER}/other`]
  const { code, output } = await runProgram(
    '--base-url',
    baseUrl.origin,
    '--site-url',
    siteUrl.origin,
    ...given,
    '--json',
  )
  const report = JSON.parse(output)
  expect(report).toMatchObject({ failed: 0, rows: report.results.length })
  expect(report.passed + report.not_shown).toBe(report.rows)
  expect(report.passed).toBeGreaterThan(150)
  const hidden = report.results.filter(({ ok }: { ok: boolean }) => !ok)
  expect(hidden.map(({ id }: { id: string }) => id)).toContain('events-signature')
  for (const { outcome, detail } of hidden)
    expect([outcome, detail]).toEqual(['not_shown', expect.stringMatching(/--\w+/)])
  expect(code).toBe(2)
  const me = await it.call('GET', '/v1/auth/me', { key: account.key })
  expect(me.body).toMatchObject({ credits: { balance: 25, held: 0 }, watchlist: { used: 0 } })
  // The rows about rate limits have just used the account's up.
  const destinations = async () => (await it.call('GET', '/v1/partner/webhooks', { key: account.key })).body.data
  await expect.poll(destinations).toEqual([])
})

test('where nobody answers it says so, and how to go on', async () => {
  const { code, errors } = await runProgram('--base-url', 'http://127.0.0.1:1')
  expect(errors).toContain('http://127.0.0.1:1 does not answer. Start it with npm run dev')
  expect(code).toBe(1)
})

/** Passes everything on, but for the status of some answers. */
async function listenBetween(change: (status: number) => number): Promise<Server> {
  const { baseUrl } = it.config
  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '/' } = incoming
    const headers = { ...incoming.headers, host: baseUrl.host }
    const outgoing = request(new URL(url, baseUrl), { method, headers }, (answer) => {
      response.writeHead(change(answer.statusCode ?? 502), answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function runProgram(...given: string[]): Promise<{ code: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [CONTRACT, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: Number(code), output, errors }
}
