/** What the tests of reviews and disputes have in common. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findUnbalancedAccounts } from '../../src/credits/index.ts'
import { environmentOf } from './environment.ts'
import type { CallOptions, Reply, TestKeys, TestService } from './harness.ts'

export const DAY_SECONDS = 86_400
const WAIT = { prefer: 'wait=30' }
export const ANSWERING = ['/v1/resolve/domain', '/v1/enrich', '/v1/partner/enrich-company'] as const

const MAIN = join(import.meta.dirname, '../../src/main.ts')

const REREAD_SECONDS = 15 * 60

/** The calls that people make, for one test service. */
export function reviewCalls(it: TestService) {
  const ask = (
    { key }: TestKeys,
    domain: string,
    options: CallOptions & { path?: string; maxAgeDays?: number } = {},
  ) => {
    const { path = '/v1/resolve/domain', maxAgeDays, ...call } = options
    // Who wants it as fresh as that comes when the site may be read again.
    if (maxAgeDays === 0) it.clock.advance(REREAD_SECONDS + 1)
    const body = maxAgeDays === undefined ? { domain } : { domain, max_age_days: maxAgeDays }
    return it.call('POST', path, { key, body, headers: WAIT, ...call })
  }
  const list = async ({ key }: TestKeys, query = '') => (await it.call('GET', `/v1/reviews${query}`, { key })).body.data
  return {
    ask,
    list,
    find: async (account: TestKeys, domain: string, status = 'open') =>
      (await list(account, `?status=${status}&domain=${domain}`))[0],
    decide: ({ key }: TestKeys, id: string, body: object) =>
      it.call('POST', `/v1/reviews/${id}/decision`, { key, body }),
    withdraw: ({ key }: TestKeys, id: string) => it.call('DELETE', `/v1/reviews/${id}/decision`, { key }),
    dispute: ({ key }: TestKeys, resolutionId: string, body: object = { reason: 'It is another company.' }) =>
      it.call('POST', `/v1/resolutions/${resolutionId}/dispute`, { key, body }),
    creditsOf: async ({ key }: TestKeys) => (await it.call('GET', '/v1/auth/me', { key })).body.credits,
    usageOf: async ({ key }: TestKeys) => (await it.call('GET', '/v1/account/usage', { key })).body,
    movesOf: async ({ key }: TestKeys): Promise<string[]> => {
      const { body } = await it.call('GET', '/v1/account/ledger?limit=100', { key })
      const entries = body.data as Array<{ kind: string; reason: string; reference: string }>
      const moved = entries.filter(({ reference }) => reference.startsWith('job_')).reverse()
      return moved.map(({ kind, reason }) => `${kind} ${reason}`)
    },
    /** Answers what is left of a run of `nameplated review export`. */
    exportCases: (...argv: string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const env = environmentOf(it.config, {})
        execFile(process.execPath, [MAIN, 'review', 'export', ...argv], { env }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        )
      }),
    expectBalancesToBeTheirLedgers: async () => {
      await it.settle()
      expect(await findUnbalancedAccounts(it.app.db)).toEqual([])
    },
  }
}

export const costOf = ({ status, body, headers }: Reply) => [
  status,
  body.charged,
  body.charge_reason,
  headers.get('credits-spent'),
]
