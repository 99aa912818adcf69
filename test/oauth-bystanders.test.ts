/** The authorization server is open to every program: it must not be a tool against others, nor let headers lead it. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { newPkce, REDIRECT } from './setup/agent-walk.ts'
import { startTestService, type TestService, useTestService } from './setup/harness.ts'

const it = useTestService()

function authorize(clientId: string, change: Record<string, string> = {}) {
  const params = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...change,
  })
  return it.visit('GET', `/oauth/authorize?${params.toString()}`)
}

/** Requests that hosts with these letters got. */
const countSent = (letters: string) =>
  [...it.web.stats.byHost].reduce((sum, [host, count]) => (host.includes(letters) ? sum + count : sum), 0)

/** So many at a time, from as many addresses as there are requests. */
async function flood(count: number, send: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 20) {
    await Promise.all(Array.from({ length: Math.min(20, count - start) }, (_, index) => send(start + index)))
  }
}

describe('300 anonymous requests that name a document of somebody else', () => {
  test('send next to nothing when all name the same one', async () => {
    it.web.setSite('same-document.co.uk', {})
    await flood(300, () => authorize('https://same-document.co.uk/client.json'))
    expect(countSent('same-document')).toBe(1)
  })

  test('send next to nothing when each names another, below any name of the domain', async () => {
    const startedMs = performance.now()
    for (const host of ['distinct.co.uk', 'a.distinct.co.uk', 'b.distinct.co.uk']) {
      it.web.setSite(host, { addresses: ['45.9.9.9'] })
    }
    await flood(300, (index) => authorize(`https://${['', 'a.', 'b.'][index % 3]}distinct.co.uk/${index}.json`))
    // One in ten seconds.
    expect(countSent('distinct')).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedMs) / 10_000))
    expect(countSent('distinct')).toBeGreaterThan(0)
  })

  test('send nothing when the rest of the request makes no sense', async () => {
    it.web.setSite('cheap-checks.co.uk', {})
    const url = 'https://cheap-checks.co.uk/client.json'
    for (const change of [
      { response_type: 'token' },
      { code_challenge: 'short' },
      { code_challenge_method: 'plain' },
      { redirect_uri: 'ftp://x' },
    ]) {
      expect((await authorize(url, change)).status).toBeGreaterThanOrEqual(400)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = { grant_type: 'authorization_code', code: 'made-up', client_id: url, code_verifier: 'x'.repeat(43) }
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      await it.visit('POST', path, { rawBody: new URLSearchParams({ ...form, token: 'x' }).toString(), headers })
    }
    await authorize('https://cheap-checks.co.uk:8443/client.json')
    await authorize(`https://cheap-checks.co.uk/${'x'.repeat(3_000)}`)
    expect(countSent('cheap-checks')).toBe(0)
  })

  test('are refused together beyond a cap, however many hosts they name', async () => {
    for (let host = 0; host < 120; host += 1) it.web.setSite(`many-${host}.co.uk`, {})
    const startedMs = performance.now()
    await flood(120, (index) => authorize(`https://many-${index}.co.uk/client.json`))
    expect(countSent('many-')).toBeGreaterThan(0)
    expect(countSent('many-')).toBeLessThanOrEqual(31 + Math.ceil((performance.now() - startedMs) / 2_000))
  })
})

describe('an address of IPv6', () => {
  const register = (ip: string) => {
    const headers = { 'content-type': 'application/json' }
    const rawBody = JSON.stringify({ client_name: 'Walker', redirect_uris: [REDIRECT] })
    return it.visit('POST', '/oauth/register', { ip, headers, rawBody })
  }
  const count = (replies: Array<{ status: number }>) => replies.filter(({ status }) => status !== 429).length

  test('registrations from one /64 are refused like those from one address of IPv4', async () => {
    const [six, four, mapped] = [[], [], []] as Array<Array<{ status: number }>>
    for (let count = 0; count < 50; count += 1) {
      six?.push(await register(`2001:db8:1:2::${count.toString(16)}`))
      four?.push(await register('203.0.113.77'))
      mapped?.push(await register('::ffff:203.0.113.77'))
    }
    expect(count(six ?? [])).toBe(20)
    expect(count([...(four ?? []), ...(mapped ?? [])])).toBe(20)
  })

  test('somebody with a /48 does not walk through its networks for ever', async () => {
    const replies: Array<{ status: number }> = []
    await flood(400, async (index) => {
      replies.push(await register(`2001:db8:77:${index.toString(16)}::1`))
    })
    expect(count(replies)).toBeLessThanOrEqual(322)
  })

  test.each([
    ['/v1/enrich/status/job_nothing', 120],
    ['/v1/status', 120],
  ])('the limit of %s counts its /64, and the headers say what is left', async (path, burst) => {
    const first = await it.call('GET', path, { ip: '2001:db8:5:5::1' })
    expect(first.headers.get('ratelimit-policy')).toContain(`q=${burst}`)
    const left = Number(/r=(\d+)/.exec(first.headers.get('ratelimit') ?? '')?.[1])
    await flood(60, (index) => it.call('GET', path, { ip: `2001:db8:5:5::${(index + 2).toString(16)}` }))
    const later = await it.call('GET', path, { ip: '2001:db8:5:5::ffff' })
    expect(Number(/r=(\d+)/.exec(later.headers.get('ratelimit') ?? '')?.[1])).toBeLessThan(left - 5)
  })
})

/** With any headers: `fetch` does not let its caller choose a Host. */
async function ask(
  path: string,
  headers: Record<string, string | string[]>,
  { config }: Pick<TestService, 'config'> = it,
) {
  const { port } = config.listen
  const sent = request({ host: '127.0.0.1', port, path, headers: { connection: 'close', ...headers } }).end()
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: object; body: string }>()
  sent.on('error', reject)
  sent.on('response', (answer) => {
    text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
  })
  return promise
}

describe('headers about where a request was sent', () => {
  const evil = 'evil.example'
  const documents = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ]
  const combinations = (site: string): Array<Record<string, string | string[]>> => [
    { host: site },
    { host: site, 'x-forwarded-host': `${evil}, ${site}` },
    { host: site, 'x-forwarded-host': `${site}, ${evil}` },
    { host: site, 'x-forwarded-host': [evil, site] },
    { host: evil, 'x-forwarded-host': site },
    { host: evil, 'x-forwarded-host': `${evil}, ${site}` },
    { host: site, 'x-forwarded-host': evil },
    { host: site, 'x-forwarded-host': '' },
    { host: site, 'x-forwarded-proto': 'gopher' },
    { host: site, 'x-forwarded-proto': 'https, http' },
    { host: site, 'x-forwarded-proto': `https://${evil}/?` },
    { host: site, 'x-forwarded-port': '8443', 'x-forwarded-prefix': `//${evil}` },
    { host: site, forwarded: `for=1.2.3.4;host=${evil};proto=https` },
    {
      host: site,
      'x-forwarded-for': `${evil}, 1.2.3.4`,
      'x-forwarded-host': `${evil},${site}`,
      forwarded: `host=${evil}`,
    },
    { host: evil },
  ]

  test.each(['with', 'without'])('lead no discovery document elsewhere, %s a trusted proxy', async (kind) => {
    await using own = kind === 'without' ? await startTestService({ trustedProxies: [] }) : null
    const service = own ?? it
    const [site, api] = [service.config.siteUrl, service.config.baseUrl]
    let answered = 0
    for (const path of documents) {
      for (const headers of combinations(path.includes('protected') ? api.host : site.host)) {
        const { status, headers: sent, body } = await ask(path, headers, service)
        expect(body).not.toContain(evil)
        if (status !== 200) continue
        answered += 1
        expect(sent).toMatchObject({ 'cache-control': 'no-store' })
        const origins = new Set([...body.matchAll(/https?:\/\/[^/"]+/g)].map(([origin]) => origin))
        for (const origin of origins) expect([site.origin, api.origin]).toContain(origin)
      }
    }
    expect(answered).toBeGreaterThan(20)
  })
})
