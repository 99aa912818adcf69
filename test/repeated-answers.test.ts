/** A known answer that is requested again, from two processes: whatever changes is seen by the next request to either. */
import { describe, expect, test, vi } from 'vitest'
import { changePlan, endApiKey } from '../src/accounts/index.ts'
import { grantCredits } from '../src/credits/index.ts'
import { disableAccount } from '../src/privacy/index.ts'
import { newCompany, siteNaming } from './setup/companies.ts'
import {
  type Call,
  DAY_SECONDS,
  type Reply,
  type TestKeys,
  useOtherProcess,
  useTestService,
  WAIT,
} from './setup/harness.ts'

const it = useTestService()

const other = useOtherProcess(it)

const PATH = '/v1/resolve/domain'
const ask = (call: Call, { key }: Pick<TestKeys, 'key'>, domain: string, body: object = {}) =>
  call('POST', PATH, { key, headers: WAIT, body: { domain, ...body } })
const processes = () => [
  { app: it.app, call: it.call },
  { app: other.app, call: other.call },
]

/** An account that paid for a match, of which both processes have kept the response. */
async function known() {
  const account = await it.openAccount({ credits: 20 })
  const company = await newCompany(it)
  const { domain } = company
  const first = await ask(it.call, account, domain)
  expect(first.body).toMatchObject({ outcome: 'matched', charged: true })
  for (const { call } of processes()) await ask(call, account, domain)
  return { account, company, domain, id: first.body.resolution_id as string }
}

type Known = Awaited<ReturnType<typeof known>>

const CHANGES: Array<{
  name: string
  change: (of: Known) => Promise<unknown>
  isSeen: (reply: Reply, of: Known) => unknown
}> = [
  {
    name: 'a renamed company',
    change: ({ company }) =>
      it.app.db.query(`update company set name = 'RENAMED LIMITED' where number = $1`, [company.number]),
    isSeen: ({ body }) => expect(body.company.company_name).toBe('RENAMED LIMITED'),
  },
  {
    name: 'a company that left the register',
    change: ({ company }) => it.app.db.query('delete from company where number = $1', [company.number]),
    isSeen: ({ body }) => expect(body).toMatchObject({ company: null, candidates: [] }),
  },
  {
    name: 'a dispute with its refund',
    change: ({ account, id }) =>
      it.call('POST', `/v1/resolutions/${id}/dispute`, { key: account.key, body: { reason: 'wrong' } }),
    isSeen: ({ body, headers }) => {
      expect(body).toMatchObject({ outcome: 'no_match', company: null, charge_reason: 'own_decision_free' })
      expect(headers.get('credits-remaining')).toBe('20')
    },
  },
  {
    name: 'a payment that was taken back',
    change: async ({ account, domain }) => {
      await it.app.db.query('delete from paid_subject where account_id = $1 and subject = $2', [account.id, domain])
      await it.app.db.query('delete from paid_fact where account_id = $1 and domain = $2', [account.id, domain])
    },
    isSeen: ({ body, headers }) => {
      expect(body).toMatchObject({ charged: true, charge_reason: 'matched' })
      expect(headers.get('credits-remaining')).toBe('18')
    },
  },
  {
    name: 'granted credits',
    change: ({ account }) =>
      it.app.db.transaction((tx) =>
        grantCredits(tx, {
          accountId: account.id,
          amountCredits: 5,
          reason: 'operator',
          reference: account.id,
          at: it.clock.now(),
        }),
      ),
    isSeen: ({ headers }) => expect(headers.get('credits-remaining')).toBe('24'),
  },
  {
    name: 'an open entry on the list of reviews, which is closed',
    change: ({ account, domain, id }) =>
      it.app.db.query(
        `insert into review_item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
         values ($1, $2, $3, $4, 'open', 0.5, now(), now())`,
        [`rev_${account.id}`, account.id, domain, id],
      ),
    isSeen: async (_reply, { account }) =>
      expect(await it.app.db.query('select state from review_item where account_id = $1', [account.id])).toEqual([
        { state: 'closed' },
      ]),
  },
  {
    name: 'a newer answer',
    change: async ({ account, domain, company }) => {
      it.web.setSite(domain, siteNaming(company))
      it.clock.advance(3_600)
      await ask(it.call, account, domain, { max_age_days: 0 })
    },
    isSeen: ({ body }, { id }) => expect(body.resolution_id).not.toBe(id),
  },
  {
    name: 'a key that was ended',
    change: async ({ account }) => {
      const [key] = await it.app.db.query<{ id: string }>(
        `select id from api_key where account_id = $1 and mode = 'live'`,
        [account.id],
      )
      return endApiKey(it.app, { accountId: account.id, id: key?.id ?? '', origin: null })
    },
    isSeen: ({ status, body }) => expect([status, body.code]).toEqual([401, 'invalid_credentials']),
  },
  {
    name: 'an account that was disabled',
    change: ({ account }) => disableAccount(it.app, account.id),
    isSeen: ({ status, body }) => expect([status, body.code]).toEqual([401, 'account_disabled']),
  },
  {
    name: 'another plan',
    change: ({ account }) => changePlan(it.app, { accountId: account.id, plan: 'growth' }),
    isSeen: ({ headers }) => expect(headers.get('ratelimit-policy')).toBe('"api";q=240;w=6'),
  },
  {
    name: 'an answer that expired',
    change: async () => it.clock.advance(31 * DAY_SECONDS),
    isSeen: ({ body }, { id }) => {
      expect(body.charged).toBe(true)
      expect(body.resolution_id).not.toBe(id)
    },
  },
]

describe.each(CHANGES)('$name', ({ change, isSeen }) => {
  test('is seen by the next request to the process that did not make it', async () => {
    const of = await known()
    await change(of)
    await isSeen(await ask(other.call, of.account, of.domain), of)
  })

  test('is seen by the next request to the process that made it', async () => {
    const of = await known()
    await change(of)
    await isSeen(await ask(it.call, of.account, of.domain), of)
  })
})

test('a repeated response comes from memory, with the credits of the moment', async () => {
  const { account, domain } = await known()
  for (const { app, call } of processes()) {
    const query = vi.spyOn(app.db, 'query')
    const { headers } = await ask(call, account, domain)
    const statements = query.mock.calls.map(([text]) => text)
    query.mockRestore()
    expect(headers.get('credits-remaining')).toBe('19')
    expect(statements.join()).toContain('from known_domain')
    expect(statements.join()).not.toContain('findings')
  }
})

test('a repeated response has the same bytes, but for what the caller typed', async () => {
  const { account, domain } = await known()
  const responses = await Promise.all(
    processes().flatMap(({ call }) =>
      [domain, `https://www.${domain}/about`, `ann@${domain}`].map((typed) => ask(call, account, typed)),
    ),
  )
  const full = await it.call('POST', PATH, {
    key: account.key,
    headers: { 'idempotency-key': `"${domain}"` },
    body: { domain },
  })
  const plain = JSON.stringify(domain)
  for (const { text, body } of responses) {
    expect(text.replace(JSON.stringify(body.input_domain), plain)).toBe(full.text)
  }
  expect(new Set(responses.map(({ body }) => body.input_domain)).size).toBe(3)
})

test('another account that has not paid is charged, although the response was kept', async () => {
  const { domain } = await known()
  const stranger = await it.openAccount({ credits: 2 })
  const first = await ask(it.call, stranger, domain)
  expect(first.body).toMatchObject({ charged: true, outcome: 'matched' })
  expect(first.headers.get('credits-remaining')).toBe('1')
  const again = await ask(it.call, stranger, domain)
  expect(again.body).toMatchObject({ charged: false, charge_reason: 'already_paid' })
})

test('an account without credits gets no answer that it did not pay for', async () => {
  const { domain } = await known()
  const stranger = await it.openAccount({ credits: 0 })
  expect((await ask(it.call, stranger, domain)).status).toBe(402)
})

test('many requests at once get each its own account and answer', async () => {
  const of = await Promise.all([known(), known(), known()])
  const replies = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const { account, domain, id } = of[index % of.length] as Known
      const { call } = processes()[index % 2] as { call: Call }
      return { reply: await ask(call, account, domain), id, domain }
    }),
  )
  for (const { reply, id, domain } of replies) {
    expect(reply.body).toMatchObject({ resolution_id: id, domain, charged: false })
    expect(reply.headers.get('credits-remaining')).toBe('19')
  }
})

test('a stored answer cannot be changed', async () => {
  const { id } = await known()
  await expect(it.app.db.query(`update resolution set reason = 'other' where id = $1`, [id])).rejects.toThrow(
    'append-only',
  )
})
