/** A program that a signed-in person lets in: by plain requests, as a browser sends them. */
import { createHash, randomBytes } from 'node:crypto'
import type { Ask, Shown } from './caller.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'
const HOPS_MAX = 12

/** Returns the program's access token. */
export async function connectProgram(
  ask: Ask,
  siteUrl: string,
  person: { token: string; clientName: string },
): Promise<string> {
  const registration = { client_name: person.clientName, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  const client = await ask({ method: 'POST', path: '/oauth/register', host: 'site', body: registration })
  const clientId = client.body.client_id as string
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'service:mcp',
    state: 'a-state',
  })
  const code = await walk(ask, siteUrl, person.token, `/oauth/authorize?${query.toString()}`)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: verifier,
  }
  const body = new URLSearchParams(form).toString()
  const mediaType = 'application/x-www-form-urlencoded'
  const redeemed = await ask({ method: 'POST', path: '/oauth/token', host: 'site', body, mediaType })
  if (redeemed.status !== 200) throw new Error(`the token endpoint answered ${redeemed.text}`)
  return redeemed.body.access_token as string
}

async function walk(ask: Ask, siteUrl: string, session: string, start: string): Promise<string> {
  const cookies = new Map([['session', session]])
  const send = async (method: string, path: string, body?: string): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const same = method === 'POST' ? { origin: siteUrl, 'sec-fetch-site': 'same-origin' } : {}
    const form = body === undefined ? {} : { body, mediaType: 'application/x-www-form-urlencoded' }
    const shown = await ask({ method, path, host: 'site', headers: { cookie, ...same }, ...form })
    for (const line of shown.cookies) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return shown
  }
  let step = await send('GET', start)
  for (let hops = 0; hops < HOPS_MAX; hops += 1) {
    if (step.location?.startsWith(REDIRECT)) return new URL(step.location).searchParams.get('code') ?? ''
    if (step.location !== null) {
      const next = new URL(step.location, siteUrl)
      step = await send('GET', next.pathname + next.search)
      continue
    }
    const action = /action="(\/oauth\/interaction\/[^"]+\/allow)"/.exec(step.text.replaceAll('\\"', '"'))?.[1]
    if (!action) throw new Error(`there is no consent to give: ${step.text.slice(0, 500)}`)
    step = await send('POST', action, 'daily_credit_cap=50')
  }
  throw new Error('the way to the program has too many steps')
}
