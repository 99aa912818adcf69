/** The clients for TypeScript and Python do the same, step by step, as clients/scenarios.json has it. `clients-packed` has their packages. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Nameplate } from '../clients/typescript/src/index.ts'
import { SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { createSlack } from '../rig/incoming-webhooks/index.ts'
import { programEnvironment } from '../rig/program.ts'
import { Receiver, type SimulatedSite } from '../rig/web/index.ts'
import { isInstalled } from './receivers/running-program.ts'
import { ACORN, director } from './setup/acorn.ts'
import { ALDER, BRACKEN, siteNaming, siteOf, siteOfGermans, siteWithoutCompany } from './setup/companies.ts'
import { useTestService } from './setup/harness.ts'
import { type MisbehavingProxy, startMisbehavingProxy } from './setup/misbehaving-proxy.ts'

const CLIENTS = join(import.meta.dirname, '../clients')
/** Twenty seconds on a machine that has nothing else to do. */
const HARBOUR = { number: '08496536', name: 'HARBOUR LANTERN COFFEE ROASTERS LTD', postcode: 'HG4 1AD' }

const LED_BY_ONE = {
  ...ACORN,
  officers: [
    director(ACORN.number, 'a1', {
      name: 'SMITH, Robert John',
      date_of_birth: { month: 4, year: 1970 },
      links: {
        self: `/company/${ACORN.number}/appointments/a1`,
        officer: { appointments: `/officers/${'robert'.padEnd(27, '0')}/appointments` },
      },
    }),
  ],
}

/** More than two pages of a search. */
const SHORE = Array.from({ length: 45 }, (_, index) => {
  const count = String(index + 1).padStart(2, '0')
  return { number: `060000${count}`, name: `SHORE WORKS ${count} LIMITED`, postcode: 'ZE1 0AA' }
})

const LANGUAGES = [
  { language: 'TypeScript', tool: process.execPath, folder: 'typescript', script: 'scenarios.ts' },
  { language: 'Python', tool: 'python3', folder: 'python', script: 'scenarios.py' },
]
const isCi = process.env['CI'] === 'true'
// On a developer's machine a missing language is left out; where everything must be shown, it fails.
const tried = LANGUAGES.filter(({ tool }) => isCi || tool !== 'python3' || isInstalled(tool))

interface StepResult {
  name: string
  passed: boolean
  differences: Array<{ path: string; expected: unknown; seen: unknown }>
}

const { steps } = JSON.parse(readFileSync(join(CLIENTS, 'scenarios.json'), 'utf8')) as {
  steps: Array<{ name: string }>
}

describe.each(tried)('the client for $language', ({ tool, folder, script }) => {
  const it = useTestService({
    companies: [ALDER, BRACKEN, HARBOUR, ...SHORE],
    sites: createSites(),
    house: SimulatedCompaniesHouse.fromCompanies([LED_BY_ONE], { imageDelayMs: null }),
  })
  let proxy: MisbehavingProxy
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    proxy = await startMisbehavingProxy(it.config.baseUrl)
    const [account, penniless] = [await it.openAccount(), await it.openAccount({ credits: 0 })]
    env = {
      ...programEnvironment(),
      NO_PROXY: '*',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: join(CLIENTS, 'python'),
      NAMEPLATE_API_URL: it.config.baseUrl.origin,
      NAMEPLATE_PROXY_URL: proxy.url,
      NAMEPLATE_API_KEY: account.key,
      NAMEPLATE_TEST_API_KEY: account.testKey,
      NAMEPLATE_PENNILESS_API_KEY: penniless.key,
      NAMEPLATE_WRONG_API_KEY: 'np_live_wrong',
    }
  })
  afterAll(() => proxy[Symbol.asyncDispose]())

  test('does every step of the scenarios, and sends what is asked again under the same key', async () => {
    const options = { cwd: join(CLIENTS, folder), env, encoding: 'utf8' } as const
    const { stdout } = await promisify(execFile)(tool, [script], options)
    const results = JSON.parse(stdout) as StepResult[]
    expect(results.filter(({ passed }) => !passed)).toEqual([])
    expect(results.map(({ name }) => name)).toEqual(steps.map(({ name }) => name))
    for (const [manner, countMin] of [
      ['503-once', 2],
      ['answer-lost-once', 2],
      ['hang-up-once', 3],
    ] as const) {
      const asked = proxy.seen.filter((request) => request.manner === manner && request.method === 'POST')
      const keys = new Set(asked.map(({ idempotencyKey }) => idempotencyKey))
      expect([manner, keys.size, keys.has(null)]).toEqual([manner, 1, false])
      expect(asked.length, manner).toBeGreaterThanOrEqual(countMin)
    }
    const tries = (manner: string) => proxy.seen.filter((request) => request.manner === manner).length
    expect([tries('503-always'), tries('answer-lost-always')]).toEqual([2, 2])
    expect([tries('redirect-always'), tries('elsewhere')]).toEqual([1, 0])
  })
})

test('the client for TypeScript stops at once when its signal says so, while it asks and between tries', async () => {
  const answers: Record<string, typeof fetch> = {
    never: (_url, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
    busy: async () => new Response('', { status: 503, headers: { 'retry-after': '30' } }),
  }
  for (const fetch of Object.values(answers)) {
    const client = new Nameplate({ apiKey: 'np_test_0', baseUrl: 'http://localhost', fetch })
    const asked = client.resolve('alderfinch.co.uk', { signal: AbortSignal.timeout(50) })
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
  }
})

function createSites(): Record<string, SimulatedSite> {
  return {
    'alderfinch.co.uk': siteOf(ALDER),
    'alderfinch-doors.co.uk': siteOf(ALDER),
    'alderfinch-tables.co.uk': siteOf(ALDER),
    // Slow enough to be asked for twice meanwhile.
    'alderfinch-chairs.co.uk': siteOf(ALDER, { responses: { '/': { delay_ms: 1_500 } } }),
    'brackenmill.co.uk': siteNaming(BRACKEN),
    'garden-diary.co.uk': siteWithoutCompany(),
    'harbourlantern.co.uk': siteOf(HARBOUR),
    'holzwerk.de': siteOfGermans('Holzwerk'),
    'hooks.alderfinch.co.uk': { receiver: new Receiver() },
    'hooks.slack.com': { serve: createSlack('/services/T0/B0/of-the-clients').serve },
  }
}
