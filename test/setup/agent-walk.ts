/** A program that connects to an account, and the person who lets it in: by plain requests, as a browser would send them. */
import { createHash, randomBytes } from 'node:crypto'
import { createPlainCall, type TestAccount, type TestService } from './harness.ts'

export const REDIRECT = 'http://127.0.0.1:8765/callback'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

/** A browser's cookies for the site. */
export class Browser {
  readonly #origin: string
  readonly #cookies = new Map<string, { value: string; path: string }>()

  /** With the session of a person who has signed in already, where given. */
  constructor(it: TestService, session?: string) {
    this.#origin = it.config.siteUrl.origin
    if (session !== undefined) this.#cookies.set('session', { value: session, path: '/' })
  }

  /** Without following redirects. */
  async send(
    method: 'GET' | 'POST',
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const reply = await createPlainCall(this.#origin)(method, path, {
      headers: {
        cookie: this.#cookieHeader(new URL(path, this.#origin).pathname),
        ...(method === 'POST' ? { origin: this.#origin, 'sec-fetch-site': 'same-origin' } : {}),
        ...(form ? FORM : {}),
        ...headers,
      },
      ...(form ? { rawBody: new URLSearchParams(form).toString() } : {}),
    })
    for (const line of reply.headers.getSetCookie()) this.#keep(line)
    return { status: reply.status, text: reply.text, location: reply.headers.get('location') }
  }

  #cookieHeader(path: string): string {
    const fitting = [...this.#cookies].filter(([, cookie]) => path.startsWith(cookie.path))
    return fitting.map(([name, { value }]) => `${name}=${value}`).join('; ')
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
    const isGone = attributes.some((attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute))
    if (isGone) this.#cookies.delete(name)
    else this.#cookies.set(name, { value, path })
  }
}

export interface Pkce {
  verifier: string
  challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Registers a program as Cursor does. Answers its client id. */
export async function registerClient(it: TestService, metadata: object = {}): Promise<string> {
  const body = { client_name: 'Test Agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...metadata }
  const registered = await it.visit('POST', '/oauth/register', { body })
  if (registered.status !== 201) throw new Error(`registration answered ${registered.status}: ${registered.text}`)
  return registered.body.client_id as string
}

export interface Walk {
  clientId: string
  pkce: Pkce
  browser: Browser
  redirectUri?: string
  params?: Record<string, string>
}

export function authorizePath({ clientId, pkce, redirectUri = REDIRECT, params = {} }: Walk): string {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    scope: 'service:mcp',
    state: 'a-state',
    ...params,
  })
  return `/oauth/authorize?${query.toString()}`
}

/** From the program's request to the address it is called back at: sign-in where needed, then consent. */
export async function walkToCallback(
  walk: Walk,
  person: Pick<TestAccount, 'email' | 'password'>,
  options: { cap?: string; answer?: 'allow' | 'deny' } = {},
): Promise<URL> {
  return walkFrom(authorizePath(walk), { ...walk, person, ...options })
}

/** The same from an address that the program itself has made. */
export async function walkFrom(
  path: string,
  walk: Pick<Walk, 'browser' | 'redirectUri'> & {
    person: Pick<TestAccount, 'email' | 'password'>
    cap?: string
    answer?: 'allow' | 'deny'
  },
): Promise<URL> {
  const { browser, person, cap = '50', answer = 'allow' } = walk
  let step = await browser.send('GET', path)
  for (let hops = 0; hops < 12; hops += 1) {
    if (step.location !== null) {
      const next = new URL(step.location, 'http://site.invalid')
      if (step.location.startsWith(walk.redirectUri ?? REDIRECT)) return next
      step = await browser.send('GET', next.pathname + next.search)
      continue
    }
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(step.text)?.[1]
    if (!action) throw new Error(`no form to send: ${step.status} ${step.text}`)
    step = action.endsWith('/sign-in')
      ? await browser.send('POST', action, { email: person.email, password: person.password })
      : await browser.send('POST', action.replace(/allow$/, answer), { daily_credit_cap: cap })
  }
  throw new Error('too many hops')
}

export async function redeem(it: TestService, form: Record<string, string>) {
  return it.visit('POST', '/oauth/token', { rawBody: new URLSearchParams(form).toString(), headers: FORM })
}

/** Redeems the code of a callback, with some of the form changed. */
export const redeemCode = (
  it: TestService,
  { callback, clientId, pkce }: { callback: URL; clientId: string; pkce: Pkce },
  changed: Record<string, string> = {},
) =>
  redeem(it, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: pkce.verifier,
    ...changed,
  })

/** The whole way: a connected program with its tokens. */
export async function connectAgent(
  it: TestService,
  person: TestAccount,
  options: { clientId?: string; cap?: string; browser?: Browser } = {},
): Promise<{ tokens: Tokens; clientId: string; code: string; pkce: Pkce }> {
  const clientId = options.clientId ?? (await registerClient(it))
  const pkce = newPkce()
  const walk = { clientId, pkce, browser: options.browser ?? new Browser(it, person.token) }
  const callback = await walkToCallback(walk, person, options.cap === undefined ? {} : { cap: options.cap })
  const code = callback.searchParams.get('code') ?? ''
  const redeemed = await redeemCode(it, { callback, clientId, pkce })
  if (redeemed.status !== 200) throw new Error(`token answered ${redeemed.status}: ${redeemed.text}`)
  return { tokens: redeemed.body as Tokens, clientId, code, pkce }
}
