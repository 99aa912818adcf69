/** Owners hear of every change that a thief could use against them. */
import { expect, test } from 'vitest'
import { sendSecurityNotice } from '../src/accounts/index.ts'
import { connectAgent, registerClient } from './setup/agent-walk.ts'
import { type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()

async function noticesTo({ email }: TestAccount) {
  await it.settle()
  return it.mailbox.mailsTo(email)
}

test('the owner gets an e-mail when a key is rotated, with what was done and from where, and without the key', async () => {
  const owner = await it.openAccount()
  const ip = '203.0.113.50'
  const body = { mode: 'live', overlap_hours: 3 }
  const rotated = await it.call('POST', '/v1/auth/api-key/rotate', { token: owner.token, body, ip })
  const [notice, ...more] = await noticesTo(owner)
  expect(more).toEqual([])
  expect(notice?.subject).toBe('A new live API key was made on your Nameplate account')
  expect(notice?.text).toContain('The key before it works for 3 more hours.')
  expect(notice?.text).toContain(ip)
  expect(notice?.text).toContain(`${it.config.siteUrl.origin}/console/keys`)
  expect(notice?.text).not.toContain(rotated.body.api_key)
})

test('the owner gets an e-mail when a program is connected', async () => {
  const owner = await it.openAccount()
  await connectAgent(it, owner, { clientId: await registerClient(it, { client_name: 'Desk Agent' }), cap: '7' })
  const [notice, ...more] = await noticesTo(owner)
  expect(more).toEqual([])
  expect(notice?.subject).toBe('A program was connected on your Nameplate account')
  expect(notice?.text).toContain('“Desk Agent”')
  expect(notice?.text).toContain('up to 7 credits a day')
  expect(notice?.text).toContain('/connected-apps')
})

test('a change that is rolled back sends nothing, and a mailbox gets at most twenty notices in an hour', async () => {
  const owner = await it.openAccount()
  const notice = { accountId: owner.id, subject: 'A test', paragraphs: ['It was a test.'], path: '/', origin: null }
  const undone = it.app.db.transaction(async (tx) => {
    await sendSecurityNotice(it.app, tx, notice)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await noticesTo(owner)).toEqual([])
  await it.app.db.transaction(async (tx) => {
    for (let count = 0; count < 25; count += 1) await sendSecurityNotice(it.app, tx, notice)
  })
  const sent = await noticesTo(owner)
  expect(sent.length).toBeGreaterThanOrEqual(20)
  expect(sent.length).toBeLessThan(25)
  expect(it.logText()).toContain('accounts.notice_left_out')
})
