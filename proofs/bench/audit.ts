/**
 * The chains of the audit log over N entries: half of them of one account, the rest of a thousand. All are verified once as
 * they were written, and once after each kind of tampering with rows of the database, which must be named.
 */
import { openStage, type Stage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { verifyAudit } from '../../src/accounts/index.ts'
import { anchorAudit, verifyAnchors } from '../../src/evidence/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const ENTRIES = 1_000_000
const ENTRIES_SHORT = 20_000
// A transaction that adds many entries to one chain walks over all its own versions of the end of the chain.
const BATCH_NUMBERS = 200
const OTHERS = 1_000
const MEMORY_MB_MAX = 500

const LARGE = 'acc_large'

/** Each changes rows of the large account as a person with all rights on the database can. */
const FAULTS: ReadonlyArray<{ kind: string; at: number; statements: readonly string[] }> = [
  { kind: 'edited', at: 0.1, statements: [`update audit_event set after = '{"daily_credits": 9999}' where SEQ = $1`] },
  { kind: 'removed', at: 0.3, statements: ['delete from audit_event where SEQ = $1'] },
  {
    kind: 'reordered',
    at: 0.5,
    statements: [
      'update audit_event set seq = -1 where SEQ = $1',
      'update audit_event set seq = $1 where SEQ = $1 + 1',
      'update audit_event set seq = $1 + 1 where SEQ = -1',
    ],
  },
  {
    kind: 'inserted',
    at: 0.7,
    statements: [
      `insert into audit_event (at, account_id, action, outcome, mode, actor_kind)
       select at, account_id, action, outcome, mode, actor_kind from audit_event where SEQ = $1`,
    ],
  },
]

export const AUDIT_PROOF: Proof = {
  title: 'The audit log',
  about:
    'Entries are written through the trigger that makes the chains: half of them of one account, the rest of a thousand. All chains ' +
    'are made again and compared, once as they were written and once after a person with all rights on the database edited a row, ' +
    'removed one, exchanged two and inserted one. Each must be named, and nothing else.',
  figures: {
    entries: { label: 'entries verified', atLeast: ENTRIES },
    seconds: { label: 'time to verify them', unit: 's' },
    entries_per_second: { label: 'entries verified a second' },
    peak_mb: { label: 'memory of the process that verifies, at most', unit: 'MB', atMost: MEMORY_MB_MAX },
    planted: { label: 'kinds of tampering' },
    found: { label: 'of them found and named', atLeast: FAULTS.length },
    false_alarms: { label: 'rows named that no one touched', atMost: 0 },
    appends_per_second: { label: 'entries written a second, on two connections' },
  },
}

export async function benchAudit(options: RunOptions): Promise<RunReport> {
  const entries = options.rows ?? (options.short ? ENTRIES_SHORT : ENTRIES)
  await using stage = await openStage()
  options.say(`writing ${entries} entries`)
  const writing = performance.now()
  await writeEntries(stage, entries, options)
  const appendSeconds = (performance.now() - writing) / 1_000
  await anchorAudit(stage.app)
  options.say('verifying them as they were written')
  const memory = watchMemory()
  const startedAt = performance.now()
  const intact = await verify(stage, options)
  const seconds = (performance.now() - startedAt) / 1_000
  const peakMb = memory.stop()
  options.say('verifying them after the tampering')
  const isAnchored = (await verifyAnchors(stage.app, ALL)).problems.length === 0
  await tamper(stage, entries / 2)
  const remade = await makeAgain(stage)
  const { problems } = await verify(stage, options)
  const { problems: byAnchor } = await verifyAnchors(stage.app, ALL)
  const recomputed = byAnchor.filter(({ kind, accountId }) => kind === 'recomputed' && accountId === remade).length
  const found = FAULTS.filter(({ kind }) => problems.some((problem) => problem.kind === kind))
  const extra = problems.length - found.length + byAnchor.length - recomputed
  return {
    ok:
      intact.problems.length === 0 &&
      intact.entries === entries &&
      found.length === FAULTS.length &&
      extra === 0 &&
      isAnchored &&
      recomputed === 1,
    entries: intact.entries,
    seconds: round(seconds, 1),
    peak_mb: peakMb,
    found: found.length,
    recomputed,
    planted: FAULTS.length,
    false_alarms: intact.problems.length + extra,
    entries_per_second: Math.round(entries / seconds),
    appends_per_second: Math.round(entries / appendSeconds),
    within_memory: peakMb <= MEMORY_MB_MAX,
  }
}

const verify = ({ app }: Stage, { say }: RunOptions) =>
  verifyAudit(app.db, { accountId: null, addressesBefore: new Date(0), onProgress: (done) => say(`${done} entries`) })

/** Through the trigger that makes the chain, as every entry. The large account has even numbers, and its own connection. */
async function writeEntries(stage: Stage, entries: number, { say }: RunOptions): Promise<void> {
  await Promise.all([
    writeEvery(stage, { first: 0, entries, say, account: `'${LARGE}'` }),
    writeEvery(stage, { first: 1, entries, say: () => undefined, account: `'acc_' || number % ${OTHERS}` }),
  ])
}

interface Written {
  first: 0 | 1
  entries: number
  account: string
  say: RunOptions['say']
}

async function writeEvery({ app }: Stage, { first, entries, account, say }: Written): Promise<void> {
  for (let from = first; from < entries; from += BATCH_NUMBERS) {
    await app.db.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = '1h'`)
      await tx.query(
        `insert into audit_event (at, account_id, action, outcome, ip, request_id, details, mode, actor_kind, actor_id,
           user_agent, before, after)
         select timestamptz '2026-01-01' + number * interval '1 second', ${account}, 'program_cap_changed', 'success',
           '192.0.2.' || number % 250, 'req_' || number, jsonb_build_object('connection', 'con_' || number), 'live',
           'api_key', 'key_' || number % 7, 'Firefox 132 on Linux', jsonb_build_object('daily_credits', number % 50),
           jsonb_build_object('daily_credits', number % 70)
         from generate_series($1::bigint, $2::bigint, 2) as number`,
        [from, Math.min(from + BATCH_NUMBERS, entries) - 1],
      )
    })
    if ((from / BATCH_NUMBERS) % 500 === 0) say(`${from} written`)
  }
}

const ALL = { accountId: null, kept: null, knownGaps: [] }

/** Changes an entry of another account and makes its chain again from there on, so that the chain fits. Returns the account. */
async function makeAgain({ app }: Stage): Promise<string> {
  const account = 'acc_7'
  await app.db.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`)
    await tx.query(`update audit_event set action = 'signup' where account_id = $1 and seq = 2`, [account])
    const rows = await tx.query<{ seq: number }>(
      'select seq::integer from audit_event where account_id = $1 and seq > 1 order by seq',
      [account],
    )
    for (const { seq } of rows) {
      await tx.query(
        `select append_to_audit_chain(event, event.seq, before.entry_hash) from audit_event event
           join audit_event before on before.account_id = event.account_id and before.seq = event.seq - 1
         where event.account_id = $1 and event.seq = $2`,
        [account, seq],
      )
    }
    await tx.query(
      `update audit_chain set head_hash = (select entry_hash from audit_event where account_id = $1 order by seq desc limit 1)
       where account_id = $1`,
      [account],
    )
  })
  return account
}

async function tamper({ app }: Stage, entriesOfLarge: number): Promise<void> {
  for (const { at, statements } of FAULTS) {
    await app.db.transaction(async (tx) => {
      await tx.query(`set local session_replication_role = 'replica'`)
      for (const text of statements) {
        const of = text.replace('SEQ', `account_id = '${LARGE}' and seq`)
        await tx.query(of, [Math.floor(entriesOfLarge * at)])
      }
    })
  }
}

function watchMemory(): { stop(): number } {
  let peak = process.memoryUsage.rss()
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  return {
    stop() {
      clearInterval(timer)
      return Math.round(Math.max(peak, process.memoryUsage.rss()) / 1e6)
    },
  }
}
