/** Attacks on connections that must fail, tried over real sockets. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findTokenHolder, listConnections } from '../src/oauth/index.ts'
import { PayloadAdapter } from '../src/oauth/payload-adapter.ts'
import {
  authorizePath,
  Browser,
  connectAgent,
  newPkce,
  REDIRECT,
  redeem,
  redeemCode,
  registerClient,
  type Walk,
  walkToCallback,
} from './setup/agent-walk.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const owner = prepare(() => it.openAccount())
const other = prepare(() => it.openAccount())

const holderOf = (token: string) => findTokenHolder(it.app, token)

function refresh(clientId: string, refreshToken: string) {
  return redeem(it, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId })
}

test('a token for another audience opens nothing', async () => {
  const { tokens } = await connectAgent(it, owner)
  const adapter = new PayloadAdapter(it.app, 'AccessToken')
  const payload = await adapter.find(tokens.access_token)
  await adapter.upsert(tokens.access_token, { ...payload, aud: 'https://elsewhere.example/mcp' }, 900)
  expect(await holderOf(tokens.access_token)).toBeNull()
})

test('a program may not ask for another resource', async () => {
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser: new Browser(it) }
  const params = { resource: 'https://elsewhere.example/mcp' }
  const { location } = await walk.browser.send('GET', authorizePath({ ...walk, params }))
  expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_target')
})

test('a token ends after 15 minutes, and at once when it is revoked', async () => {
  const { tokens, clientId } = await connectAgent(it, owner)
  expect(await holderOf(tokens.access_token)).not.toBeNull()
  it.clock.advance(901)
  expect(await holderOf(tokens.access_token)).toBeNull()
  const again = (await refresh(clientId, tokens.refresh_token)).body
  expect(await holderOf(again.access_token)).not.toBeNull()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const rawBody = new URLSearchParams({ token: again.access_token, client_id: clientId }).toString()
  expect((await it.visit('POST', '/oauth/revoke', { rawBody, headers })).status).toBe(200)
  expect(await holderOf(again.access_token)).toBeNull()
})

test('a code is good once; used again, it ends what the first use gave', async () => {
  const { tokens, code, clientId, pkce } = await connectAgent(it, owner)
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: clientId }
  const replayed = await redeem(it, { ...form, code_verifier: pkce.verifier })
  expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
  expect(await holderOf(tokens.access_token)).toBeNull()
})

test('a code redeemed five times at once gives at most one token', async () => {
  const clientId = await registerClient(it)
  const pkce = newPkce()
  const callback = await walkToCallback({ clientId, pkce, browser: new Browser(it, owner.token) }, owner)
  const answers = await Promise.all(Array.from({ length: 5 }, () => redeemCode(it, { callback, clientId, pkce })))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
})

test('a code needs the verifier it was asked for with, its own program and its own address', async () => {
  const stranger = await registerClient(it)
  const clientId = await registerClient(it)
  for (const wrong of [
    { code_verifier: newPkce().verifier },
    { client_id: stranger },
    { redirect_uri: 'http://127.0.0.1:8765/elsewhere' },
  ]) {
    const pkce = newPkce()
    const callback = await walkToCallback({ clientId, pkce, browser: new Browser(it, owner.token) }, owner)
    const answer = await redeemCode(it, { callback, clientId, pkce }, wrong)
    expect([answer.status, answer.body.error], JSON.stringify(wrong)).toEqual([400, 'invalid_grant'])
  }
})

test('an address that was not registered gets a page, never a redirect', async () => {
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser: new Browser(it) }
  for (const redirectUri of ['https://evil.example/callback', 'http://127.0.0.1:8765/other', 'javascript:alert(1)']) {
    const answer = await walk.browser.send('GET', authorizePath({ ...walk, redirectUri }))
    expect([answer.status, answer.location]).toEqual([400, null])
    expect(answer.text).toContain('This did not work')
  }
})

test('no PKCE, and plain PKCE, are refused', async () => {
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser: new Browser(it) }
  for (const params of [{ code_challenge_method: 'plain' }, { code_challenge: '' }]) {
    const { location } = await walk.browser.send('GET', authorizePath({ ...walk, params }))
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request')
  }
})

test.each([
  'http://agent.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'https://user:secret@agent.example/callback',
  'https://agent.example/callback#part',
  'javascript:alert(1)',
  'data:text/html,x',
  'myapp://callback',
])('a program with the address %s is not registered', async (redirect) => {
  const body = { client_name: 'Bad', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
  const answer = await it.visit('POST', '/oauth/register', { body })
  expect([answer.status, /^invalid_(redirect_uri|client_metadata)$/.test(answer.body.error)]).toEqual([400, true])
})

test('a false Host reaches neither the metadata nor the endpoints', async () => {
  const { port } = it.config.siteUrl
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/token']) {
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const method = path === '/oauth/token' ? 'POST' : 'GET'
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: 'evil.example' } }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
      sent.on('error', reject).end()
    })
    expect(answer.status).toBe(404)
    expect(answer.body).not.toContain('evil.example/')
  }
})

test('consent cannot be given from another site', async () => {
  const browser = new Browser(it, owner.token)
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser }
  const consent = await untilConsent(walk)
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const answer = await browser.send('POST', consent, { daily_credit_cap: '50' }, foreign)
  expect([answer.status, answer.location]).toEqual([403, null])
  const stranger = await new Browser(it).send('POST', consent, { daily_credit_cap: '50' })
  expect([stranger.status, stranger.location]).toEqual([400, null])
})

test('consent text cannot be forged by quotes or control characters in a client’s name', async () => {
  const forged = 'Claude” was checked by Nameplate.\u202E \u0007“X'
  const clientId = await registerClient(it, { client_name: forged })
  const { text: page } = await openConsent({ clientId, pkce: newPkce(), browser: new Browser(it, owner.token) })
  expect(page).toContain('<bdi>Claude’ was checked by Nameplate. ’X</bdi>')
  // The name is nowhere but in its own element, and nothing in it turns the direction of the page.
  expect(page.split('was checked by Nameplate')).toHaveLength(2)
  expect(page).not.toMatch(/\p{Cf}/u)
  expect(page).toContain('It registered itself here, and we have not checked the name.')
})

test('the consent page shows the host of the document that describes the program', async () => {
  const clientId = 'https://vscode.dev/oauth/client-metadata.json'
  const walk = {
    clientId,
    pkce: newPkce(),
    browser: new Browser(it, owner.token),
    redirectUri: 'http://127.0.0.1:33418/',
  }
  const { text: page } = await openConsent(walk)
  expect(page).toContain('<bdi>Visual Studio Code</bdi>')
  expect(page).toContain('described by a document at <strong>vscode.dev</strong>')
})

/** Signed in, before the page that asks for leave. Answers the address its form is sent to. */
async function untilConsent(walk: Parameters<typeof openConsent>[0]) {
  return (await openConsent(walk)).action
}

async function openConsent(walk: Walk & { browser: Browser }) {
  const { browser } = walk
  let step = await browser.send('GET', authorizePath(walk))
  for (let hops = 0; hops < 8 && step.location !== null; hops += 1) {
    const next = new URL(step.location, it.config.siteUrl)
    step = await browser.send('GET', next.pathname + next.search)
  }
  const action = /action="(\/oauth\/interaction\/[^"]+\/allow)"/.exec(step.text)?.[1]
  expect(action).toBeDefined()
  return { action: action ?? '', text: step.text }
}

test('whoever signs in stays on this site, whatever the address says', async () => {
  const form = { email: owner.email, password: owner.password, next: '//evil.example/' }
  const { status, location } = await new Browser(it).send('POST', '/sign-in', form)
  expect([status, location]).toEqual([303, '/console'])
})

test('refreshes at the same moment all succeed; a refresh token that comes back later ends the connection', async () => {
  const { tokens, clientId } = await connectAgent(it, owner)
  const answers = await Promise.all(Array.from({ length: 3 }, () => refresh(clientId, tokens.refresh_token)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const { body } of answers) expect(await holderOf(body.access_token)).not.toBeNull()
  it.clock.advance(17)
  const replayed = await refresh(clientId, tokens.refresh_token)
  expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
  for (const { body } of answers) expect(await holderOf(body.access_token)).toBeNull()
})

test('another account neither sees nor ends a connection', async () => {
  const { tokens } = await connectAgent(it, owner)
  const connectionId = (await holderOf(tokens.access_token))?.connectionId ?? ''
  expect(await listConnections(it.app, other.id)).toEqual([])
  const browser = new Browser(it, other.token)
  const ended = await browser.send('POST', `/connected-apps/${connectionId}/end`, {})
  const raised = await browser.send('POST', `/connected-apps/${connectionId}/cap`, { daily_credit_cap: '9' })
  expect([ended.status, raised.status]).toEqual([404, 404])
  expect(await holderOf(tokens.access_token)).not.toBeNull()
})

test('a new password ends every connection', async () => {
  const person = await it.openAccount()
  const { tokens, clientId } = await connectAgent(it, person)
  const body = { current_password: person.password, new_password: 'eleven patient herons' }
  await it.call('POST', '/v1/auth/change-password', { token: person.token, body })
  expect(await holderOf(tokens.access_token)).toBeNull()
  const refreshed = await refresh(clientId, tokens.refresh_token)
  expect(refreshed.status === 200 ? await holderOf(refreshed.body.access_token) : null).toBeNull()
})

test('who has signed out of the site, or was signed out by a new password, signs in before a program is let in', async () => {
  const person = await it.openAccount()
  const leave = {
    'signing out': (browser: Browser) => browser.send('POST', '/sign-out'),
    'a new password': () => {
      const body = { current_password: person.password, new_password: 'nine patient herons' }
      return it.call('POST', '/v1/auth/change-password', { token: person.token, body })
    },
  }
  for (const [name, act] of Object.entries(leave)) {
    const { token } = (await it.call('POST', '/v1/auth/login', { body: person })).body
    const browser = new Browser(it, token)
    const { clientId } = await connectAgent(it, person, { browser })
    const path = authorizePath({ clientId, pkce: newPkce(), browser })
    const before = await browser.send('GET', (await browser.send('GET', path)).location ?? '')
    expect(before.text, name).toContain('/allow"')
    await act(browser)
    const after = await browser.send('GET', (await browser.send('GET', path)).location ?? '')
    expect(after.text, name).toContain('/sign-in"')
    expect(after.text, name).not.toContain('/allow"')
  }
})

test('the audit trail says which program was let in and when its connection ended', async () => {
  const person = await it.openAccount()
  const { clientId } = await connectAgent(it, person, { cap: '7' })
  const [connection] = await listConnections(it.app, person.id)
  const { id = '' } = connection ?? {}
  await it.call('DELETE', `/v1/connections/${id}`, { token: person.token })
  const trail = await it.app.db.query<{ action: string; ip: string; details: object }>(
    `select action, ip, details from audit_event where account_id = $1 and action like 'program%' order by id`,
    [person.id],
  )
  expect(trail).toEqual([
    {
      action: 'program_connected',
      ip: expect.stringMatching(/^198\.1[89]\./),
      details: { connection: id, client_id: clientId, daily_credits: 7 },
    },
    { action: 'program_disconnected', ip: expect.stringMatching(/^198\.1[89]\./), details: { connection: id } },
  ])
})

test('neither tables nor log hold a token, a code or a refresh token in clear', async () => {
  const { tokens, code } = await connectAgent(it, owner)
  const rows = await it.app.db.query<{ row: string }>('select oauth_payload::text as row from oauth_payload')
  const stored = rows.map(({ row }) => row).join('\n')
  for (const secret of [tokens.access_token, tokens.refresh_token, code]) {
    expect(stored.includes(secret) || it.logText().includes(secret)).toBe(false)
  }
})
