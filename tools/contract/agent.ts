/** An agent: what it is told when it knows nothing, how it connects to an account, and what it calls then. */
import { createHash, randomBytes } from 'node:crypto'
import { walk } from './browser.ts'
import type { Answer, Ask, Call } from './client.ts'
import { expectMember, expectStatus, expectThat, LIST, readText } from './expectations.ts'
import { NotShown } from './shown.ts'

export interface Connection {
  /** 401, with where to find out more. */
  challenge: Answer
  resource: Answer
  server: Answer
  /** Where the authorize endpoint sends a browser that nobody has signed in with. */
  sentTo: Answer
  /** As it was called back. */
  callback: URL
  state: string
  /** For a code that was never given. */
  refusal: Answer
  token: Answer
  account: Answer
}

export const AUTHORIZE = '/oauth/authorize'
export const TOKEN = '/oauth/token'
export const SCOPE = 'service:mcp'
const REDIRECT = 'http://127.0.0.1:8765/callback'
const PROTOCOL_VERSION = '2025-11-25'

/** One JSON-RPC request to the agent endpoint. The answer's body is the JSON-RPC response, however it was sent. */
export async function callAgent(call: Call, ask: Ask, method: string, params: object = {}): Promise<Answer> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': PROTOCOL_VERSION }
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const answer = await call('POST', '/mcp', { ...ask, headers, body })
  const event = /^data: (\{.*"id":1.*\})$/m.exec(answer.text)?.[1]
  return event && answer.body === null ? { ...answer, body: JSON.parse(event) as unknown } : answer
}

export const greet = (call: Call, ask: Ask): Promise<Answer> =>
  callAgent(call, ask, 'initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'contract', version: '1.0.0' },
  })

export const callTool = (call: Call, ask: Ask, name: string): Promise<Answer> =>
  callAgent(call, ask, 'tools/call', { name, arguments: {} })

/** All of it from nothing but the endpoint's address, a person's e-mail address and password. */
export async function connect(
  { call, visit }: { call: Call; visit: Call },
  { email, password }: { email?: string; password?: string },
): Promise<Connection> {
  if (email === undefined || password === undefined) {
    throw new NotShown('needs a person who can sign in: --mailbox-url, or --email and --password')
  }
  const discovered = await discover(call, visit)
  const wish = { clientId: await register(visit), verifier: randomBytes(32).toString('base64url') }
  const state = randomBytes(8).toString('hex')
  const path = authorizePath({ ...wish, state, resource: readText(discovered.resource, 'resource') })
  const { pages, arrivedAt: callback } = await walk(visit, path, { until: REDIRECT, types: { email, password } })
  const [sentTo] = pages
  if (!sentTo) throw new Error('a walk without a page')
  const redeem = (code: string) => redeemCode(visit, { ...wish, code })
  const refusal = await redeem('never-given')
  const token = expectStatus(await redeem(callback.searchParams.get('code') ?? ''), 200)
  const account = await callTool(call, { token: readText(token, 'access_token') }, 'get_account')
  // A connection that nobody needs any more is not left on the account.
  await sendForm(visit, '/oauth/revoke', { token: readText(token, 'refresh_token'), client_id: wish.clientId })
  return { ...discovered, sentTo, callback, state, refusal, token, account }
}

function authorizePath(wish: { clientId: string; verifier: string; state: string; resource: string }): string {
  const query = new URLSearchParams({
    client_id: wish.clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: wish.state,
    code_challenge: createHash('sha256').update(wish.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: wish.resource,
  })
  return `${AUTHORIZE}?${query.toString()}`
}

function redeemCode(visit: Call, wish: { clientId: string; verifier: string; code: string }): Promise<Answer> {
  return sendForm(visit, TOKEN, {
    grant_type: 'authorization_code',
    code: wish.code,
    redirect_uri: REDIRECT,
    client_id: wish.clientId,
    code_verifier: wish.verifier,
  })
}

/** From the refusal to the authorization server, as a program that has only the address must go. */
async function discover(call: Call, visit: Call): Promise<Pick<Connection, 'challenge' | 'resource' | 'server'>> {
  const challenge = expectStatus(await greet(call, {}), 401)
  const header = challenge.headers.get('www-authenticate') ?? ''
  const pointer = /resource_metadata="([^"]+)"/.exec(header)?.[1]
  expectThat(pointer !== undefined, 'resource_metadata in WWW-Authenticate', header)
  const resource = expectStatus(await call('GET', new URL(pointer ?? '').pathname), 200)
  expectMember(resource, 'authorization_servers', LIST)
  const server = expectStatus(await visit('GET', '/.well-known/oauth-authorization-server'), 200)
  return { challenge, resource, server }
}

async function register(visit: Call): Promise<string> {
  const body = { client_name: 'npm run contract', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  return readText(expectStatus(await visit('POST', '/oauth/register', { body }), 201), 'client_id')
}

/** As the token endpoint takes it (RFC 6749 §4.1.3). */
function sendForm(visit: Call, path: string, form: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return visit('POST', path, { rawBody: new URLSearchParams(form).toString(), headers })
}
