/** Real resolutions, one after the other, with the balance before and after each: what they cost. */
import type { Answer, Call } from './client.ts'
import type { Deployment, Samples } from './deployment.ts'
import { expectStatus, readMember, readNumber, readText } from './expectations.ts'
import { NotShown } from './shown.ts'
import { pollJob } from './test-mode.ts'

export interface LiveResolution {
  /** Of new work. */
  queued: Answer
  finished: Answer
  /** The same question again. */
  known: Answer
  spentCredits: number
}

export interface LiveResolutions {
  matched: LiveResolution
  needsReview: LiveResolution
  noMatch: LiveResolution
  verified: LiveResolution
}

/** A domain and its company are one fact with one price, so the company's site is asked for by another account. */
export async function resolveLive(
  call: Call,
  deployment: Deployment,
  { key, otherKey }: { key: string; otherKey: string },
): Promise<LiveResolutions> {
  const samples = assertSamples(deployment)
  const measure = (path: string, body: object, fresh: object, by = key) => measureCost(call, by, { path, body, fresh })
  const fresh = { max_age_days: 0 }
  return {
    matched: await measure('/v1/enrich', { domain: samples.matchedDomain }, fresh),
    needsReview: await measure('/v1/partner/enrich-company', { domain: samples.reviewDomain }, fresh),
    noMatch: await measure('/v1/resolve/domain', { domain: samples.unmatchedDomain }, fresh),
    verified: await measure(
      '/v1/resolve/company',
      { company_number: samples.websiteCompany },
      { refresh: true },
      otherKey,
    ),
  }
}

export function assertSamples({ samples }: Deployment): Samples {
  if (samples) return samples
  const options = '--matched-domain, --review-domain, --unmatched-domain and --website-company'
  throw new NotShown(`needs something to resolve, for up to two credits: ${options}`)
}

/** What is known is no answer the first time, whoever asked before. */
async function measureCost(
  call: Call,
  key: string,
  { path, body, fresh }: { path: string; body: object; fresh: object },
): Promise<LiveResolution> {
  const before = await readBalance(call, key)
  const queued = expectStatus(await call('POST', path, { key, body: { ...body, ...fresh } }), 200, 202)
  const inner = readMember(queued.body, 'website') === undefined ? '' : 'website.'
  const finished = await pollJob(call, readText(queued, `${inner}status_url`), { key })
  const spentCredits = before - (await readBalance(call, key))
  return { queued, finished, known: await call('POST', path, { key, body }), spentCredits }
}

async function readBalance(call: Call, key: string): Promise<number> {
  return readNumber(expectStatus(await call('GET', '/v1/auth/me', { key }), 200), 'credits.balance')
}
