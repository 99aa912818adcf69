import { expect, test } from 'vitest'
import { findTokenHolder } from '../src/oauth/index.ts'
import {
  authorizePath,
  Browser,
  connectAgent,
  newPkce,
  REDIRECT,
  registerClient,
  walkToCallback,
} from './setup/agent-walk.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const owner = prepare(() => it.openAccount())

test('a program registers, its person signs in and allows it, and its token speaks for the account', async () => {
  const { tokens } = await connectAgent(it, owner, { browser: new Browser(it) })
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'service:mcp' })
  const holder = await findTokenHolder(it.app, tokens.access_token)
  expect(holder).toMatchObject({ accountId: owner.id, clientName: 'Test Agent', scopes: ['service:mcp'] })
})

test('the callback carries state and issuer, and a person who does not allow it sends the program away', async () => {
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser: new Browser(it) }
  const allowed = await walkToCallback(walk, owner)
  expect(Object.fromEntries(allowed.searchParams)).toEqual({
    code: expect.any(String),
    state: 'a-state',
    iss: it.config.siteUrl.origin,
  })
  const denied = await walkToCallback({ ...walk, pkce: newPkce(), browser: new Browser(it) }, owner, { answer: 'deny' })
  expect(denied.searchParams.get('error')).toBe('access_denied')
})

test('a scope that is not known is invalid_scope at the callback, before any page is shown', async () => {
  const walk = { clientId: await registerClient(it), pkce: newPkce(), browser: new Browser(it) }
  const path = authorizePath({ ...walk, params: { scope: 'service:mcp everything' } })
  const { location } = await walk.browser.send('GET', path)
  expect(location).toMatch(new RegExp(`^${REDIRECT}`))
  expect(Object.fromEntries(new URL(location ?? '').searchParams)).toMatchObject({
    error: 'invalid_scope',
    error_description: 'this scope is not known; ask for service:mcp',
  })
})

test('a program that registers with a scheme of its own learns which addresses it may use', async () => {
  const body = { redirect_uris: ['myprogram://callback'], token_endpoint_auth_method: 'none' }
  const refused = await it.visit('POST', '/oauth/register', { body })
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_redirect_uri'])
  expect(refused.body.error_description).toContain('must be an https address')
})
