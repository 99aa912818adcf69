/**
 * Every route that can change something either writes an entry to the audit log of the account, or is on a short list with
 * the reason. A route that is in neither list fails the first test.
 */
import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Act } from '../src/accounts/audit/acts.ts'
import { toUnsubscribeLink } from '../src/signals/digest/notifications.ts'
import { Browser, connectAgent, newPkce, registerClient, walkToCallback } from './setup/agent-walk.ts'
import { ALDER, siteNaming, siteOf } from './setup/companies.ts'
import { createPlainCall, type TestAccount, useTestService, WAIT } from './setup/harness.ts'
import { subscribe } from './setup/webhooks.ts'

const it = useTestService({ companies: [ALDER] })
let owner: TestAccount
beforeAll(async () => {
  owner = await it.openAccount({ credits: 50 })
})

const PASSWORD = 'eight calm lighthouses'
const USER_AGENT = 'acts-test/1.0 (private words)'
const headers = { 'user-agent': USER_AGENT }
const send = async (request: string, body?: object) => {
  const [method = '', path = ''] = request.split(' ')
  const reply = await it.call(method, path, { token: owner.token, headers, ...(body ? { body } : {}) })
  expect([request, reply.status, reply.text.slice(0, 300)]).toEqual([
    request,
    expect.toSatisfy(isDone),
    expect.anything(),
  ])
  return reply.body
}
const isDone = (status: number) => status >= 200 && status < 300
const browse = () => new Browser(it, owner.token)
const form = (path: string, fields: Record<string, string> = {}) => browse().send('POST', path, fields)

/** Returns the token in the newest e-mail to the address. */
async function readToken(email: string): Promise<string> {
  await it.settle()
  const link = it.mailbox
    .mailsTo(email)
    .map(({ text }) => /token=([\w.~-]+)/.exec(text)?.[1])
    .findLast((token) => token !== undefined)
  return link ?? ''
}

async function connectionId(): Promise<string> {
  await connectAgent(it, owner)
  return (await send('GET /v1/connections')).data[0].id
}

async function destination(): Promise<number> {
  return (await subscribe(it, { account: owner })).id
}

let sites = 0

/** Returns the id of an answer to the owner. */
async function answer(kind: 'match' | 'doubt'): Promise<string> {
  sites += 1
  const domain = `acted-on-${sites}.co.uk`
  it.web.setSite(domain, kind === 'match' ? siteOf(ALDER) : siteNaming(ALDER))
  const asked = { key: owner.key, body: { domain }, headers: WAIT }
  return (await it.call('POST', '/v1/resolve/domain', asked)).body.resolution_id
}

async function review(): Promise<string> {
  await answer('doubt')
  return (await send('GET /v1/reviews')).data[0].id
}

async function bulkJob(): Promise<string> {
  sites += 1
  return (await send('POST /v1/bulk', { domains: [`in-a-list-${sites}.co.uk`] })).id
}

const listener = async () => (await send('POST /v1/webhook-listeners', {})).id

/** The last entry of each act, by route. */
const ACTS: Record<string, [act: string, run: () => Promise<unknown>]> = {
  'POST /v1/auth/login': ['login', () => send('POST /v1/auth/login', pick())],
  'POST /sign-in': ['login', () => new Browser(it).send('POST', '/sign-in', pick())],
  'POST /oauth/interaction/:uid/sign-in': [
    'program_connected',
    async () => connectAgent(it, owner, { browser: new Browser(it) }),
  ],
  'POST /oauth/interaction/:uid/allow': ['program_connected', connectionId],
  'POST /oauth/interaction/:uid/deny': [
    'program_refused',
    async () =>
      walkToCallback({ clientId: await registerClient(it), pkce: newPkce(), browser: browse() }, owner, {
        answer: 'deny',
      }),
  ],
  'POST /oauth/revoke': [
    'program_token_ended',
    async () => {
      const { tokens, clientId } = await connectAgent(it, owner)
      const rawBody = new URLSearchParams({ token: tokens.access_token, client_id: clientId }).toString()
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      await it.visit('POST', '/oauth/revoke', { rawBody, headers: type })
    },
  ],
  'POST /v1/auth/api-key/show': [
    'api_key_shown',
    () => send('POST /v1/auth/api-key/show', { mode: 'live', current_password: owner.password }),
  ],
  'POST /v1/auth/api-key/rotate': [
    'api_key_rotated',
    async () => {
      owner.key = (await send('POST /v1/auth/api-key/rotate', { current_password: owner.password })).api_key
    },
  ],
  'DELETE /v1/auth/api-keys/:id': [
    'api_key_ended',
    async () => {
      const { api_keys: keys } = await send('GET /v1/auth/me')
      await send(`DELETE /v1/auth/api-keys/${keys.find(({ mode }: { mode: string }) => mode === 'test').id}`)
    },
  ],
  'PATCH /v1/connections/:id': [
    'program_cap_changed',
    async () => send(`PATCH /v1/connections/${await connectionId()}`, { daily_credit_cap: 7 }),
  ],
  'POST /connected-apps/:id/cap': [
    'program_cap_changed',
    async () => form(`/connected-apps/${await connectionId()}/cap`, { daily_credit_cap: '8' }),
  ],
  'DELETE /v1/connections/:id': [
    'program_disconnected',
    async () => send(`DELETE /v1/connections/${await connectionId()}`),
  ],
  'POST /connected-apps/:id/end': [
    'program_disconnected',
    async () => form(`/connected-apps/${await connectionId()}/end`),
  ],
  'PATCH /v1/account/notifications': [
    'digest_changed',
    () => send('PATCH /v1/account/notifications', { daily_digest: true }),
  ],
  'POST /unsubscribe': [
    'digest_changed',
    async () => {
      const { pathname, search } = toUnsubscribeLink(it.app, owner.id)
      await it.visit('POST', `${pathname}${search}`)
    },
  ],
  'PATCH /v1/account/settings': [
    'second_reader_changed',
    () => send('PATCH /v1/account/settings', { second_reader: false }),
  ],
  'PUT /v1/watchlist': ['watchlist_replaced', () => send('PUT /v1/watchlist', { company_numbers: [ALDER.number] })],
  'POST /v1/watchlist/bulk': [
    'watchlist_extended',
    async () => {
      await send(`DELETE /v1/watchlist/${ALDER.number}`)
      await send('POST /v1/watchlist/bulk', { company_numbers: [ALDER.number] })
    },
  ],
  'POST /v1/resolutions/:id/dispute': [
    'match_disputed',
    async () => send(`POST /v1/resolutions/${await answer('match')}/dispute`, { reason: 'private words' }),
  ],
  'POST /v1/resolutions/:id/evidence/record': [
    'evidence_sealed',
    async () => send(`POST /v1/resolutions/${await answer('match')}/evidence/record`),
  ],
  'POST /v1/watchlists': ['watchlist_made', () => send('POST /v1/watchlists', { name: 'Made once' })],
  'PATCH /v1/watchlists/:id': ['watchlist_changed', () => send('PATCH /v1/watchlists/default', { name: 'Renamed' })],
  'DELETE /v1/watchlists/:id': [
    'watchlist_deleted',
    async () => {
      const { id } = await send('POST /v1/watchlists', { name: 'Deleted soon' })
      await send(`DELETE /v1/watchlists/${id}`)
    },
  ],
  'POST /v1/watchlists/:id/calendar': ['calendar_made', () => send('POST /v1/watchlists/default/calendar')],
  'DELETE /v1/watchlists/:id/calendar': [
    'calendar_ended',
    async () => {
      await send('POST /v1/watchlists/default/calendar')
      await send('DELETE /v1/watchlists/default/calendar')
    },
  ],
  'POST /v1/watchlists/:id/import': [
    'watchlist_extended',
    async () => {
      const { id } = await send('POST /v1/watchlists', { name: 'Imported' })
      await send(`POST /v1/watchlists/${id}/import`, { company_numbers: [ALDER.number] })
    },
  ],
  'POST /v1/resolutions/:id/share-links': [
    'share_link_made',
    async () => send(`POST /v1/resolutions/${await answer('match')}/share-links`, { days: 3 }),
  ],
  'DELETE /v1/share-links/:id': [
    'share_link_revoked',
    async () => {
      const { id } = await send(`POST /v1/resolutions/${await answer('match')}/share-links`, { days: 3 })
      await send(`DELETE /v1/share-links/${id}`)
    },
  ],
  'POST /v1/reviews/:id/decision': [
    'decision_made',
    async () => send(`POST /v1/reviews/${await review()}/decision`, { action: 'reject', reason: 'private words' }),
  ],
  'DELETE /v1/reviews/:id/decision': [
    'decision_withdrawn',
    async () => {
      const id = await review()
      await send(`POST /v1/reviews/${id}/decision`, { action: 'reject' })
      await send(`DELETE /v1/reviews/${id}/decision`)
    },
  ],
  'POST /v1/reviews/decisions': [
    'decision_made',
    async () => send('POST /v1/reviews/decisions', { items: [{ id: await review(), action: 'reject' }] }),
  ],
  'POST /v1/reviews/decisions/withdraw': [
    'decision_withdrawn',
    async () => {
      const id = await review()
      await send('POST /v1/reviews/decisions', { items: [{ id, action: 'reject' }] })
      await send('POST /v1/reviews/decisions/withdraw', { ids: [id] })
    },
  ],
  'POST /v1/bulk': ['bulk_created', bulkJob],
  'POST /v1/bulk/:id/cancel': ['bulk_cancelled', async () => send(`POST /v1/bulk/${await bulkJob()}/cancel`)],
  'POST /v1/bulk/:id/decisions': [
    'decision_made',
    async () => {
      const { id } = await send('POST /v1/bulk', { table: `name,company name\n1,${ALDER.name} Limted\n` })
      await it.settle()
      await send(`POST /v1/bulk/${id}/decisions`, { rows: [{ row: 1, action: 'reject' }] })
    },
  ],
  'POST /v1/bulk/:id/evidence': ['bulk_exported', async () => send(`POST /v1/bulk/${await bulkJob()}/evidence`)],
  'POST /v1/bulk/:id/resume': [
    'bulk_resumed',
    async () => {
      const id = await bulkJob()
      await send(`POST /v1/bulk/${id}/cancel`)
      await it.app.db.query(`update bulk_row set state = 'cancelled' where bulk_id = $1`, [id])
      await send(`POST /v1/bulk/${id}/resume`)
    },
  ],
  'POST /v1/partner/webhooks': ['webhook_created', destination],
  'DELETE /v1/partner/webhooks/:id': [
    'webhook_deleted',
    async () => send(`DELETE /v1/partner/webhooks/${await destination()}`),
  ],
  'POST /v1/partner/webhooks/:id/test': [
    'webhook_tested',
    async () => send(`POST /v1/partner/webhooks/${await destination()}/test`),
  ],
  'POST /v1/partner/webhooks/:id/rotate-secret': [
    'webhook_secret_rotated',
    async () => send(`POST /v1/partner/webhooks/${await destination()}/rotate-secret`),
  ],
  'POST /v1/partner/webhooks/:id/enable': [
    'webhook_enabled',
    async () => {
      const id = await destination()
      await it.app.db.query(
        `update webhook_destination set status = 'disabled', disabled_reason = 'gone' where id = $1`,
        [id],
      )
      await send(`POST /v1/partner/webhooks/${id}/enable`)
    },
  ],
  'POST /v1/partner/webhooks/:id/replay': [
    'webhook_replayed',
    async () => send(`POST /v1/partner/webhooks/${await destination()}/replay`, {}),
  ],
  'POST /v1/webhook-listeners': ['listener_opened', listener],
  'DELETE /v1/webhook-listeners/:id': [
    'listener_closed',
    async () => send(`DELETE /v1/webhook-listeners/${await listener()}`),
  ],
  'POST /v1/auth/forgot-password': [
    'password_reset_requested',
    async () => {
      await send('POST /v1/auth/forgot-password', { email: owner.email })
      await it.settle()
    },
  ],
  'POST /forgot-password': [
    'password_reset_requested',
    async () => {
      await form('/forgot-password', { email: owner.email })
      await it.settle()
    },
  ],
  'POST /v1/auth/reset-password': ['login', () => reset('/v1')],
  'POST /reset-password': ['login', () => reset('')],
  'POST /v1/auth/change-password': [
    'password_changed',
    async () => {
      const change = { current_password: owner.password, new_password: `${PASSWORD} again` }
      owner.token = (await send('POST /v1/auth/change-password', change)).token
      owner.password = change.new_password
    },
  ],
  'POST /sign-out': [
    'login',
    async () => {
      await form('/sign-out')
      expect(await lastActs(1)).toEqual(['signed_out'])
      owner.token = (await it.call('POST', '/v1/auth/login', { body: pick() })).body.token
    },
  ],
}

const pick = () => ({ email: owner.email, password: owner.password })

/** Resets the password through the API or the page, and signs in with it. */
async function reset(way: '/v1' | ''): Promise<void> {
  await it.call('POST', '/v1/auth/forgot-password', { body: { email: owner.email } })
  const [token, password] = [await readToken(owner.email), `${PASSWORD} ${way}`]
  if (way === '') await form('/reset-password', { token, new_password: password })
  else await it.call('POST', '/v1/auth/reset-password', { body: { token, new_password: password } })
  expect(await lastActs(1)).toEqual(['password_reset'])
  const { body } = await it.call('POST', '/v1/auth/login', { body: { email: owner.email, password } })
  owner = { ...owner, password, token: body.token, key: body.api_key, testKey: body.test_api_key }
}

/** The other routes with a changing method, and why they write nothing. */
const WITHOUT: Record<string, string> = {
  'POST /v1/auth/signup': 'the log begins with it: tested below',
  'POST /sign-up': 'the same as a form',
  'POST /verify-email': 'the second entry of a log: tested below',
  'POST /v1/auth/resend-verification': 'changes nothing until the link is followed, which is recorded',
  'POST /resend-verification': 'the same as a form',
  'POST /console/session': 'exchanges the cookie of a session that was recorded when it began',
  'POST /v1/resolve/domain': 'a question: usage and ledger have it',
  'POST /v1/resolve/company': 'a question: usage and ledger have it',
  'POST /v1/enrich': 'a question: usage and ledger have it',
  'POST /v1/partner/enrich-company': 'a question: usage and ledger have it',
  'POST /v1/bulk/files': 'stores a file for a day; the bulk job that it starts is recorded',
  'POST /mcp': 'questions of programs, and single watches',
  'DELETE /mcp': 'is refused',
  'POST /verify': 'checks a file without an account',
  'POST /v1/watchlist': 'one company; programs send thousands, and the watchlist has the time of each',
  'DELETE /v1/watchlist/:company_number': 'one company; programs send thousands',
  'POST /v1/signals/read': 'which signals people have read',
  'POST /v1/watchlists/:id/companies': 'one company; programs send thousands',
  'PATCH /v1/watchlists/:id/companies/:company_number': 'the note and tags of one company',
  'DELETE /v1/watchlists/:id/companies/:company_number': 'one company; programs send thousands',
  'POST /v1/test/signals': 'makes test data only',
  'POST /v1/webhook-listeners/:id/events': 'fetches events of a listener whose opening was recorded',
  'POST /v1/account/views': 'a name for a filter of the console, which changes nothing else',
  'DELETE /v1/account/views/:id': 'the same',
  'POST /oauth/register': 'a program without an account',
  'POST /oauth/authorize': 'leads to the consent, which is recorded',
  'POST /oauth/token': 'a program exchanges what a person allowed, which was recorded',
}

async function lastActs(count: number): Promise<string[]> {
  const rows = await it.app.db.query<{ action: string }>(
    'select action from audit_event where account_id = $1 order by seq desc limit $2',
    [owner.id, count],
  )
  return rows.map(({ action }) => action)
}

test('every route with a changing method is known here', () => {
  const changing = (it.service.server?.routeList ?? []).filter((route) => /^(?:POST|PUT|PATCH|DELETE) /.test(route))
  expect(changing.toSorted()).toEqual([...Object.keys(ACTS), ...Object.keys(WITHOUT)].sort())
})

describe('an entry is written by', () => {
  test.each(Object.entries(ACTS))('%s', async (_route, [act, run]) => {
    await it.app.db.query('delete from rate_bucket')
    const before = await countEntries()
    await run()
    expect((await lastActs(1))[0]).toBe(act)
    expect(await countEntries()).toBeGreaterThan(before)
  })
})

test('a person who looks at an answer in the console makes no entry', async () => {
  const id = await answer('match')
  const before = await countEntries()
  await send(`GET /v1/resolutions/${id}/evidence`)
  expect(await countEntries()).toBe(before)
})

test('a download of kept pages, of evidence in each form by the API or in a browser, and of the ledger is an entry', async () => {
  const id = await answer('match')
  const { id: recordId } = await send(`POST /v1/resolutions/${id}/evidence/record`)
  const asked = { token: owner.token, headers: { ...headers, accept: 'application/pdf' } }
  const plainCall = createPlainCall(it.config.baseUrl)
  for (const [act, details, download] of [
    ['pages_exported', { resolution_id: id }, () => send(`GET /v1/resolutions/${id}/archive`)],
    ['document_exported', { record_id: recordId }, () => it.call('GET', `/v1/evidence/${recordId}`, asked)],
    ['document_exported', { record_id: recordId }, () => browse().send('GET', `/evidence/${recordId}/document`)],
    [
      'evidence_exported',
      { resolution_id: id, format: 'json' },
      () => it.call('GET', `/v1/resolutions/${id}/evidence?format=json`, { key: owner.key, headers }),
    ],
    [
      'evidence_exported',
      { resolution_id: id, format: 'html' },
      () => plainCall('GET', `/v1/resolutions/${id}/evidence?format=html`, { token: owner.token, headers }),
    ],
    ['evidence_exported', { resolution_id: id, format: 'html' }, () => browse().send('GET', `/evidence/${id}`)],
    ['evidence_exported', { record_id: recordId, format: 'json' }, () => send(`GET /v1/evidence/${recordId}`)],
    [
      'evidence_exported',
      { record_id: recordId, format: 'json' },
      () => send(`POST /v1/resolutions/${id}/evidence/record`),
    ],
    ['ledger_exported', {}, () => send('GET /v1/account/ledger/export')],
  ] as const) {
    const before = await countEntries()
    await download()
    const [last] = await it.app.db.query(
      'select action, details from audit_event where account_id = $1 order by seq desc limit 1',
      [owner.id],
    )
    expect(last).toEqual({ action: act, details: expect.objectContaining(details) })
    expect(await countEntries()).toBe(before + 1)
  }
})

/** Words of code that hands out a file to keep, or evidence to file in any form. */
const EXPORTS =
  /content-disposition'|disposition: 'attachment'|Readable\.from\(|await readPage\(|\b(?:readEvidencePack|readEvidencePage|presentPack|sealRecord|makeDocument|exportAnswer)\(/

/** The files of the routes that do: the acts that each records, or why it records none. */
const DOWNLOADS: Record<string, { acts: Act[] } | { none: string }> = {
  'api/account/audit.ts': { acts: ['audit_exported'] },
  'api/account/ledger-export.ts': { acts: ['ledger_exported'] },
  'api/bulk/bulk-evidence.ts': { acts: ['bulk_exported'] },
  'api/bulk/bulk-results.ts': { acts: ['bulk_exported'] },
  'api/register/filing-document.ts': { none: 'a document of the public register' },
  'api/resolution/archive.ts': { acts: ['pages_exported'] },
  'api/resolution/evidence.ts': { acts: ['evidence_exported'] },
  'api/resolution/evidence-bodies.ts': { none: 'the form of the pack, for the routes that send it' },
  'api/resolution/evidence-record.ts': { acts: ['document_exported', 'evidence_exported'] },
  'api/resolution/share-links.ts': { none: 'a page for people without an account; the link was recorded' },
  'api/watchlist/list-export.ts': { acts: ['watchlist_exported'] },
  'api/watchlist/signal-feed.ts': { acts: ['signals_exported'] },
  'mcp/resources.ts': { acts: ['evidence_exported'] },
  'site/calendar-file.ts': { none: 'due dates, by an address whose making was recorded' },
  'site/evidence.ts': { acts: ['document_exported', 'evidence_exported'] },
  'site/shared-page.ts': { none: 'for people without an account; the link was recorded' },
  'site/verify.ts': { none: 'compares a record with the log for everyone, and sends none' },
}

test('every route that sends a file to keep, or evidence, is known here, and records the download', async () => {
  const entry = new URL('../src/entry/', import.meta.url)
  const names = (await readdir(entry, { recursive: true })).filter((name) => /^(?:api|site|mcp)\/.*\.ts$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(new URL(name, entry), 'utf8')] as const),
  )
  const sending = new Map(files.filter(([name, text]) => EXPORTS.test(text) && !name.endsWith('.test.ts')))
  expect([...sending.keys()].sort()).toEqual(Object.keys(DOWNLOADS).sort())
  for (const [name, download] of Object.entries(DOWNLOADS)) {
    const acts = 'acts' in download ? download.acts : []
    for (const act of acts) expect([name, sending.get(name)]).toEqual([name, expect.stringContaining(`'${act}'`)])
  }
})

/** Files that the console makes in the browser, of which the service knows nothing: none has data of the account. */
const MADE_IN_BROWSER: Record<string, string> = {
  'screens/bulk/bulk-screen.tsx': 'a template',
  'screens/bulk/results/save-export.ts': 'puts together the parts of a download that was recorded',
  'screens/watchlist/import-companies.tsx': 'a file of the person, on its way to the service',
}

test('the console makes no file of data that it read: it downloads it from a route that records it', async () => {
  const console = new URL('../console/src/', import.meta.url)
  const names = (await readdir(console, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const making: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, console), 'utf8')
    if (/new Blob\(|formatCsvLine/.test(text)) making.push(name)
  }
  expect(making.sort()).toEqual(Object.keys(MADE_IN_BROWSER))
})

const countEntries = async () =>
  Number((await it.app.db.query<{ count: string }>('select count(*) from audit_event'))[0]?.count)

test('a log begins with the sign-up and the proof of the address', async () => {
  const account = await it.signUp()
  const rows = await it.app.db.query<{ action: string; actor_kind: string }>(
    'select action, actor_kind from audit_event where account_id = $1 order by seq',
    [account.id],
  )
  expect(rows.map(({ action, actor_kind: kind }) => `${kind} ${action}`)).toEqual([
    'person signup',
    'person email_verified',
    'person login',
  ])
})

test('acts of the operator are in the log of the account', async () => {
  const account = await it.openAccount()
  const run = async (...argv: string[]) => expect((await it.run('account', ...argv)).code).toBe(0)
  await run('plan', account.id, 'growth')
  await run('grant', account.id, '5', '--reference', 'gift')
  await run('sign-out', account.id)
  await run('export', account.id)
  await run('disable', account.id)
  await run('enable', account.id)
  const rows = await it.app.db.query<{ action: string; before: object; after: object }>(
    `select action, before, after from audit_event where account_id = $1 and actor_kind = 'operator' order by seq`,
    [account.id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'plan_changed',
    'credits_granted',
    'sessions_ended',
    'account_exported',
    'account_disabled',
    'account_enabled',
  ])
  expect(rows[0]).toMatchObject({ before: { plan: 'free' }, after: { plan: 'growth' } })
})

test('no entry contains a secret, a password, a text that a person wrote, or the query of an address', async () => {
  const secrets = [owner.key, owner.testKey, owner.password, owner.token, PASSWORD, 'from=nameplate', 'private words']
  const rows = await it.app.db.query<{ text: string }>(
    `select (to_jsonb(event) - '{origin_salt,content_salt}'::text[])::text as text from audit_event event`,
  )
  const all = rows.map(({ text }) => text).join('\n')
  expect(rows.length).toBeGreaterThan(40)
  for (const secret of secrets) expect(all).not.toContain(secret)
  expect(all).not.toMatch(/np_(?:live|test)_|whsec_|eyJ[\w-]+\.|\$argon2/)
  expect(all).toContain('"user_agent": "acts-test/1.0"')
})
