/**
 * Every route of the contract, and what holds for all of them: no credentials, someone else's things, bad input, too
 * much of it. A route that is not in this table fails the first test.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { connectAgent } from './setup/agent-walk.ts'
import { ALDER, siteNaming, siteOf } from './setup/companies.ts'
import { type CallOptions, type TestAccount, useTestService } from './setup/harness.ts'
import type { OpenApi } from './setup/statuses.ts'

const it = useTestService({ companies: [ALDER] })
let owner: TestAccount
let other: TestAccount
let busy: TestAccount
beforeAll(async () => {
  ;[owner, other, busy] = await Promise.all([it.openAccount(), it.openAccount(), it.openAccount()])
})

/** Nothing is left of it, and nothing comes back before the next request. */
async function emptyBucket(name: string): Promise<void> {
  await it.app.db.query(
    `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')
     on conflict (key) do update set tokens = 0, taken = 0, updated_at = excluded.updated_at`,
    [name],
  )
}

const send = ({ token }: TestAccount, request: string, body?: object) => {
  const [method = '', path = ''] = request.split(' ')
  return it.call(method, path, { token, ...(body ? { body } : {}) })
}
const creditsOf = async (account: TestAccount) => (await send(account, 'GET /v1/auth/me')).body.credits

interface RouteCase {
  /** A body it accepts. */
  body?: () => object
  /** The largest it takes, where that is not what all take. */
  bodyBytesMax?: number
  /**
   * Shows that another account's credential does not reach this account's things. A public route has no account behind
   * it, and one with an id is tried with an id of OWNED.
   */
  otherAccount?: 'all accounts see the same' | (() => Promise<void>)
}

const PASSWORD = 'seven quiet harbours'
const domainBody = () => ({ domain: 'not-there.co.uk' })
const numberBody = () => ({ company_number: ALDER.number })
const numbersBody = () => ({ company_numbers: [ALDER.number] })

/** The routes, by what they take; `public` routes are callable by anyone. */
const ROUTES: Record<'public' | 'session' | 'session or key', Record<string, RouteCase>> = {
  public: {
    'GET /healthz': {},
    'GET /readyz': {},
    'GET /v1/status': {},
    'POST /v1/auth/signup': { body: () => ({ email: 'new@customer.test', password: PASSWORD }) },
    'POST /v1/auth/login': { body: () => ({ email: owner.email, password: owner.password }) },
    'GET /v1/auth/verify-email': {},
    'POST /v1/auth/resend-verification': { body: () => ({ email: owner.email }) },
    'POST /v1/auth/forgot-password': { body: () => ({ email: owner.email }) },
    'POST /v1/auth/reset-password': { body: () => ({ token: 'nonsense', new_password: PASSWORD }) },
    'GET /v1/evidence/keys': {},
    // The id of a job is the permission to ask for its progress.
    'GET /v1/enrich/status/{job_id}': {},
  },
  session: {
    'POST /v1/auth/change-password': {
      body: () => ({ current_password: 'not this one', new_password: PASSWORD }),
      otherAccount: async () => {
        const body = { current_password: owner.password, new_password: 'taken over by another' }
        // Both accounts have the same password here, so only the session decides whose is changed.
        const changed = await send(other, 'POST /v1/auth/change-password', body)
        expect(changed.status).toBe(200)
        other.token = changed.body.token
        const { email, password } = owner
        expect((await it.call('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200)
      },
    },
    'POST /v1/auth/api-key/rotate': {
      body: () => ({}),
      otherAccount: async () => {
        other.key = (await send(other, 'POST /v1/auth/api-key/rotate', { overlap_hours: 0 })).body.api_key
        expect((await it.call('GET', '/v1/auth/me', { key: owner.key })).status).toBe(200)
      },
    },
    'POST /v1/auth/api-key/show': {
      body: () => ({ mode: 'live', current_password: PASSWORD }),
      otherAccount: async () => {
        const body = { mode: 'live', current_password: other.password }
        expect((await send(other, 'POST /v1/auth/api-key/show', body)).body.api_key).not.toBe(owner.key)
      },
    },
    'DELETE /v1/auth/api-keys/{id}': {},
    'GET /v1/account/views': { otherAccount: () => listsOnlyOwn('/v1/account/views', ownerSavesView) },
    'POST /v1/account/views': {
      body: newView,
      otherAccount: async () => {
        await ownerSavesView()
        expect((await send(other, 'POST /v1/account/views', newView())).status).toBe(201)
        expect((await send(owner, 'GET /v1/account/views')).body.data).toHaveLength(1)
      },
    },
    'DELETE /v1/account/views/{id}': {},
    'GET /v1/connections': { otherAccount: () => listsOnlyOwn('/v1/connections', ownerConnects) },
    'PATCH /v1/connections/{id}': { body: () => ({ daily_credit_cap: 5 }) },
    'DELETE /v1/connections/{id}': {},
  },
  'session or key': {
    'GET /v1/auth/me': {
      otherAccount: async () => {
        const me = await it.call('GET', '/v1/auth/me', { key: other.key })
        expect(me.body.account_id).toBe(other.id)
        expect(me.text).not.toContain(owner.id)
      },
    },
    'GET /v1/account/ledger': {
      otherAccount: async () => {
        const idsOf = async (account: TestAccount, query = '') =>
          (await send(account, `GET /v1/account/ledger${query}`)).body.data.map(({ id }: { id: number }) => id)
        const mine: number[] = await idsOf(owner)
        // A cursor into another's ledger shows one's own, from there on.
        for (const query of ['', `?cursor=${(mine[0] ?? 0) + 1}`]) {
          expect((await idsOf(other, query)).filter((id: number) => mine.includes(id))).toEqual([])
        }
      },
    },
    'GET /v1/account/ledger/export': {
      otherAccount: async () => {
        const linesOf = async (account: TestAccount) =>
          (await send(account, 'GET /v1/account/ledger/export')).text.trim().split('\r\n').length
        const entriesOf = async (account: TestAccount) =>
          (await send(account, 'GET /v1/account/ledger?limit=100')).body.data.length
        expect(await linesOf(other)).toBe(1 + (await entriesOf(other)))
      },
    },
    'GET /v1/account/audit': {
      otherAccount: async () => {
        const log = await send(other, 'GET /v1/account/audit')
        expect(log.body.data.length).toBeGreaterThan(0)
        expect(log.text).not.toContain(owner.email)
      },
    },
    'GET /v1/account/audit/export': {
      otherAccount: async () => {
        const table = (await send(other, 'GET /v1/account/audit/export')).text
        expect([table.includes(other.email), table.includes(owner.email)]).toEqual([true, false])
      },
    },
    'GET /v1/account/notifications': {
      otherAccount: async () => {
        expect((await send(other, 'GET /v1/account/notifications')).body.email).toBe(other.email)
      },
    },
    'PATCH /v1/account/notifications': {
      body: () => ({ daily_digest: false }),
      otherAccount: async () => {
        await send(owner, 'PATCH /v1/account/notifications', { daily_digest: true })
        const theirs = await send(other, 'PATCH /v1/account/notifications', { daily_digest: false })
        expect(theirs.body.daily_digest).toBe(false)
        const mine = await send(owner, 'GET /v1/account/notifications')
        expect(mine.body).toEqual({ daily_digest: true, email: owner.email })
      },
    },
    'GET /v1/account/settings': {
      otherAccount: async () => {
        await send(owner, 'PATCH /v1/account/settings', { second_reader: false })
        expect((await send(other, 'GET /v1/account/settings')).body.second_reader).toBe(true)
      },
    },
    'PATCH /v1/account/settings': {
      body: () => ({ second_reader: true }),
      otherAccount: async () => {
        await send(owner, 'PATCH /v1/account/settings', { second_reader: true })
        await send(other, 'PATCH /v1/account/settings', { second_reader: false })
        expect((await send(owner, 'GET /v1/account/settings')).body.second_reader).toBe(true)
        await send(other, 'PATCH /v1/account/settings', { second_reader: true })
      },
    },
    'GET /v1/account/usage': {
      otherAccount: async () => {
        const day = '2026-01-15'
        await it.app.db.query(`insert into usage_day values ($1, $2, 'matched', 3, 3)`, [owner.id, day])
        const range = `GET /v1/account/usage?from=${day}&to=${day}`
        expect((await send(owner, range)).body.totals).toEqual({ answers: 3, credits: 3 })
        expect((await send(other, range)).body.data).toEqual([])
      },
    },
    // The register is public.
    'GET /v1/companies/search': { otherAccount: 'all accounts see the same' },
    'GET /v1/companies/{company_number}': { otherAccount: 'all accounts see the same' },
    'GET /v1/companies/{company_number}/filings': { otherAccount: 'all accounts see the same' },
    'GET /v1/companies/{company_number}/filings/{transaction_id}/document': {
      otherAccount: 'all accounts see the same',
    },
    'GET /v1/companies/{company_number}/group': { otherAccount: 'all accounts see the same' },
    'GET /v1/officers/{officer_id}': { otherAccount: 'all accounts see the same' },
    'GET /v1/officers/{officer_id}/disqualifications': { otherAccount: 'all accounts see the same' },
    'GET /v1/companies/{company_number}/signals': { otherAccount: 'all accounts see the same' },
    'GET /v1/watchlist': { otherAccount: () => listsOnlyOwn('/v1/watchlist', ownerWatches) },
    'POST /v1/watchlist': {
      body: numberBody,
      otherAccount: async () => {
        await ownerWatches()
        // For the other account it is not watched yet.
        expect((await send(other, 'POST /v1/watchlist', numberBody())).status).toBe(201)
        await send(other, `DELETE /v1/watchlist/${ALDER.number}`)
      },
    },
    'PUT /v1/watchlist': {
      body: numbersBody,
      bodyBytesMax: 1024 * 1024,
      otherAccount: async () => {
        await ownerWatches()
        expect((await send(other, 'PUT /v1/watchlist', { company_numbers: [] })).body.removed).toEqual([])
        expect((await send(owner, 'GET /v1/watchlist')).body.data).toHaveLength(1)
      },
    },
    'POST /v1/watchlist/bulk': {
      body: numbersBody,
      otherAccount: async () => {
        await ownerWatches()
        const watched = await send(other, 'POST /v1/watchlist/bulk', numbersBody())
        expect(watched.body).toMatchObject({ counts: { watched: 1, already_watched: 0 }, used: 1 })
        await send(other, `DELETE /v1/watchlist/${ALDER.number}`)
      },
    },
    'DELETE /v1/watchlist/{company_number}': {
      otherAccount: async () => {
        await ownerWatches()
        expect((await send(other, `DELETE /v1/watchlist/${ALDER.number}`)).body.was_watched).toBe(false)
        expect((await send(owner, 'GET /v1/watchlist')).body.data).toHaveLength(1)
      },
    },
    'GET /v1/watchlists': {
      otherAccount: async () => {
        const id = await ownerMakesList()
        expect((await send(owner, 'GET /v1/watchlists')).text).toContain(id)
        expect((await send(other, 'GET /v1/watchlists')).text).not.toContain(id)
      },
    },
    'POST /v1/watchlists': {
      body: () => ({ name: newListName() }),
      otherAccount: async () => {
        const name = newListName()
        for (const one of [owner, other]) expect((await send(one, 'POST /v1/watchlists', { name })).status).toBe(201)
      },
    },
    'PATCH /v1/watchlists/{id}': { body: () => ({ name: newListName() }) },
    'DELETE /v1/watchlists/{id}': {},
    'GET /v1/watchlists/{id}/companies': {},
    'POST /v1/watchlists/{id}/companies': { body: numberBody },
    'POST /v1/watchlists/{id}/import': { body: numbersBody, bodyBytesMax: 16 * 1024 * 1024 },
    'GET /v1/watchlists/{id}/export': {},
    'PATCH /v1/watchlists/{id}/companies/{company_number}': { body: () => ({ note: 'Ours.' }) },
    'DELETE /v1/watchlists/{id}/companies/{company_number}': {},
    'GET /v1/watchlists/{id}/calendar': {},
    'POST /v1/watchlists/{id}/calendar': {},
    'DELETE /v1/watchlists/{id}/calendar': {},
    'GET /v1/signals/export': { otherAccount: ownerReadsAlone },
    'GET /v1/signals/unread': { otherAccount: ownerReadsAlone },
    'POST /v1/signals/read': { body: () => ({ through: null }), otherAccount: ownerReadsAlone },
    'GET /v1/signals': {
      otherAccount: async () => {
        await ownerWatches()
        await putCompanies(it.app, [{ ...ALDER, status: 'liquidation' }])
        await recordQueuedChanges(it.app)
        expect((await send(owner, 'GET /v1/signals')).body.data).toHaveLength(1)
        expect((await send(other, 'GET /v1/signals')).body.data).toEqual([])
      },
    },
    'POST /v1/test/signals': {
      body: () => ({ signal_type: 'status_changed' }),
      otherAccount: async () => {
        const watch = { body: { company_number: 'TS000001' } }
        for (const { testKey } of [owner, other]) await it.call('POST', '/v1/watchlist', { key: testKey, ...watch })
        await it.call('POST', '/v1/test/signals', { key: other.testKey, body: {} })
        const feedOf = async ({ testKey }: TestAccount) =>
          (await it.call('GET', '/v1/signals', { key: testKey })).body.data
        expect([(await feedOf(owner)).length, (await feedOf(other)).length]).toEqual([0, 1])
      },
    },
    'POST /v1/enrich': { body: domainBody, otherAccount: () => asksAtItsOwnCost('/v1/enrich') },
    'POST /v1/resolve/domain': { body: domainBody, otherAccount: () => asksAtItsOwnCost('/v1/resolve/domain') },
    'POST /v1/resolve/company': {
      body: numberBody,
      otherAccount: () => asksAtItsOwnCost('/v1/resolve/company', numberBody(), 200),
    },
    'GET /v1/resolutions': {
      otherAccount: async () => {
        const id = await ownerIsAnswered('listed-for-its-owner.co.uk', siteOf(ALDER))
        expect((await send(owner, 'GET /v1/resolutions')).text).toContain(id)
        expect((await send(other, 'GET /v1/resolutions')).text).not.toContain(id)
      },
    },
    'GET /v1/resolutions/{id}': {},
    'GET /v1/resolutions/{id}/changes': {},
    'GET /v1/resolutions/{id}/share-links': {},
    'POST /v1/resolutions/{id}/share-links': { body: () => ({ days: 3 }) },
    'DELETE /v1/share-links/{id}': {},
    // The id of an answer is the permission to read its evidence.
    'GET /v1/resolutions/{id}/evidence': {},
    'GET /v1/resolutions/{id}/archive': {},
    'POST /v1/resolutions/{id}/evidence/record': {},
    'GET /v1/evidence/{id}': {},
    'POST /v1/resolutions/{id}/dispute': { body: () => ({ reason: 'It is not them.' }) },
    'GET /v1/reviews': { otherAccount: () => listsOnlyOwn('/v1/reviews', ownerReviews) },
    'GET /v1/reviews/{id}': {},
    'POST /v1/reviews/{id}/decision': { body: () => ({ action: 'reject' }) },
    'DELETE /v1/reviews/{id}/decision': {},
    'GET /v1/reviews/{id}/similar': {},
    'POST /v1/reviews/decisions': {
      body: () => ({ items: [{ id: 'rev_none', action: 'reject' }] }),
      otherAccount: async () => {
        const id = await ownerReviews()
        const theirs = await send(other, 'POST /v1/reviews/decisions', { items: [{ id, action: 'reject' }] })
        expect(theirs.body.data[0].problem.code).toBe('not_found')
        expect((await send(owner, `GET /v1/reviews/${id}`)).body.decision).toBeNull()
      },
    },
    'POST /v1/reviews/decisions/withdraw': {
      body: () => ({ ids: ['rev_none'] }),
      otherAccount: async () => {
        const id = await ownerReviews()
        const theirs = await send(other, 'POST /v1/reviews/decisions/withdraw', { ids: [id] })
        expect(theirs.body.data[0].problem.code).toBe('not_found')
      },
    },
    'POST /v1/bulk': {
      body: () => ({ domains: ['not-there.co.uk'] }),
      bodyBytesMax: 2 * 1024 * 1024,
      otherAccount: async () => {
        const [before, asking] = [await creditsOf(owner), await it.openAccount({ credits: 1 })]
        const body = { domains: ['asked-for-in-a-bulk.co.uk'] }
        const sent = await it.call('POST', '/v1/bulk', { key: asking.key, body })
        expect([sent.status, sent.body.credits_max]).toEqual([202, 1])
        await it.settle()
        expect(await creditsOf(owner)).toEqual(before)
      },
    },
    'GET /v1/bulk': { otherAccount: () => listsOnlyOwn('/v1/bulk', ownerSendsBulk) },
    'GET /v1/bulk/{id}': {},
    'POST /v1/bulk/{id}/cancel': {},
    'POST /v1/bulk/{id}/resume': {},
    'GET /v1/bulk/{id}/results': {},
    'POST /v1/bulk/{id}/evidence': {},
    'GET /v1/bulk/{id}/rows': {},
    'GET /v1/bulk/{id}/rows/{row}': {},
    'POST /v1/bulk/{id}/decisions': { body: () => ({ rows: [{ row: 1, action: 'reject' }] }) },
    'POST /v1/bulk/files': {
      otherAccount: async () => {
        const { id } = await ownerSendsFile()
        expect((await send(other, `GET /v1/bulk/files/${id}`)).status).toBe(404)
      },
    },
    'GET /v1/bulk/files/{id}': {},
    'POST /v1/partner/enrich-company': {
      body: domainBody,
      otherAccount: () => asksAtItsOwnCost('/v1/partner/enrich-company'),
    },
    'GET /v1/partner/enrich-company/{job_id}': {},
    'GET /v1/partner/webhooks': { otherAccount: () => listsOnlyOwn('/v1/partner/webhooks', ownerRegisters) },
    'POST /v1/partner/webhooks': {
      body: newDestination,
      otherAccount: async () => {
        const theirs = await send(other, 'POST /v1/partner/webhooks', newDestination())
        expect(theirs.status).toBe(201)
        const mine = await send(owner, 'GET /v1/partner/webhooks')
        expect(mine.body.data.map(({ id }: { id: number }) => id)).not.toContain(theirs.body.id)
        await send(other, `DELETE /v1/partner/webhooks/${theirs.body.id}`)
      },
    },
    'DELETE /v1/partner/webhooks/{id}': {},
    'GET /v1/partner/webhooks/{id}/deliveries': {},
    'POST /v1/partner/webhooks/{id}/test': {},
    'POST /v1/partner/webhooks/{id}/rotate-secret': {},
    'POST /v1/partner/webhooks/{id}/enable': {},
    'POST /v1/partner/webhooks/{id}/replay': { body: () => ({ only: 'failed' }) },
    'POST /v1/webhook-listeners': {
      body: () => ({ signal_type: 'all' }),
      otherAccount: async () => {
        expect(await listen(owner)).not.toBe(await listen(other))
      },
    },
    'POST /v1/webhook-listeners/{id}/events': { body: () => ({ received: [] }) },
    'DELETE /v1/webhook-listeners/{id}': {},
  },
}

const CASES = Object.entries(ROUTES).flatMap(([accepts, routes]) =>
  Object.entries(routes).map(([route, { bodyBytesMax = 65_536, ...rest }]) => ({
    route,
    accepts,
    limit: route.includes('/v1/partner/') ? ('partner' as const) : ('api' as const),
    bodyBytesMax,
    ...rest,
  })),
)
const hasId = ({ route }: { route: string }) => /\{(?:id|job_id)\}/.test(route)

/** The owner's list has what the owner has made, and the other account's has not. */
async function listsOnlyOwn(path: string, make: () => Promise<string | number>): Promise<void> {
  const id = await make()
  const has = async (account: TestAccount) =>
    (await send(account, `GET ${path}`)).body.data.some((each: object) => Object.values(each).includes(id))
  expect([await has(owner), await has(other)]).toEqual([true, false])
}

function newView() {
  return { name: 'Doubtful names', path: '/review', query: 'doubt=named' }
}

async function ownerSavesView(): Promise<string> {
  return (await send(owner, 'POST /v1/account/views', newView())).body.id
}

async function ownerConnects(): Promise<string> {
  await connectAgent(it, owner)
  return (await send(owner, 'GET /v1/connections')).body.data[0].id
}

async function ownerWatches(): Promise<string> {
  await send(owner, 'POST /v1/watchlist', numberBody())
  return ALDER.number
}

async function ownerSendsFile(): Promise<{ id: string }> {
  const sent = { key: owner.key, rawBody: 'domain\nnot-there.co.uk\n', headers: { 'content-type': 'text/csv' } }
  return (await it.call('POST', '/v1/bulk/files', sent)).body
}

let addresses = 0

/** Another address each time: an event goes to one address once. */
function newDestination() {
  it.web.setSite('hooks.co.uk', {})
  addresses += 1
  return { webhook_url: `https://hooks.co.uk/in/${addresses}`, signal_type: 'all' }
}

async function ownerRegisters(): Promise<number> {
  const registered = await send(owner, 'POST /v1/partner/webhooks', newDestination())
  expect(registered.status).toBe(201)
  return registered.body.id
}

async function ownerSendsBulk(): Promise<string> {
  // At most five run at once: earlier ones end first.
  await it.settle()
  const sent = await send(owner, 'POST /v1/bulk', { domains: ['not-there.co.uk'] })
  expect(sent.status).toBe(202)
  return sent.body.id
}

/** Returns the id of the owner's answer for the domain. */
async function ownerIsAnswered(domain: string, site: SimulatedSite): Promise<string> {
  it.web.setSite(domain, site)
  const asked = { key: owner.key, body: { domain }, headers: { prefer: 'wait=30' } }
  const { body } = await it.call('POST', '/v1/resolve/domain', asked)
  return body.resolution_id
}

async function ownerFiles(): Promise<string> {
  const id = await ownerIsAnswered('filed-by-its-owner.co.uk', siteOf(ALDER))
  return (await send(owner, `POST /v1/resolutions/${id}/evidence/record`)).body.id
}

/** Another account reads and marks its own signals alone. */
async function ownerReadsAlone(): Promise<void> {
  await ownerWatches()
  await send(owner, 'POST /v1/signals/read', { through: '2026-01-01T00:00:00Z' })
  await send(other, 'POST /v1/signals/read', { through: null })
  expect((await send(owner, 'GET /v1/signals/unread')).body.read_through).toBe('2026-01-01T00:00:00.000Z')
  expect((await send(other, 'GET /v1/signals/export')).text.trim().split('\n')).toHaveLength(1)
}

let lists = 0
const newListName = () => `List ${(lists += 1)}`
const ownerMakesList = async () => (await send(owner, 'POST /v1/watchlists', { name: newListName() })).body.id

async function ownerShares(): Promise<string> {
  const id = await ownerIsAnswered('shared-by-its-owner.co.uk', siteOf(ALDER))
  return (await send(owner, `POST /v1/resolutions/${id}/share-links`, { days: 3 })).body.id
}

async function ownerReviews(): Promise<string> {
  await ownerIsAnswered('doubtful-for-its-owner.co.uk', siteNaming(ALDER))
  return (await send(owner, 'GET /v1/reviews')).body.data[0].id
}

async function ownerAsks(): Promise<string> {
  const asked = await send(owner, 'POST /v1/enrich', { domain: 'asked-for-by-its-owner.co.uk' })
  const [row] = await it.app.db.query<{ id: string }>(
    'select id from resolution_job where account_id = $1 order by created_at desc limit 1',
    [owner.id],
  )
  return asked.body.job_id ?? row?.id ?? ''
}

async function listen(account: TestAccount): Promise<number> {
  return (await send(account, 'POST /v1/webhook-listeners', {})).body.id
}

/** The credit is held at the account whose key it is, and at no other. */
async function asksAtItsOwnCost(path: string, question?: object, status = 202): Promise<void> {
  const [before, asking] = [await creditsOf(owner), await it.openAccount({ credits: 1 })]
  const body = question ?? { domain: `asked-for-at${path.replaceAll('/', '-')}.co.uk` }
  const asked = await it.call('POST', path, { key: asking.key, body })
  expect([asked.status, asked.headers.get('credits-remaining')]).toEqual([status, '0'])
  expect(await creditsOf(owner)).toEqual(before)
}

test('every route of the OpenAPI document has its no-credentials and other-account case here', async () => {
  const document = (await it.call('GET', '/openapi.json')).body as OpenApi
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
      // Where none will do, a credential only shows its holder more.
      const isPublic = (operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0)
      const words = schemes.map((scheme) => (scheme === 'apiKey' ? 'key' : scheme))
      const named = words.includes('session') ? words.toReversed().join(' or ') : words.join(' or ')
      const accepts = isPublic || named === '' ? 'public' : named
      return `${method.toUpperCase()} ${path}: ${accepts}`
    }),
  )
  const cases = CASES.map(({ route, accepts }) => `${route}: ${accepts}`)
  expect([...cases, `${AGENT_ENDPOINT}: key or oauth`].sort()).toEqual(documented.sort())
  const owned = CASES.filter((each) => each.accepts !== 'public' && !hasId(each))
  expect(owned.filter(({ otherAccount }) => otherAccount === undefined)).toEqual([])
})

interface Owned {
  /** Makes one of the owner's, live, and returns its id. */
  make: () => Promise<string | number>
  /** Returns what the owner still gets after another account has tried to reach it. */
  look: (id: string | number) => Promise<unknown>
  sees?: unknown
}

const statusOf = async (request: string) => (await send(owner, request)).status

/** By the part of a path before its id. A route of a new kind needs its line. */
const OWNED: Record<string, Owned> = {
  'api-keys': {
    make: async () => {
      const sql = `select id from api_key where account_id = $1 and mode = 'live' and expires_at is null`
      return (await it.app.db.query<{ id: string }>(sql, [owner.id]))[0]?.id ?? ''
    },
    look: async () => (await it.call('GET', '/v1/auth/me', { key: owner.key })).status,
  },
  views: { make: ownerSavesView, look: (id) => statusOf(`DELETE /v1/account/views/${id}`) },
  connections: { make: ownerConnects, look: (id) => statusOf(`DELETE /v1/connections/${id}`) },
  status: { make: ownerAsks, look: (id) => statusOf(`GET /v1/enrich/status/${id}`) },
  'enrich-company': { make: ownerAsks, look: (id) => statusOf(`GET /v1/partner/enrich-company/${id}`) },
  resolutions: {
    make: () => ownerIsAnswered('matched-for-its-owner.co.uk', siteOf(ALDER)),
    look: (id) => statusOf(`GET /v1/resolutions/${id}/evidence`),
  },
  'share-links': { make: ownerShares, look: (id) => statusOf(`DELETE /v1/share-links/${id}`) },
  evidence: { make: ownerFiles, look: (id) => statusOf(`GET /v1/evidence/${id}`) },
  reviews: {
    make: ownerReviews,
    look: async (id) => (await send(owner, `GET /v1/reviews/${id}`)).body.decision,
    sees: null,
  },
  bulk: {
    make: ownerSendsBulk,
    look: async (id) => (await send(owner, `GET /v1/bulk/${id}`)).body.status === 'cancelled',
    sees: false,
  },
  files: { make: async () => (await ownerSendsFile()).id, look: (id) => statusOf(`GET /v1/bulk/files/${id}`) },
  watchlists: { make: ownerMakesList, look: (id) => statusOf(`GET /v1/watchlists/${id}/companies`) },
  webhooks: { make: ownerRegisters, look: (id) => statusOf(`DELETE /v1/partner/webhooks/${id}`) },
  'webhook-listeners': { make: () => listen(owner), look: (id) => statusOf(`DELETE /v1/webhook-listeners/${id}`) },
}

const NO_ID = `job_${'0'.repeat(27)}`
const withoutOwner = (template: string) =>
  template
    .replace(/(webhooks|listeners)\/\{id\}/, '$1/999999')
    .replace(/\{(?:job_id|id)\}(\/companies\/)\{company_number\}/, `${NO_ID}$1${ALDER.number}`)
    .replace(/\{(?:job_id|id)\}/, NO_ID)
    .replace('{row}', '1')

/** There the id itself is the permission, in the mode it belongs to. */
const OPEN_BY_ID = [
  'GET /v1/enrich/status/{job_id}',
  'GET /v1/resolutions/{id}/evidence',
  'GET /v1/resolutions/{id}/archive',
  'POST /v1/resolutions/{id}/evidence/record',
]

describe('every route with an id', () => {
  test.each(CASES.filter(hasId))(
    '$route is 404 to another account, and to the key of the other mode',
    async ({ route, accepts, body }) => {
      const [method = '', template = ''] = route.split(' ')
      const kind = /([\w-]+)\/\{/.exec(template)?.[1] ?? ''
      const owned = OWNED[kind]
      if (!owned) throw new Error(`say in OWNED how the owner gets one of ${kind}`)
      const id = await owned.make()
      const sent = body ? { body: body() } : {}
      const observers = [
        { who: 'session of another account', credential: { token: other.token }, takes: 'session' },
        { who: 'live key of another account', credential: { key: other.key }, takes: 'key' },
        { who: 'test key of another account', credential: { key: other.testKey }, takes: 'key' },
        { who: 'test key of the owner', credential: { key: owner.testKey }, takes: 'key' },
      ]
      for (const { who, credential, takes } of observers) {
        if (accepts === 'public' || (OPEN_BY_ID.includes(route) && !who.startsWith('test key'))) continue
        const reach = (path: string) => it.call(method, path, { ...credential, ...sent })
        const own = template
          .replace(/\{\w+\}/, String(id))
          .replace('{row}', '1')
          .replace('{company_number}', ALDER.number)
        const reply = await reach(own)
        // It looks like one that no account has.
        const expected = accepts.includes(takes) ? [404, 'not_found'] : [401, 'missing_credentials']
        const { detail } = (await reach(withoutOwner(template))).body
        expect([who, reply.status, reply.body.code, reply.body.detail]).toEqual([who, ...expected, detail])
      }
      const { sees = 200 } = owned
      expect(await owned.look(id)).toEqual(sees)
    },
  )
})

/** Speaks JSON-RPC, also when it refuses: the same promises are in `mcp.test.ts`. */
const AGENT_ENDPOINT = 'POST /mcp'

/** Pages of the site and descriptions for machines: public, and without an account behind them. */
const UNDOCUMENTED = {
  GET: `/ /.well-known/nameplate-evidence-keys.json /.well-known/oauth-authorization-server /.well-known/oauth-protected-resource
    /.well-known/oauth-protected-resource/mcp /.well-known/openid-configuration /.well-known/security.txt
    /account /assets/{name} /bot /calendar/{file} /connected-apps /console /console/* /console/assets/{name} /design /docs /docs/:page
    /docs/errors /docs/errors/:code /docs/search /docs/search-index.json /evidence/{id} /evidence/{id}/document /favicon.ico
    /filings/{company_number}/{transaction_id} /forgot-password /llms.txt /mcp /metrics
    /oauth/authorize /oauth/authorize/{uid} /oauth/interaction/{uid} /oauth/jwks /openapi.json /pricing /privacy
    /reset-password /robots.txt /shared/{token} /sign-in /sign-up /sitemap.xml /status /terms /try
    /unsubscribe /verify /verify/{id} /verify-email`,
  POST: `/connected-apps/{id}/cap /connected-apps/{id}/end /console/session /forgot-password /oauth/authorize
    /oauth/interaction/{uid}/allow /oauth/interaction/{uid}/deny /oauth/interaction/{uid}/sign-in /oauth/register
    /oauth/revoke /oauth/token /resend-verification /reset-password /sign-in /sign-out /sign-up /unsubscribe
    /verify /verify-email`,
  DELETE: '/mcp',
  OPTIONS: `* /.well-known/oauth-authorization-server /.well-known/openid-configuration /mcp /oauth/jwks /oauth/register
    /oauth/revoke /oauth/token`,
}

test('a route that is not in the OpenAPI document is a known page or description', () => {
  const known = Object.entries(UNDOCUMENTED).flatMap(([method, paths]) =>
    paths.split(/\s+/).map((path) => `${method} ${path}`),
  )
  const documented = new Set([...CASES.map(({ route }) => route), AGENT_ENDPOINT])
  const found =
    it.service.server?.routeList
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => (route.startsWith('GET /docs') ? route : route.replaceAll(/:(\w+)/g, '{$1}'))) ?? []
  expect(found.filter((route) => !documented.has(route)).sort()).toEqual(known.sort())
})

const POLICIES = { api: '"api";q=120;w=6', partner: '"partner";q=60;w=6' }

/** They check the owner of the id before the body: see the test of another account's things below. */
const OWNED_FIRST = new Set([
  'POST /v1/bulk/{id}/decisions',
  'POST /v1/partner/webhooks/{id}/replay',
  'POST /v1/reviews/{id}/decision',
  'PATCH /v1/connections/{id}',
  'POST /v1/webhook-listeners/{id}/events',
  'POST /v1/resolutions/{id}/share-links',
  'PATCH /v1/watchlists/{id}',
  'POST /v1/watchlists/{id}/companies',
  'POST /v1/watchlists/{id}/import',
  'PATCH /v1/watchlists/{id}/companies/{company_number}',
])

/** Members of all bodies with values of a wrong type. */
const WRONG = {
  email: 7,
  password: [],
  token: {},
  mode: 'neither',
  new_password: 1,
  current_password: null,
  signal_type: 'neither',
  only: 'neither',
  through: 'never',
  received: 'none',
  reason: 7,
}

describe.each(CASES)('$route', ({ route, accepts, limit, body, bodyBytesMax, otherAccount }) => {
  const [method = '', template = ''] = route.split(' ')
  const path = withoutOwner(template).replace('{company_number}', '01234567')
  const withBody = () => (body ? { body: body() } : {})
  const credentialOf = ({ token }: TestAccount) => (accepts === 'public' ? {} : { token })

  test.runIf(accepts !== 'public')('refuses a call without credentials, or with false ones', async () => {
    const none = await it.call(method, path, withBody())
    expect([none.status, none.body.code]).toEqual([401, 'missing_credentials'])
    const token = await it.call(method, path, { ...withBody(), token: 'nonsense' })
    expect([token.status, token.body.code]).toEqual([401, 'invalid_credentials'])
    const key = await it.call(method, path, { ...withBody(), key: `np_live_${'0'.repeat(39)}` })
    expect(key.status).toBe(401)
    expect(key.headers.get('www-authenticate')).toContain('Bearer')
  })

  test.runIf(accepts !== 'public')('refuses a stranger before it looks at what was sent', async () => {
    const rubbish = `${template.replaceAll(/\{\w+\}/g, 'not-an-id')}?page=zero&limit=-1&signal_type=neither&from=never`
    const send = (credential: object) =>
      it.call(method, rubbish, { ...credential, ...(method === 'GET' ? {} : { rawBody: '{"broken":' }) })
    const deadKey = { key: `np_live_${'0'.repeat(39)}` }
    for (const credential of [{}, deadKey, { token: 'nonsense' }]) {
      const reply = await send(credential)
      expect([reply.status, reply.body.errors]).toEqual([401, undefined])
    }
    const compressed = { headers: { 'content-encoding': 'gzip' }, rawBody: 'not gzip' }
    if (body) expect((await it.call(method, path, compressed)).status).toBe(401)
  })

  test.runIf(accepts === 'session')('does not take an API key', async () => {
    const reply = await it.call(method, path, { ...withBody(), key: owner.key })
    expect([reply.status, reply.body.code]).toEqual([401, 'missing_credentials'])
  })

  test.runIf(typeof otherAccount === 'function')('keeps one account’s things from another', async () => {
    if (typeof otherAccount === 'function') await otherAccount()
  })

  const takesBody = body !== undefined && !OWNED_FIRST.has(route)
  test.runIf(takesBody)('refuses a body that is not JSON, of another type, or too large', async () => {
    const credential = credentialOf(owner)
    const refusals: Array<[object, number, string]> = [
      [{ rawBody: '{"email":' }, 400, 'invalid_request'],
      [{ rawBody: 'a=b', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
      [{ rawBody: JSON.stringify({ padding: 'x'.repeat(bodyBytesMax) }) }, 413, 'payload_too_large'],
    ]
    for (const [sent, status, code] of refusals) {
      const reply = await it.call(method, path, { ...credential, ...sent })
      expect([reply.status, reply.body.code]).toEqual([status, code])
    }
    const wrong = await it.call(method, path, { ...credential, body: WRONG })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request'])
    expect(wrong.body.errors.length).toBeGreaterThan(0)
  })

  test.runIf(accepts !== 'public')('refuses an account that calls too often, and says when to come back', async () => {
    await emptyBucket(`${limit}:${busy.id}`)
    const reply = await it.call(method, path, { ...withBody(), ...credentialOf(busy) })
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([429, 'rate_limited', true])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.headers.get('ratelimit-policy')).toBe(POLICIES[limit])
    expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"${limit}";r=0;t=\\d+$`))
  })
})

test.each([
  ['POST', () => ownerRegisters(), (id: string | number) => `/v1/partner/webhooks/${id}/replay`],
  ['GET', () => ownerRegisters(), (id: string | number) => `/v1/partner/webhooks/${id}/deliveries?limit=-1`],
  ['POST', () => ownerReviews(), (id: string | number) => `/v1/reviews/${id}/decision`],
  ['PATCH', () => ownerConnects(), (id: string | number) => `/v1/connections/${id}`],
  ['POST', () => listen(owner), (id: string | number) => `/v1/webhook-listeners/${id}/events`],
  ['GET', () => ownerSendsBulk(), (id: string | number) => `/v1/bulk/${id}/results?format=neither`],
  [
    'POST',
    () => ownerIsAnswered('shared-by-its-owner.co.uk', siteOf(ALDER)),
    (id: string | number) => `/v1/resolutions/${id}/share-links`,
  ],
] as const)('%s to another account’s thing is 404, whatever was sent to it', async (method, make, toPath) => {
  const path = toPath(await make())
  const send = ({ token }: TestAccount, more: object) => it.call(method, path, { token, ...more })
  const text = { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } }
  const broken = [{ rawBody: '{"broken":' }, text, { rawBody: JSON.stringify({ padding: 'x'.repeat(65_536) }) }]
  const expected = method === 'GET' ? [400] : [400, 415, 413]
  for (const [index, status] of expected.entries()) {
    const sent = method === 'GET' ? {} : (broken[index] ?? {})
    expect([(await send(other, sent)).status, (await send(owner, sent)).status]).toEqual([404, status])
  }
})

const LONG = 'x'.repeat(65)
test.each([
  `DELETE /v1/auth/api-keys/${LONG}`,
  'GET /v1/bulk?limit=0',
  'GET /v1/account/ledger/export?only=neither',
  `POST /v1/bulk/${LONG}/cancel`,
  `POST /v1/bulk/${LONG}/resume`,
  'DELETE /v1/partner/webhooks/not-a-number',
  'POST /v1/partner/webhooks/not-a-number/test',
  'POST /v1/partner/webhooks/not-a-number/rotate-secret',
  'DELETE /v1/webhook-listeners/not-a-number',
])('%s names nothing that can be, and is a bad request', async (request) => {
  const [method = '', path = ''] = request.split(' ')
  const reply = await it.call(method, path, { token: owner.token })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
})

test('a broken body to what cannot be an id is a bad request, and no failure of ours', async () => {
  const sent = { token: owner.token, rawBody: '{"broken":' }
  for (const path of ['/v1/webhook-listeners/not-a-number/events', '/v1/partner/webhooks/not-a-number/replay']) {
    expect((await it.call('POST', path, sent)).status).toBe(400)
  }
})

test('a listener that was closed is gone for a repeat of the request that opened it', async () => {
  const { key } = await it.openAccount()
  const opening = { key, body: {}, headers: { 'idempotency-key': 'listen-once' } }
  const opened = await it.call('POST', '/v1/webhook-listeners', opening)
  await it.call('DELETE', `/v1/webhook-listeners/${opened.body.id}`, { key })
  expect((await it.call('POST', '/v1/webhook-listeners', opening)).status).toBe(404)
})

test('the state of the service is told to an address so often and no more', async () => {
  const ip = '203.0.113.78'
  await emptyBucket(`operations:${ip}`)
  expect((await it.call('GET', '/v1/status', { ip })).status).toBe(429)
})

test('the public sign-in family is throttled per address', async () => {
  const ip = '203.0.113.77'
  const email = 'x@customer.test'
  const requests: Array<[string, object?]> = [
    ['POST /v1/auth/signup', { email: 'taken@customer.test', password: PASSWORD }],
    ['POST /v1/auth/login', { email, password: 'wrong' }],
    ['GET /v1/auth/verify-email?token=nonsense'],
    ['POST /v1/auth/resend-verification', { email }],
    ['POST /v1/auth/forgot-password', { email }],
    ['POST /v1/auth/reset-password', { token: 'x', new_password: PASSWORD }],
  ]
  for (const [request, body] of requests) {
    const [method = '', path = ''] = request.split(' ')
    let retryAfter: string | null = null
    for (let attempt = 0; attempt < 25 && retryAfter === null; attempt += 1) {
      const reply = await it.call(method, path, { ip, ...(body ? { body } : {}) })
      if (reply.status === 429) retryAfter = reply.headers.get('retry-after')
    }
    expect([request, retryAfter]).toEqual([request, expect.any(String)])
  }
})

test('more sign-ins at once than can be worked on answer 503 and say when to come back', async () => {
  // The service runs in this process: the flood takes all 4 slots and all 64 that may wait for one.
  const flood = Array.from({ length: 68 }, () => it.app.passwordSlots.enter())
  const [token, email] = [owner.token, 'late@customer.test']
  const during: Array<[string, CallOptions]> = [
    ['login', { body: { email, password: PASSWORD } }],
    ['signup', { body: { email, password: PASSWORD } }],
    ['reset-password', { body: { token: 'x', new_password: PASSWORD } }],
    ['change-password', { token, body: { current_password: PASSWORD, new_password: PASSWORD } }],
    ['api-key/rotate', { token, body: { current_password: PASSWORD } }],
    ['api-key/show', { token, body: { current_password: PASSWORD } }],
  ]
  for (const [path, options] of during) {
    const reply = await it.call('POST', `/v1/auth/${path}`, options)
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, 'busy', true])
    expect(reply.headers.get('retry-after')).toBe('2')
  }
  for (const leave of flood) (await leave)?.()
})
