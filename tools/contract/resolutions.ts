/** Real resolutions, one after the other, with the balance before and after each: what they cost. */
import type { Answer, Ask, Call } from './client.ts'
import type { Deployment, Samples } from './deployment.ts'
import { expectMember, expectStatus, expectThat, readNumber, readPath, readText } from './expectations.ts'
import { NotShown, waitFor } from './shown.ts'

export interface LiveResolution {
  /** The answer to new work. */
  queued: Answer
  finished: Answer
  /** The same question again. */
  known: Answer
  spentCredits: number
}

export type LiveResolutions = Awaited<ReturnType<typeof resolveLive>>

/** A domain and its company are one fact with one price, so another account asks for the company's site. */
export async function resolveLive(call: Call, deployment: Deployment, keys: { key: string; otherKey: string }) {
  const samples = assertSamples(deployment)
  const fresh = { max_age_days: 0 }
  const measure = (path: string, domain: string) => measureCost(call, keys.key, { path, body: { domain }, fresh })
  return {
    matched: await measure('/v1/enrich', samples.matchedDomain),
    needsReview: await measure('/v1/partner/enrich-company', samples.reviewDomain),
    noMatch: await measure('/v1/resolve/domain', samples.unmatchedDomain),
    verified: await measureCost(call, keys.otherKey, {
      path: '/v1/resolve/company',
      body: { company_number: samples.websiteCompany },
      fresh: { refresh: true },
    }),
  }
}

export function assertSamples({ samples }: Deployment): Samples {
  if (samples) return samples
  const options = '--matched-domain, --review-domain, --unmatched-domain and --website-company'
  throw new NotShown(`needs something to resolve, for up to two credits: ${options}`)
}

/** `fresh` asks for new work, even if an answer is stored. */
async function measureCost(
  call: Call,
  key: string,
  { path, body, fresh }: { path: string; body: object; fresh: object },
): Promise<LiveResolution> {
  const before = await readBalance(call, key)
  const queued = expectStatus(await call('POST', path, { key, body: { ...body, ...fresh } }), 200, 202)
  const inner = readPath(queued.body, 'website') === undefined ? '' : 'website.'
  const finished = await pollJob(call, readText(queued, `${inner}status_url`), { key })
  const spentCredits = before - (await readBalance(call, key))
  return { queued, finished, known: await call('POST', path, { key, body }), spentCredits }
}

async function readBalance(call: Call, key: string): Promise<number> {
  return readNumber(expectStatus(await call('GET', '/v1/auth/me', { key }), 200), 'credits.balance')
}

/** The account's own figures before and after, and what the answer says of itself. */
export function expectCost({ finished, spentCredits }: LiveResolution, credits: 0 | 1): string {
  expectMember(finished, 'charged', credits === 1)
  expectThat(spentCredits === credits, `${credits} credits spent`, spentCredits)
  return `live, ${readText(finished, 'charge_reason')}: the balance went down by ${spentCredits}`
}

/** Asks until the job has ended, well or not. */
export async function pollJob(call: Call, statusUrl: string, ask: Ask = {}): Promise<Answer> {
  const find = async () => {
    const answer = expectStatus(await call('GET', statusUrl, ask), 200)
    return ['pending', 'processing'].includes(String(readPath(answer.body, 'status'))) ? undefined : answer
  }
  return waitFor('the job to end within a minute', find, { waitMs: 60_000, everyMs: 500 })
}
