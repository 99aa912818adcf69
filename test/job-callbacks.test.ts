import { expect, test } from 'vitest'
import { sweepResolutionsJob } from '../src/resolution/index.ts'
import { ALDER, whileRegisterIsBroken } from './setup/companies.ts'
import { useTestService } from './setup/harness.ts'
import { subscribe } from './setup/webhooks.ts'

const PAGE = `<p>${ALDER.name} is registered in England, company number ${ALDER.number}. Registered office: 1 Mill Lane, Ripon, ${ALDER.postcode}</p>`
const it = useTestService({ companies: [ALDER], sites: { 'alderfinch.co.uk': { pages: { '/': PAGE } } } })

const open = async (type = 'resolution_completed') =>
  subscribe(it, { account: await it.openAccount({ credits: 5 }), company: ALDER, type })

const ask = (key: string, domain: string) => it.call('POST', '/v1/enrich', { key, body: { domain } })

test('a finished job is sent to the account that asked, and to no other', async () => {
  const [asker, bystander, signalsOnly] = [await open(), await open(), await open('all')]
  const asked = await ask(asker.account.key, 'alderfinch.co.uk')
  expect(asked.status).toBe(202)
  await ask(signalsOnly.account.key, 'alderfinch.co.uk')
  await asker.receiver.waitFor(1)
  await it.settle()
  const event = JSON.parse(asker.receiver.received[0]?.body ?? '')
  expect(event).toMatchObject({
    type: 'resolution_completed',
    signal_type: 'resolution_completed',
    data: {
      job_id: asked.body.job_id,
      status: 'completed',
      input: 'alderfinch.co.uk',
      domain: 'alderfinch.co.uk',
      outcome: 'matched',
      company_number: ALDER.number,
      company_name: ALDER.name,
      charged: true,
      charge_reason: 'matched',
    },
  })
  const status = await it.call('GET', event.data.status_url)
  expect(status.body.result.company_number).toBe(ALDER.number)
  expect([bystander.receiver.arrived, signalsOnly.receiver.arrived]).toEqual([0, 0])
})

test('a job whose runs are spent is reported as failed', async () => {
  const { account, receiver } = await open()
  await whileRegisterIsBroken(it.app, async () => {
    await ask(account.key, 'alderfinch-again.co.uk')
    await it.app.db.query(`update resolution_work set deadline_at = now() - interval '1 minute'`)
    await it.runJob(sweepResolutionsJob)
    await receiver.waitFor(1)
  })
  expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({ status: 'failed', charged: false })
})
