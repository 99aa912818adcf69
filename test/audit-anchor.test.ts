/** A chain of the audit log that was made again in full does not fit the anchor that was signed before. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { sealOf, signText } from '../packages/evidence-check/index.ts'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import { verifyAudit } from '../src/accounts/index.ts'
import { type AuditAnchor, anchorText } from '../src/evidence/anchor/anchor-audit.ts'
import { anchorAuditJob, verifyAnchors } from '../src/evidence/index.ts'
import { getEvidenceKey } from '../src/evidence/keys.ts'
import { DAY_SECONDS, type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()
// Within a test no midnight comes by itself: a day has one anchor.
beforeAll(() => {
  const [hour = 0, minute = 0] = it.clock.now().toISOString().slice(11, 16).split(':').map(Number)
  it.clock.advance(((36 - hour) % 24) * 3_600 - minute * 60)
})

/** By key: a session ends while the clock goes on for days. */
const act = (account: TestAccount, accepts: boolean) =>
  it.call('PATCH', '/v1/account/settings', { key: account.key, body: { second_reader: accepts } })

/** An account with eight entries. */
async function openLog(): Promise<TestAccount> {
  const account = await it.signUp()
  for (const accepts of [false, true, false, true, false]) await act(account, accepts)
  return account
}

async function anchor(): Promise<void> {
  it.clock.advance(DAY_SECONDS)
  await it.runJob(anchorAuditJob)
}

/** Changes tables as a person with all rights on the database can. */
async function tamper(text: string, params: unknown[] = []): Promise<void> {
  await it.app.db.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`)
    await tx.query(text, params)
  })
}

/** Makes the chain again from an entry on, with its end, as the database made it. */
async function makeAgain(accountId: string, from: number, upTo = 8): Promise<void> {
  for (let seq = from; seq <= upTo; seq += 1) {
    await tamper(
      `select append_to_audit_chain(event, event.seq, before.entry_hash) from audit_event event
         join audit_event before on before.account_id = event.account_id and before.seq = event.seq - 1
       where event.account_id = $1 and event.seq = $2`,
      [accountId, seq],
    )
  }
  await tamper(
    `update audit_chain set entries = $2, head_hash = (select entry_hash from audit_event where account_id = $1 and seq = $2)
     where account_id = $1`,
    [accountId, upTo],
  )
}

/** As if there never had been anchors. */
async function forgetAnchors(): Promise<void> {
  await tamper('delete from audit_anchored')
  await tamper('delete from audit_anchor')
}

const verifyChain = async (accountId: string) => {
  const asked = { accountId, addressesBefore: new Date(0), onProgress: () => {} }
  return (await verifyAudit(it.app.db, asked)).problems
}

/** Returns what `nameplated audit verify` does, by the clock of the test. */
async function verify({
  accountId = null as string | null,
  kept = null as string | null,
  knownGaps = [] as string[],
} = {}) {
  const chains = await verifyAudit(it.app.db, { accountId, addressesBefore: new Date(0), onProgress: () => {} })
  const { problems, newest, anchors, gaps } = await verifyAnchors(it.app, { accountId, kept, knownGaps })
  const found = [...chains.problems, ...problems].map(({ kind, seq, words }) =>
    seq === null ? words : `${kind} ${seq}`,
  )
  return { found, newest, anchors, gaps }
}

test('a chain that was made again in full, and fits itself, is found by its anchor', async () => {
  const account = await openLog()
  await anchor()
  expect(await verify()).toMatchObject({ found: [] })
  await tamper(`update audit_event set action = 'signup' where account_id = $1 and seq = 5`, [account.id])
  await makeAgain(account.id, 5)
  expect(await verifyChain(account.id)).toEqual([])
  expect(await verify({ accountId: account.id })).toMatchObject({ found: ['recomputed 8'] })
  const { code, stdout } = await it.run('audit', 'verify', account.id, '--json')
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.objectContaining({ anchors: 1, problems: [expect.objectContaining({ kind: 'recomputed', position: 8 })] }),
  ])
  // Later entries and anchors hide nothing.
  await act(account, true)
  await anchor()
  expect(await verify({ accountId: account.id })).toMatchObject({ found: ['recomputed 8'] })
  await makeAgain(account.id, 5, 9)
  await tamper('delete from audit_event where account_id = $1 and seq > 7', [account.id])
  await makeAgain(account.id, 5, 7)
  expect(await verifyChain(account.id)).toEqual([])
  expect(await verify({ accountId: account.id })).toMatchObject({ found: ['removed 8'] })
  await tamper('delete from audit_event where account_id = $1', [account.id])
  await tamper('delete from audit_chain where account_id = $1', [account.id])
  expect((await verify()).found).toContain('removed 8')
  await tamper('delete from audit_anchored where account_id = $1', [account.id])
  expect((await verify()).found).toEqual([expect.stringMatching(/^anchor \d+: The ends of chains/), expect.any(String)])
  await forgetAnchors()
})

test('only accounts whose log grew are in an anchor, and a day has one anchor', async () => {
  await forgetAnchors()
  const [busy] = [await openLog(), await openLog()]
  await anchor()
  await it.runJob(anchorAuditJob)
  await act(busy, true)
  await anchor()
  const [last] = await it.app.db.query<{ number: number; chains: number }>(
    'select number::integer, chains::integer from audit_anchor order by number desc limit 1',
  )
  expect(last).toEqual({ number: 2, chains: 1 })
  expect(await verify()).toMatchObject({ found: [], anchors: 2 })
  const rows = 'select seq::integer from audit_anchored where account_id = $1 order by seq'
  expect(await it.app.db.query(rows, [busy.id])).toEqual([{ seq: 8 }, { seq: 9 }])
})

test.each([
  ['rows of an anchor', `update audit_anchored set head_hash = sha256('x') where anchor = 1`, /^anchor 1: The ends/],
  ['its digest', `update audit_anchor set digest = sha256('x') where number = 1`, /^anchor 1: It is not the one/],
  ['its time', `update audit_anchor set made_at = made_at - interval '1 day' where number = 1`, /^anchor 1: It is not/],
  [
    'the anchor itself, removed',
    'delete from audit_anchor where number = 1',
    /^anchor 2: The one before it is missing/,
  ],
])('a changed anchor is found: %s', async (_what, change, found) => {
  await openLog()
  await anchor()
  await openLog()
  await anchor()
  await it.app.db.query('create table kept_anchor as select * from audit_anchor')
  await it.app.db.query('create table kept_anchored as select * from audit_anchored')
  await tamper(change)
  expect((await verify()).found[0]).toMatch(found)
  for (const table of ['audit_anchor', 'audit_anchored']) {
    await tamper(`delete from ${table}`)
    await tamper(`insert into ${table} select * from kept_${table.slice(6)}`)
    await it.app.db.query(`drop table kept_${table.slice(6)}`)
  }
  expect((await verify()).found).toEqual([])
})

test('the time stamp of an anchor that was removed, exchanged or changed is found, where there is an authority', async () => {
  await forgetAnchors()
  await openLog()
  await anchor()
  it.clock.advance(1.5 * DAY_SECONDS)
  const authority = await SimulatedAuthority.create()
  await using _ = { [Symbol.asyncDispose]: () => authority.close() }
  const timeStamp = { url: new URL('http://authority.test'), timeoutSeconds: 1 }
  const app = { ...it.app, config: { ...it.app.config, timeStamp } }
  const look = async () => {
    const { problems } = await verifyAnchors(app, { accountId: null, kept: null, knownGaps: [] })
    return problems.map(({ words }) => words)
  }
  expect(await look()).toEqual([expect.stringMatching(/^anchor 1: It has no time stamp a day later/)])
  const [stored] = await it.app.db.query<AuditAnchor>(
    'select number::float8 as number, digest, made_at as "madeAt", jws from audit_anchor',
  )
  if (!stored) throw new Error('there is no anchor')
  const stamp = async (imprint: Buffer) => {
    const token = Buffer.from((await authority.stamp({ imprint })).toSchema().toBER())
    await tamper('update audit_anchor set stamp = $1', [token])
  }
  await stamp(sealOf(anchorText(stored), stored.jws))
  expect(await look()).toEqual([])
  await stamp(Buffer.alloc(32))
  expect(await look()).toEqual([expect.stringMatching(/^anchor 1: Its time stamp is about something else/)])
  await tamper('update audit_anchor set stamp = set_byte(stamp, 99, get_byte(stamp, 99) # 1)')
  expect(await look()).toEqual([expect.stringMatching(/^anchor 1: Its time stamp does not hold/)])
  await tamper('update audit_anchor set stamp = null')
})

test('anchors that were removed are missed: after two days, and at once by the digest that was kept', async () => {
  await openLog()
  await anchor()
  const { newest: kept } = await verify()
  expect(await verify({ kept })).toMatchObject({ found: [] })
  await tamper('delete from audit_anchored')
  await tamper('delete from audit_anchor')
  expect((await verify({ kept })).found).toEqual([
    expect.stringContaining('There is none'),
    expect.stringContaining(`None has the digest ${kept}`),
  ])
  await anchor()
  expect((await verify()).found).toEqual([])
  const ran = await it.run('audit', 'verify', '--anchor', String(kept).toUpperCase(), '--json')
  expect([ran.code, JSON.parse(ran.stdout).problems]).toEqual([
    1,
    [expect.objectContaining({ kind: 'anchor', problem: expect.stringContaining(`None has the digest ${kept}`) })],
  ])
  it.clock.advance(3 * DAY_SECONDS)
  expect((await verify()).found).toEqual([expect.stringContaining('The newest is of')])
  expect((await it.run('audit', 'verify', '--anchor', 'none')).code).not.toBe(0)
})

test('newest anchors that were removed are missed after the job has made the next one', async () => {
  await forgetAnchors()
  const account = await openLog()
  await anchor()
  for (let day = 0; day < 3; day += 1) {
    await act(account, day % 2 === 0)
    await anchor()
  }
  expect(await verify()).toMatchObject({ found: [], gaps: [], anchors: 4 })
  await tamper('delete from audit_anchored where anchor > 1')
  await tamper('delete from audit_anchor where number > 1')
  it.clock.advance(3 * DAY_SECONDS)
  await it.runJob(anchorAuditJob)
  const { found, anchors } = await verify()
  expect([found, anchors]).toEqual([
    [
      expect.stringMatching(
        /^anchor 2: None was made between .* either no job ran in these days, or anchors were removed/,
      ),
    ],
    2,
  ])
  const ran = await it.run('audit', 'verify', account.id)
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('The anchors do not prove')])
  // The operator knows why, and says so.
  const [digest = ''] = /[0-9a-f]{64}/.exec(String(found[0])) ?? []
  const isKnown = { found: [], gaps: [expect.stringMatching(/as you know/)] }
  expect(await verify({ knownGaps: [digest] })).toMatchObject(isKnown)
  const known = await it.run('audit', 'verify', account.id, '--known-gaps', `${digest},${'0'.repeat(64)}`, '--json')
  expect(JSON.parse(known.stdout)).toMatchObject({ gaps: [expect.stringMatching(/^anchor 2: /)] })
  expect((await it.run('audit', 'verify', '--known-gaps', '2')).code).not.toBe(0)

  // Who removes more anchors later does not hide that behind the gap that is known.
  await act(account, false)
  it.clock.advance(DAY_SECONDS)
  await it.runJob(anchorAuditJob)
  expect(await verify({ knownGaps: [digest] })).toMatchObject({ ...isKnown, anchors: 3 })
  await tamper('delete from audit_anchored where anchor > 1')
  await tamper('delete from audit_anchor where number > 1')
  it.clock.advance(3 * DAY_SECONDS)
  await it.runJob(anchorAuditJob)
  expect((await verify({ knownGaps: [digest] })).found).toEqual([expect.stringMatching(/^anchor 2: None was made/)])
})

test('a service that was switched off for days, or failed for one night, has all its anchors', async () => {
  await forgetAnchors()
  const account = await openLog()
  await anchor()
  await act(account, true)
  it.clock.advance(DAY_SECONDS)
  await anchor()
  expect(await verify()).toMatchObject({ found: [], gaps: [] })
  await act(account, false)
  it.clock.advance(5 * DAY_SECONDS)
  await act(account, true)
  await anchor()
  const { found, gaps } = await verify()
  expect([found, gaps]).toEqual([[], [expect.stringMatching(/^anchor 3: None .* the service was off, or both/)]])
})

test('an anchor that is not later than the one before it is found', async () => {
  await forgetAnchors()
  await openLog()
  await anchor()
  const [first] = await it.app.db.query<{ digest: Buffer }>('select digest from audit_anchor')
  const madeAt = new Date(it.clock.now().getTime() - DAY_SECONDS * 1_000)
  const number = 2
  const digest = createHash('sha256')
    .update(first?.digest ?? '')
    .digest()
  const signer = await it.app.db.transaction((tx) => getEvidenceKey(it.app, tx))
  await it.app.db.query('insert into audit_anchor (number, chains, digest, made_at, jws) values ($1, 0, $2, $3, $4)', [
    number,
    digest,
    madeAt,
    signText(anchorText({ number, digest, madeAt }), signer),
  ])
  expect((await verify()).found).toContainEqual('anchor 2: It is not later than the one before it.')
  await forgetAnchors()
})

test('an anchor that an operator makes is printed with its digest, and is in the log', async () => {
  await forgetAnchors()
  await openLog()
  const { code, stdout, stderr } = await it.run('audit', 'anchor', '--json')
  const { newest } = await verify()
  expect([code, JSON.parse(stdout)]).toEqual([0, { number: expect.any(Number), digest: newest }])
  expect(JSON.parse(stderr)).toMatchObject({ event: 'evidence.audit_anchored', digest: newest })
  const again = JSON.parse((await it.run('audit', 'anchor', '--json')).stdout)
  expect(again).toEqual({ number: null, digest: null })
})

test('the database changes no anchor and removes none', async () => {
  await openLog()
  await anchor()
  for (const text of [
    `update audit_anchored set head_hash = sha256('x')`,
    'delete from audit_anchored',
    `update audit_anchor set digest = sha256('x')`,
    'delete from audit_anchor',
  ])
    await expect(it.app.db.query(text)).rejects.toThrow('append-only')
  for (const table of ['audit_anchored', 'audit_anchor', 'audit_anchored, audit_anchor'])
    await expect(it.app.db.query(`truncate ${table}`)).rejects.toThrow('append-only')
})
