/** The audit log as its account gets it: pages, filters, a table, and a stream of events for other systems. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import canonicalize from 'canonicalize'
import { beforeAll, describe, expect, test } from 'vitest'
import { publishAuditJob } from '../src/webhooks/index.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { subscribe } from './setup/webhooks.ts'

const it = useTestService()
const execFileAsync = promisify(execFile)
const PATH = '/v1/account/audit'

let owner: TestAccount
let other: TestAccount
beforeAll(async () => {
  ;[owner, other] = [await it.signUp(), await it.signUp()]
  for (const accepts of [false, true])
    await it.call('PATCH', '/v1/account/settings', { token: owner.token, body: { second_reader: accepts } })
  await it.call('PATCH', '/v1/account/settings', { key: owner.key, body: { second_reader: false } })
  await it.call('POST', '/v1/auth/login', { body: { email: owner.email, password: 'not the password' } })
  const { body: listener } = await it.call('POST', '/v1/webhook-listeners', { key: owner.testKey, body: {} })
  await it.call('DELETE', `/v1/webhook-listeners/${listener.id}`, { key: owner.testKey })
})

interface Entry {
  sequence: number
  act: string
  act_name: string
  mode: string
  actor: { kind: string; id: string | null; name: string | null }
  proof: Record<string, string>
  [member: string]: unknown
}

const read = async (query = '', credential: { token?: string; key?: string } = { token: owner.token }) =>
  (await it.call('GET', `${PATH}${query}`, credential)).body as { data: Entry[]; next_cursor: string | null }
const actsOf = ({ data }: { data: Entry[] }) => data.map(({ act }) => act)

test('the owner reads every entry, newest first, with who, from where, and before and after', async () => {
  const { data } = await read()
  expect(data.map(({ act, actor, mode }) => `${mode} ${actor.kind} ${act}`)).toEqual([
    'test api_key listener_closed',
    'test api_key listener_opened',
    'live unknown login',
    'live api_key second_reader_changed',
    'live person second_reader_changed',
    'live person second_reader_changed',
    'live person login',
    'live person email_verified',
    'live person signup',
  ])
  expect(data.map(({ sequence }) => sequence)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(data[3]).toMatchObject({
    act_name: 'Second reader changed',
    outcome: 'success',
    before: { second_reader: true },
    after: { second_reader: false },
    actor: { id: expect.stringMatching(/^key_/), name: `${owner.key.slice(0, 12)}…${owner.key.slice(-4)}` },
  })
  expect(data[2]).toMatchObject({ act_name: 'Sign-in failed', outcome: 'failure' })
  expect(data[4]?.actor.name).toBe(owner.email)
})

test('pages by cursor have every entry once, while new ones arrive', async () => {
  const seen: number[] = []
  let cursor: string | null = ''
  for (let page = 0; page < 20 && cursor !== null; page += 1) {
    const reply = await read(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...reply.data.map(({ sequence }) => sequence))
    cursor = reply.next_cursor
    await it.call('POST', '/v1/auth/login', { body: { email: owner.email, password: 'wrong again' } })
    await it.app.db.query('delete from rate_bucket')
  }
  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
})

test('filters by act, actor, outcome, mode and day', async () => {
  expect(new Set(actsOf(await read('?act=second_reader_changed')))).toEqual(new Set(['second_reader_changed']))
  expect((await read('?act=second_reader_changed&actor=api_key')).data).toHaveLength(1)
  expect(actsOf(await read('?mode=test'))).toEqual(['listener_closed', 'listener_opened'])
  expect(new Set(actsOf(await read('?outcome=failure')))).toEqual(new Set(['login']))
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(it.clock.now())
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' })
  const yesterday = days.format(new Date(it.clock.now().getTime() - 30 * 3_600_000))
  const tomorrow = days.format(new Date(it.clock.now().getTime() + 30 * 3_600_000))
  expect((await read(`?from=${yesterday}&to=${tomorrow}&actor=person`)).data.length).toBeGreaterThan(3)
  expect((await read(`?from=${tomorrow}`)).data).toEqual([])
  expect((await read('?to=2020-01-01')).data).toEqual([])
  for (const query of ['?act=nonsense', '?actor=me', `?from=${tomorrow}&to=${today}`, '?cursor=0', '?from=yesterday'])
    expect((await it.call('GET', `${PATH}${query}`, { token: owner.token })).status, query).toBe(400)
})

test('a key sees the entries of its own mode, and no account those of another', async () => {
  expect(actsOf(await read('', { key: owner.testKey }))).toEqual(['listener_closed', 'listener_opened'])
  const live = await read('', { key: owner.key })
  expect(live.data.every(({ mode }) => mode === 'live')).toBe(true)
  expect((await it.call('GET', `${PATH}?mode=live`, { key: owner.testKey })).status).toBe(400)
  expect((await it.call('GET', `${PATH}?mode=test`, { key: owner.key })).status).toBe(400)
  const foreign = await read('?cursor=9', { token: other.token })
  expect(actsOf(foreign)).toEqual(['login', 'email_verified', 'signup'])
  expect(JSON.stringify(foreign)).not.toContain(owner.email)
  expect((await it.call('GET', PATH)).status).toBe(401)
})

test('the table has all entries that the filters leave, no formula, and is an entry itself', async () => {
  const reply = await it.call('GET', `${PATH}/export?actor=person`, { token: owner.token })
  expect(reply.headers.get('content-type')).toContain('text/csv')
  expect(reply.headers.get('content-disposition')).toContain('audit-log.csv')
  const [head, ...lines] = reply.text.trim().split('\r\n')
  expect(head).toContain('"sequence","at","act","act_name"')
  expect(lines.some((line) => line.includes('"second_reader_changed","Second reader changed","success","live"'))).toBe(
    true,
  )
  expect(lines.every((line) => line.includes('"person"'))).toBe(true)
  expect(actsOf(await read('?limit=1'))).toEqual(['audit_exported'])
  expect((await it.call('GET', `${PATH}/export?to=2026-01-01&from=2026-01-02`, { token: owner.token })).status).toBe(
    400,
  )
  expect((await it.call('GET', `${PATH}/export`, {})).status).toBe(401)
  const own = await it.call('GET', `${PATH}/export`, { key: owner.testKey })
  expect(own.text).not.toContain('second_reader_changed')
})

const sha256 = (salt: string, value: object) =>
  createHash('sha256')
    .update(Buffer.from(salt, 'hex'))
    .update(canonicalize(value) ?? '')
    .digest('hex')

test('a program makes the chain again from what it gets, as the documentation describes', async () => {
  const { data } = await read('?limit=100')
  let previous = '00'.repeat(32)
  for (const { proof, actor, ...entry } of data.toReversed()) {
    const { ip, user_agent, request_id, details, before, after, act, at, mode, outcome } = entry
    expect(proof['origin_hash']).toBe(sha256(proof['origin_salt'] ?? '', { ip, user_agent }))
    expect(proof['content_hash']).toBe(sha256(proof['content_salt'] ?? '', { request_id, details, before, after }))
    const covered = {
      account: owner.id,
      action: act,
      actor: { kind: actor.kind, id: actor.id },
      at: String(at).replace('Z', '000Z'),
      content: proof['content_hash'],
      mode,
      origin: proof['origin_hash'],
      outcome,
      previous,
    }
    expect(proof['previous_hash']).toBe(previous)
    expect(proof['hash']).toBe(sha256('', covered))
    previous = proof['hash'] ?? ''
  }
})

describe('the program of the documentation checks the downloaded table', () => {
  const page = readFileSync(new URL('../docs/audit-log.md', import.meta.url), 'utf8')
  const program = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''
  const check = async (account: TestAccount, change: (table: string) => string) => {
    const folder = await mkdtemp(join(tmpdir(), 'audit-'))
    const file = join(folder, 'audit-log.csv')
    const { text } = await it.call('GET', `${PATH}/export`, { token: account.token })
    await writeFile(file, change(text))
    const { stdout } = await execFileAsync(process.execPath, [
      '--input-type=module',
      '-e',
      program,
      '-',
      account.id,
      file,
    ])
    await rm(folder, { recursive: true })
    return stdout.trim().split('\n')
  }
  const account = prepare(async () => {
    const opened = await it.signUp()
    for (const agent of ["-dash/1.0 'quoted'", '@at/2', '', '5-day/1'])
      await it.call('PATCH', '/v1/account/settings', {
        token: opened.token,
        body: { second_reader: agent === '@at/2' },
        headers: { 'user-agent': agent },
      })
    return opened
  })

  test.each([
    ['as it was', (table: string) => table, ''],
    ['with another address', (table: string) => table.replace('-dash', 'dash'), 'another address'],
    [
      'with another value',
      (table: string) => table.replace('""second_reader"":true', '""second_reader"":null'),
      'details',
    ],
    [
      'with another act',
      (table: string) => table.replace('"email_verified"', '"password_reset"'),
      'entry 2: another act',
    ],
    ['without a line', (table: string) => table.replace(/^"5",.*\r\n/m, ''), 'entry 6: entries after 4 are not here'],
  ])('%s', async (_how, change, found) => {
    const problems = await check(account, change)
    expect(problems).toEqual([expect.stringContaining(found)])
    expect(problems[0] === '').toBe(found === '')
  })
})

describe('the stream', () => {
  const publish = async () => {
    await it.runJob(publishAuditJob)
    await it.settle()
  }
  const act = (account: TestAccount, accepts: boolean) =>
    it.call('PATCH', '/v1/account/settings', { token: account.token, body: { second_reader: accepts } })

  test('each entry after the subscription is sent once, in order, also when the job runs twice at once', async () => {
    const account = await it.signUp()
    const { receiver } = await subscribe(it, { account, type: 'audit_entry' })
    for (const accepts of [false, true, false]) await act(account, accepts)
    await Promise.all([it.runJob(publishAuditJob), it.runJob(publishAuditJob)])
    await publish()
    const bodies = receiver.received.map(
      ({ body }) => JSON.parse(body) as { type: string; sequence: number; data: Entry },
    )
    const ordered = bodies.toSorted((one, next) => one.sequence - next.sequence)
    expect(ordered.map(({ type, data }) => `${type} ${data.sequence} ${data.act}`)).toEqual([
      'audit_entry 4 webhook_created',
      'audit_entry 5 second_reader_changed',
      'audit_entry 6 second_reader_changed',
      'audit_entry 7 second_reader_changed',
    ])
    const { data } = await read('?limit=3', { token: account.token })
    expect(ordered.slice(1).map((event) => event.data)).toEqual(data.toReversed())
  })

  test('a destination of all signals gets no entry, and a test destination only those of test mode', async () => {
    const account = await it.signUp()
    const all = await subscribe(it, { account, type: 'all' })
    const inTest = await subscribe(it, { account, type: 'audit_entry', mode: 'test' })
    await act(account, false)
    await publish()
    const typesOf = ({ receiver }: typeof all) => receiver.received.map(({ body }) => JSON.parse(body).data.act)
    expect(typesOf(all)).toEqual([])
    expect(typesOf(inTest)).toEqual(['webhook_created'])
  })

  test('a live destination gets the acts of test mode too, so that its sequence has no gap', async () => {
    const account = await it.signUp()
    const live = await subscribe(it, { account, type: 'audit_entry' })
    await subscribe(it, { account, type: 'audit_entry', mode: 'test' })
    await act(account, false)
    await publish()
    const events = live.receiver.received.map(({ body }) => JSON.parse(body) as { test?: true; data: Entry })
    const ordered = events.toSorted((one, next) => one.data.sequence - next.data.sequence)
    expect(ordered.map(({ test: isTest, data }) => [data.sequence, data.act, data.mode, isTest ?? false])).toEqual([
      [4, 'webhook_created', 'live', false],
      [5, 'webhook_created', 'test', true],
      [6, 'second_reader_changed', 'live', false],
    ])
  })

  test('an account that no longer subscribes is sent nothing, and starts afresh when it does again', async () => {
    const account = await it.signUp()
    const first = await subscribe(it, { account, type: 'audit_entry' })
    await publish()
    await first.see('DELETE', '')
    await act(account, false)
    await publish()
    expect(await it.app.db.query('select from audit_stream where account_id = $1', [account.id])).toEqual([])
    const again = await subscribe(it, { account, type: 'audit_entry' })
    await publish()
    expect(first.receiver.received).toHaveLength(1)
    expect(again.receiver.received.map(({ body }) => JSON.parse(body).data.act)).toEqual(['webhook_created'])
  })
})
