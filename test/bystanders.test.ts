/** A host that never asked for requests gets very few, whatever addresses customers and strangers name. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { toSettings } from '../rig/settings.ts'
import { Receiver } from '../rig/web/index.ts'
import { loadConfig } from '../src/config.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS } from './setup/webhooks.ts'

const PER_MINUTE = 60
const GAP_MS = 60_000 / PER_MINUTE
const TIMEOUT_SECONDS = 3

/** Records when each slot was taken, by the database's clock: the time of an arrival depends on the machine's load, too. */
const RECORD_SLOTS = [
  'create table slot_taken (key text, at timestamptz)',
  `create function record_slot() returns trigger language plpgsql as $$
   begin insert into slot_taken values (new.key, new.begun_at); return null; end $$`,
  `create trigger record_slot after update of begun_at on outgoing_turn for each row
   when (new.begun_at > old.begun_at) execute function record_slot()`,
]

const it = useTestService({
  webhooks: {
    ...QUICK_WEBHOOKS,
    retrySeconds: [0, 0.1, 0.1, 0.1, 0.1, 0.1],
    timeoutSeconds: TIMEOUT_SECONDS,
    unprovenPerMinute: PER_MINUTE,
  },
})
beforeAll(async () => {
  for (const statement of RECORD_SLOTS) await it.app.db.query(statement)
})

async function register({ key }: TestKeys, url: string): Promise<number> {
  const body = { webhook_url: url, signal_type: 'resolution_completed' }
  const { status, body: registered } = await it.call('POST', '/v1/partner/webhooks', { key, body })
  expect(status).toBe(201)
  return registered.id as number
}

/** Sends a bulk job. Every domain is one event for each destination; no site exists, so nothing is charged. */
async function sendBulk({ key }: TestKeys, domains: number, name: string): Promise<void> {
  const body = { domains: Array.from({ length: domains }, (_, index) => `${name}-${index}.co.uk`) }
  const { status, body: bulk } = await it.call('POST', '/v1/bulk', { key, body })
  expect(status).toBe(202)
  const ended = async () => (await it.call('GET', `/v1/bulk/${bulk.id}`, { key })).body.status
  await expect.poll(ended, { interval: 200 }).toBe('completed')
}

const shownTo = async ({ key }: TestKeys) =>
  (await it.call('GET', '/v1/partner/webhooks', { key })).body.data as Array<{
    id: number
    pending: number
    waits_because: string | null
  }>

/** Each request had a slot of its domain, and slots are taken at least so far apart. */
async function expectOneAtATime(domain: string, receiver: Receiver, gapMs = GAP_MS): Promise<void> {
  const requests = receiver.received.length
  const slots = await it.app.db.query<{ gap_ms: number | null }>(
    `select extract(epoch from at - lag(at) over (order by at))::float8 * 1000 as gap_ms
     from slot_taken where key = $1 order by at`,
    [`domain:${domain}`],
  )
  expect(slots.length).toBeGreaterThanOrEqual(requests)
  for (const { gap_ms: gap } of slots.slice(1)) expect(gap).toBeGreaterThanOrEqual(gapMs)
}

describe('a webhook destination that never returned 2xx', () => {
  test('many destinations at one host and a bulk job cannot flood it; the owner sees what waits and why', async () => {
    // Every destination is proven in a slot of its own, one after the other.
    const [destinations, domains] = [8, 50]
    const bystander = new Receiver({ kind: 'status', status: 405 })
    it.web.setSite('bystander.co.uk', { receiver: bystander })
    const account = await it.openAccount({ credits: 200 })
    for (let index = 0; index < destinations; index += 1) await register(account, `https://bystander.co.uk/${index}`)
    await sendBulk(account, domains, 'flood')
    await expect.poll(() => bystander.received.length).toBeGreaterThan(2)
    await expectOneAtATime('bystander.co.uk', bystander)
    const shown = await shownTo(account)
    expect(shown.map(({ pending }) => pending)).toEqual(Array(destinations).fill(domains))
    expect(shown.map(({ waits_because: reason }) => reason)).toEqual(Array(destinations).fill('unproven'))
    // An accepted event proves a destination, and everything that waited arrives.
    bystander.behave({ kind: 'ok' })
    await expect.poll(() => new Set(pathAndId(bystander)).size, { interval: 500 }).toBe(destinations * domains)
    await it.settle()
    expect((await shownTo(account)).map(({ pending }) => pending)).toEqual(Array(destinations).fill(0))
  })

  test('new destinations, names below the same domain, other accounts and tests by hand share its one slot', async () => {
    const bystander = new Receiver({ kind: 'status', status: 500 })
    const addresses = ['45.7.7.7']
    for (const host of ['shared-slot.co.uk', 'a.shared-slot.co.uk', 'b.shared-slot.co.uk']) {
      it.web.setSite(host, { receiver: bystander, addresses })
    }
    const accounts = await Promise.all([0, 1, 2].map(() => it.openAccount({ credits: 50 })))
    const hosts = ['shared-slot.co.uk', 'a.shared-slot.co.uk', 'b.shared-slot.co.uk']
    const tried = await Promise.all(
      accounts.map(async (account, index) => {
        const id = await register(account, `https://${hosts[index]}/in`)
        return it.call('POST', `/v1/partner/webhooks/${id}/test`, { key: account.key })
      }),
    )
    expect(tried.map(({ status }) => status)).toContain(200)
    // On a busy machine the slot may be free again when the last one asks.
    for (const refused of tried.filter(({ status }) => status !== 200)) {
      expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('one request at a time')])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    for (const [index, account] of accounts.entries()) await sendBulk(account, 2, `shared-${index}`)
    // A destination that is deleted and registered again gets no new slot.
    for (const account of accounts) {
      const [shown] = await shownTo(account)
      await it.call('DELETE', `/v1/partner/webhooks/${shown?.id}`, { key: account.key })
      await register(account, 'https://shared-slot.co.uk/again')
      await sendBulk(account, 1, `again-${account.id.slice(-4).toLowerCase()}`)
    }
    await sleep(2 * GAP_MS)
    await expectOneAtATime('shared-slot.co.uk', bystander)
  })

  test('a receiver that hangs has one open request and no second', async () => {
    const bystander = new Receiver({ kind: 'hang' })
    it.web.setSite('hangs.co.uk', { receiver: bystander })
    const account = await it.openAccount({ credits: 50 })
    for (let index = 0; index < 5; index += 1) await register(account, `https://hangs.co.uk/${index}`)
    await sendBulk(account, 3, 'hanging')
    await bystander.waitFor(2)
    await expectOneAtATime('hangs.co.uk', bystander, TIMEOUT_SECONDS * 1_000)
  })

  test('gets six requests a minute unless the operator says otherwise', () => {
    expect(loadConfig(toSettings(it.config)).webhooks.unprovenPerMinute).toBe(6)
  })
})

const pathAndId = ({ received }: Receiver) =>
  received
    .filter(({ answeredStatus }) => answeredStatus === 200)
    .map(({ path, headers }) => `${path} ${headers['x-webhook-id']}`)
