/** Connected programs over the API: what the account's owner sees of them and can do about them. */
import { expect, test } from 'vitest'
import { connectAgent } from './setup/agent-walk.ts'
import { ALDER, publish } from './setup/companies.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const it = useTestService({ companies: [ALDER] })
const owner = prepare(() => it.openAccount())
const other = prepare(() => it.openAccount())

const list = async ({ token }: TestAccount) => (await it.call('GET', '/v1/connections', { token })).body.data
const setCap = ({ token }: TestAccount, id: string, cap: unknown) =>
  it.call('PATCH', `/v1/connections/${id}`, { token, body: { daily_credit_cap: cap } })
const end = ({ token }: TestAccount, id: string) => it.call('DELETE', `/v1/connections/${id}`, { token })

test('a connected program is listed with its name, its cap and what it spent today', async () => {
  const person = await it.openAccount()
  expect(await list(person)).toEqual([])
  const { tokens, clientId } = await connectAgent(it, person, { cap: '7' })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  const fresh = { daily_credit_cap: 7, credits_today: 0, last_used_at: null }
  expect(await list(person)).toEqual([
    {
      id: expect.any(String),
      name: 'Test Agent',
      client_id: clientId,
      scope: 'service:mcp',
      returns_to: 'a program on your own computer',
      connected_at: time,
      ...fresh,
    },
  ])
  await using agent = await connect(it, { authorization: `Bearer ${tokens.access_token}` })
  await agent.ask('find_company_behind_domain', { domain: publish(it.web) })
  expect(await list(person)).toMatchObject([{ credits_today: 1, last_used_at: time }])
})

test('its cap is changed, and holds from the next call on', async () => {
  const { tokens } = await connectAgent(it, owner, { cap: '7' })
  const [{ id }] = await list(owner)
  const changed = await setCap(owner, id, 0)
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ id, daily_credit_cap: 0 })])
  expect(await list(owner)).toMatchObject([{ id, daily_credit_cap: 0 }])
  await using agent = await connect(it, { authorization: `Bearer ${tokens.access_token}` })
  const result = await agent.ask('find_company_behind_domain', { domain: publish(it.web) })
  expect([result.isError, result.text]).toEqual([true, expect.stringMatching(/may spend 0 credits? a day/)])
  for (const wrong of [-1, 10_001, 1.5, '9', null]) expect((await setCap(owner, id, wrong)).status).toBe(400)
  for (const reply of [await setCap(owner, 'x'.repeat(65), 1), await end(owner, 'x'.repeat(65))]) {
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  }
})

test('a connection is ended at once; ending it again changes nothing, and it has no cap any more', async () => {
  const { tokens } = await connectAgent(it, owner)
  const [{ id }, ...others] = await list(owner)
  expect((await end(owner, id)).body).toEqual({ id, ended: true })
  await expect(connect(it, { authorization: `Bearer ${tokens.access_token}` })).rejects.toThrow()
  expect(await list(owner)).toEqual(others)
  expect((await end(owner, id)).status).toBe(200)
  expect((await setCap(owner, id, 5)).status).toBe(404)
})

test('other people’s connections are not there', async () => {
  await connectAgent(it, owner, { cap: '3' })
  const [{ id }] = await list(owner)
  expect(await list(other)).toEqual([])
  const replies = [await setCap(other, id, 9), await end(other, id), await end(other, 'nobodys')]
  for (const { status, body } of replies) expect([status, body.code]).toEqual([404, 'not_found'])
  expect(await list(owner)).toContainEqual(expect.objectContaining({ id, daily_credit_cap: 3 }))
})
