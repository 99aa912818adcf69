/** An agent: what it learns when it knows nothing, how it connects to an account, and what it calls then. */
import { createHash, randomBytes } from 'node:crypto'
import { type Person, walk } from './browser.ts'
import type { Answer, Ask, Call } from './client.ts'
import { expectMember, expectStatus, expectThat, readText } from './expectations.ts'
import { NotShown } from './shown.ts'
import * as is from './values.ts'

export const AUTHORIZE = '/oauth/authorize'
export const TOKEN = '/oauth/token'
export const SCOPE = 'service:mcp'
const REDIRECT = 'http://127.0.0.1:8765/callback'
const PROTOCOL_VERSION = '2025-11-25'

/** Sends one JSON-RPC request to the agent endpoint. Returns the JSON-RPC response as the body, however it was sent. */
export async function callAgent(call: Call, ask: Ask, method: string, params: object = {}): Promise<Answer> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': PROTOCOL_VERSION }
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const answer = await call('POST', '/mcp', { ...ask, headers, body })
  const event = /^data: (\{.*"id":1.*\})$/m.exec(answer.text)?.[1]
  return event && answer.body === null ? { ...answer, body: JSON.parse(event) as unknown } : answer
}

export const initialize = (call: Call, ask: Ask): Promise<Answer> =>
  callAgent(call, ask, 'initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'contract', version: '1.0.0' },
  })

/** Connects from nothing but the endpoint's address, a person's e-mail address and password. */
export async function connect(
  { call, visit }: { call: Call; visit: Call },
  { email, password }: { email?: string; password?: string },
) {
  if (email === undefined || password === undefined) {
    throw new NotShown('needs a person who can sign in: --mailbox-url, or --email and --password')
  }
  const discovered = await discover(call, visit)
  const program = { name: 'npm run contract', asks: { resource: readText(discovered.resource, 'resource') } }
  const approved = await approve(visit, program, { types: { email, password } })
  const agent = { token: readText(approved.token, 'access_token') }
  const account = await callAgent(call, agent, 'tools/call', { name: 'get_account', arguments: {} })
  // No connection is left on the account.
  const ended = { token: readText(approved.token, 'refresh_token'), client_id: approved.clientId }
  await sendForm(visit, '/oauth/revoke', ended)
  return { ...discovered, ...approved, account }
}

/** Registers a program, which a person then approves. Returns its token and what came on the way. */
export async function approve(
  visit: Call,
  { name, asks = {} }: { name: string; asks?: Record<string, string> },
  person: Person,
) {
  const clientId = await register(visit, name)
  const client = { client_id: clientId, redirect_uri: REDIRECT }
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: SCOPE,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...asks,
  })
  const walked = await walk(visit, `${AUTHORIZE}?${query.toString()}`, { until: REDIRECT, ...person })
  const redeem = (code: string) =>
    sendForm(visit, TOKEN, { ...client, grant_type: 'authorization_code', code, code_verifier: verifier })
  return {
    clientId,
    state,
    /** Where the authorize endpoint sends a browser without a session. */
    sentTo: walked.first,
    callback: walked.arrivedAt,
    /** To a code that was never given. */
    refusal: await redeem('never-given'),
    token: expectStatus(await redeem(walked.arrivedAt.searchParams.get('code') ?? ''), 200),
  }
}

/** Goes from the refusal to the authorization server, as a program that has only the address must go. */
async function discover(call: Call, visit: Call) {
  const challenge = expectStatus(await initialize(call, {}), 401)
  const header = challenge.headers.get('www-authenticate') ?? ''
  const pointer = /resource_metadata="([^"]+)"/.exec(header)?.[1]
  expectThat(pointer !== undefined, 'resource_metadata in WWW-Authenticate', header)
  const resource = expectStatus(await call('GET', new URL(pointer ?? '').pathname), 200)
  expectMember(resource, 'authorization_servers', is.list)
  const server = expectStatus(await visit('GET', '/.well-known/oauth-authorization-server'), 200)
  return { challenge, resource, server }
}

async function register(visit: Call, name: string): Promise<string> {
  const body = { client_name: name, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  return readText(expectStatus(await visit('POST', '/oauth/register', { body }), 201), 'client_id')
}

/** Sends a form, as the token endpoint takes it (RFC 6749 §4.1.3). */
function sendForm(visit: Call, path: string, form: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return visit('POST', path, { body: new URLSearchParams(form).toString(), headers })
}
