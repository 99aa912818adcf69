/** Events are delivered with the change that caused them, past receivers that hang, and once each. */
import { expect, test } from 'vitest'
import { Receiver } from '../rig/web/index.ts'
import { type NewSignal, raiseSignals } from '../src/signals/index.ts'
import { registerDestination } from '../src/webhooks/index.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS } from './setup/webhooks.ts'

const it = useTestService({
  companies: [ALDER, BRACKEN],
  webhooks: { ...QUICK_WEBHOOKS, timeoutSeconds: 10 },
})

let hosts = 0

/** Opens an account that watches a company and has its own receiver. */
async function subscribe(options: { receiver?: Receiver; company?: string; type?: string } = {}) {
  const { receiver = new Receiver(), company = ALDER.number, type = 'all' } = options
  const account = await it.openAccount()
  hosts += 1
  const host = `hooks-${hosts}.co.uk`
  it.web.setSite(host, { receiver })
  await it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: company } })
  const request = { accountId: account.id, mode: 'live', webhookUrl: `https://${host}/in`, signalType: type } as const
  const { destination, secret } = await registerDestination(it.app, request)
  return { account, receiver, destination, secret }
}

let signalCount = 0

function newSignal(company = ALDER): NewSignal {
  signalCount += 1
  return {
    companyNumber: company.number,
    companyName: company.name,
    signalType: 'status_changed',
    severity: 'warning',
    summary: `${company.name} changed status.`,
    occurredOn: '2026-11-15',
    changes: [{ field: 'company_status', from: 'active', to: 'liquidation' }],
    sourceKind: 'stream',
    sourceReference: `companies ${signalCount}`,
    dedupe: { key: `test:${signalCount}`, leavingKey: null },
  }
}

function raise(...signals: NewSignal[]) {
  return it.app.db.transaction((tx) => raiseSignals(it.app, tx, signals, it.clock.now()))
}

const feedOf = async ({ key }: TestKeys) =>
  (await it.call('GET', '/v1/signals', { key })).body.data as Array<{ id: string }>

test('a signal, its feed row and its delivery are one: all of them or none', async () => {
  const { account, receiver } = await subscribe()
  const broken = it.app.db.transaction(async (tx) => {
    await raiseSignals(it.app, tx, [newSignal()], it.clock.now())
    throw new Error('died before the commit')
  })
  await expect(broken).rejects.toThrow('died')
  await it.settle()
  expect([receiver.received.length, await feedOf(account)]).toEqual([0, []])
  const [signal] = await raise(newSignal())
  await receiver.waitFor(1)
  expect((await feedOf(account)).map(({ id }) => id)).toEqual([signal?.id])
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'signal', data: { id: signal?.id } })
})

test('an event has the same body for every account', async () => {
  const [one, two] = [await subscribe(), await subscribe()]
  await raise(newSignal())
  await Promise.all([one.receiver.waitFor(1), two.receiver.waitFor(1)])
  expect(one.receiver.received[0]?.body).toBe(two.receiver.received[0]?.body)
  expect(one.receiver.received[0]?.headers['x-webhook-signature']).not.toBe(
    two.receiver.received[0]?.headers['x-webhook-signature'],
  )
})

test('a hundred signals at once arrive once each, every one with its own number', async () => {
  const { receiver } = await subscribe({ company: BRACKEN.number })
  await raise(...Array.from({ length: 100 }, () => newSignal(BRACKEN)))
  await receiver.waitFor(100)
  await it.settle()
  expect([...receiver.eventIds().values()]).toEqual(Array(100).fill(1))
  const sequences = receiver.received.map(({ body }) => JSON.parse(body).sequence as number)
  expect(new Set(sequences).size).toBe(100)
})

test('a receiver that hangs does not delay another', async () => {
  const hanging = await Promise.all(
    Array.from({ length: 20 }, () => subscribe({ receiver: new Receiver({ kind: 'hang' }) })),
  )
  const { receiver } = await subscribe()
  await raise(newSignal())
  await receiver.waitFor(1)
  const ended = await it.app.db.query('select from webhook_attempt where destination_id = any ($1)', [
    hanging.map(({ destination }) => destination.id),
  ])
  expect(ended).toEqual([])
  for (const { destination } of hanging) {
    await it.app.db.query('update webhook_destination set deleted_at = now() where id = $1', [destination.id])
  }
})

test('after five failures in a row nothing is sent for a while, and one success ends the pause', async () => {
  const { receiver, destination } = await subscribe({ receiver: new Receiver({ kind: 'status', status: 500 }) })
  await raise(...Array.from({ length: 8 }, () => newSignal()))
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(5)
  const paused = async () => {
    const [row] = await it.app.db.query<{ paused_until: Date | null; pauses: number }>(
      'select paused_until, pauses from webhook_destination where id = $1',
      [destination.id],
    )
    return row
  }
  await expect.poll(paused).toMatchObject({ paused_until: expect.any(Date) })
  const before = receiver.arrived
  expect(before).toBeLessThanOrEqual(6)
  receiver.behave({ kind: 'ok' })
  await expect
    .poll(
      async () =>
        (
          await it.app.db.query<{ count: number }>(
            `select count(*) as count from webhook_delivery where destination_id = $1 and state = 'delivered'`,
            [destination.id],
          )
        )[0]?.count,
    )
    .toBe(8)
  expect(await paused()).toEqual({ paused_until: null, pauses: 0 })
})
