/** Calls that the tests of reviews and disputes share. */
import { type CallOptions, type Reply, type TestKeys, type TestService, WAIT } from './harness.ts'

export const ANSWERING = ['/v1/resolve/domain', '/v1/enrich', '/v1/partner/enrich-company'] as const

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
    usageOf: async ({ key }: TestKeys) => (await it.call('GET', '/v1/account/usage', { key })).body,
  }
}

/** Returns the status of a reply with what was charged; for a company's web site, with the state of the site before it. */
export const costOf = ({ status, body, headers }: Reply) => {
  const { charged, charge_reason: reason } = body.website ?? body
  const found = body.website ? [body.website.status] : []
  return [status, ...found, charged, reason, headers.get('credits-spent')]
}
