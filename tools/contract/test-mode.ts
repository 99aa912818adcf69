/** What the test key is told: fixed answers for every outcome and status, free of charge, in any deployment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call } from './client.ts'
import { describe, expectStatus, readMember, readText } from './expectations.ts'
import { Mismatch } from './shown.ts'

export type DomainPath = '/v1/enrich' | '/v1/resolve/domain' | '/v1/partner/enrich-company'

export interface TestMode {
  /** The same question is asked once. */
  domain: (path: DomainPath, domain: string) => Promise<Answer>
  company: (number: string) => Promise<Answer>
  /** The job that `slow.test` starts here, asked until it has ended. */
  finished: (path: DomainPath) => Promise<Answer>
}

/** Plays a caller who asks too often. */
const LIMITED = 'rate-limited.test'
const JOB_WAIT_MS = 60_000
const INTERVAL_MS = 500

export function createTestMode(call: Call, testKey: () => Promise<string>): TestMode {
  const answers = new Map<string, Promise<Answer>>()
  const remember = (name: string, ask: () => Promise<Answer>) => {
    const answer = answers.get(name) ?? ask()
    answers.set(name, answer)
    return answer
  }
  const ask = async (path: string, body: object, takesLimit = false) =>
    call('POST', path, { key: await testKey(), body, takesLimit })
  const domain = (path: DomainPath, domain: string) =>
    remember(`${path} ${domain}`, () => ask(path, { domain }, domain === LIMITED))
  return {
    domain,
    company: (number) => remember(number, () => ask('/v1/resolve/company', { company_number: number })),
    finished: (path) =>
      remember(`${path} finished`, async () => {
        const queued = expectStatus(await domain(path, 'slow.test'), 202)
        return pollJob(call, readText(queued, 'status_url'), { key: await testKey() })
      }),
  }
}

/** Asks until the job has ended, well or not. */
export async function pollJob(call: Call, statusUrl: string, ask: { key?: string } = {}): Promise<Answer> {
  const deadline = Date.now() + JOB_WAIT_MS
  for (;;) {
    const answer = expectStatus(await call('GET', statusUrl, ask), 200)
    const status = readMember(answer.body, 'status')
    if (status !== 'pending' && status !== 'processing') return answer
    if (Date.now() > deadline) throw Mismatch.of('the job to end within a minute', describe(answer))
    await sleep(INTERVAL_MS)
  }
}
