import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTokenHolder } from '../src/oauth/index.ts'
import { Browser, connectAgent, newPkce, registerClient, walkToCallback } from './setup/agent-walk.ts'
import { startTestService, type TestAccount, type TestService } from './setup/harness.ts'

let it: TestService
let owner: TestAccount
beforeAll(async () => {
  it = await startTestService()
  owner = await it.signUp()
})
afterAll(() => it[Symbol.asyncDispose]())

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
