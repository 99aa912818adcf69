/**
 * The sweep for people who have not verified their identity, over N officers and the owners of their companies, of whom one in
 * fifty was due yesterday: how long it takes, how much memory it needs, and that a run after two whose processes were killed
 * raises what is left and nothing twice.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openStage, type Stage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { loadSyntheticRegister } from '../../rig/synthetic-register/load.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import { raiseLateDirectors, raiseLateOwners } from '../../src/signals/detect/sweep-identity.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const OFFICERS = 5_000_000
const OFFICERS_SHORT = 50_000
const OFFICERS_OF_COMPANY = 4
const DUE_SHARE = 50
const DUE = { dueOn: '2026-12-20', today: '2026-12-21' }
const MEMORY_MB_MAX = 600
const BATCH_COMPANIES = 500
const OWNERS_OF_COMPANY = 2

export const IDENTITY_PROOF: Proof = {
  title: 'Directors and owners who have not verified their identity',
  about:
    'One officer in fifty, and one owner, was due yesterday. The process of the sweep that raises their signals is killed (`kill -9`) ' +
    'after a third of the batches, each time with one written and not committed, again after two thirds; then it runs to its end, and once more.',
  figures: {
    officers: { label: 'officers', atLeast: OFFICERS },
    officers_due: { label: 'of them overdue' },
    owners: { label: 'owners' },
    owners_due: { label: 'of them overdue' },
    signals_missing: { label: 'signals missing', atMost: 0 },
    signals_twice: { label: 'signals raised twice', atMost: 0 },
    seconds: { label: 'time of the sweep', unit: 's' },
    peak_mb: { label: 'memory, at most', unit: 'MB', atMost: MEMORY_MB_MAX },
  },
}

export async function benchIdentity(options: RunOptions): Promise<RunReport> {
  const officers = options.rows ?? (options.short ? OFFICERS_SHORT : OFFICERS)
  await using stage = await openStage()
  options.say(`storing ${officers} officers`)
  await loadSyntheticRegister(stage.app.config.databaseUrl, officers / OFFICERS_OF_COMPANY)
  await storeOfficers(stage)
  await storeOwners(stage)
  const expected = await countDue(stage)
  const batches = Math.ceil(expected.companies / BATCH_COMPANIES) + Math.ceil(expected.ownedCompanies / BATCH_COMPANIES)
  const people = expected.officers + expected.ownersDue
  options.say('a sweep that is killed, twice')
  await killSweep(stage, Math.ceil(batches / 3))
  await killSweep(stage, Math.ceil((2 * batches) / 3))
  const before = await countSignals(stage)
  options.say('the sweep again')
  const memory = watchMemory()
  const startedAt = performance.now()
  await sweep(stage, '00:10')
  const seconds = (performance.now() - startedAt) / 1_000
  const peakMb = memory.stop()
  const raised = await countSignals(stage)
  const again = await sweep(stage, '01:10')
  return {
    ok: before > 0 && before < people && raised === people && again === 0 && peakMb <= MEMORY_MB_MAX,
    officers,
    officers_due: expected.officers,
    companies_due: expected.companies,
    owners: expected.owners,
    owners_due: expected.ownersDue,
    raised_before_the_end: before,
    signals_missing: people - raised,
    signals_twice: again,
    seconds: round(seconds, 1),
    people_due_per_second: Math.round((people - before) / seconds),
    peak_mb: peakMb,
  }
}

/** Returns the number of signals it raised. */
async function sweep({ app }: Stage, time: string): Promise<number> {
  const at = new Date(`${DUE.today}T${time}:00Z`)
  return (await raiseLateDirectors(app, DUE, at)) + (await raiseLateOwners(app, DUE, at))
}

/** Four officers for each company, in the register's shape. */
async function storeOfficers({ app }: Stage): Promise<void> {
  await app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    await tx.query(
      `insert into company_item (company_number, kind, item_id, data, changed_at)
       select number, 'officer', 'officer-' || ordinal, jsonb_build_object(
           'name', 'SMITH, Jane ' || ordinal, 'officer_role', 'director', 'appointed_on', '2015-02-03',
           'date_of_birth', jsonb_build_object('month', 1 + ordinal, 'year', 1960 + ordinal),
           'nationality', 'British', 'country_of_residence', 'England', 'occupation', 'Director',
           'address', jsonb_build_object('address_line_1', '1 High Street', 'locality', 'Leeds', 'postal_code', 'LS1 4AP'),
           'links', jsonb_build_object('self', '/company/' || number || '/appointments/officer-' || ordinal),
           'identity_verification_details', case
             when hashtext(number || ordinal) % ${DUE_SHARE} = 0
               then jsonb_build_object('appointment_verification_statement_due_on', '${DUE.dueOn}')
             when ordinal % 2 = 0 then jsonb_build_object('appointment_verification_start_on', '2026-03-01')
             else jsonb_build_object('appointment_verification_statement_due_on', '2027-01-15') end), now()
       from company, generate_series(1, ${OFFICERS_OF_COMPANY}) as ordinal`,
    )
  })
  await app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    await tx.query('analyze company_item')
  })
}

/** Two owners for each company, of whom one in fifty was due yesterday; some have ceased. */
async function storeOwners({ app }: Stage): Promise<void> {
  await app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    await tx.query(
      `insert into psc (company_number, psc_id, kind, name, is_ceased, identity, changed_at)
       select number, 'psc-' || ordinal, 'individual-person-with-significant-control', 'Jane Smith ' || ordinal,
         hashtext('ceased' || number || ordinal) % 6 = 0, case
           when hashtext('owner' || number || ordinal) % ${DUE_SHARE} = 0
             then jsonb_build_object('appointment_verification_statement_due_on', '${DUE.dueOn}')
           when ordinal % 2 = 0 then jsonb_build_object('appointment_verification_start_on', '2026-03-01')
           else jsonb_build_object('appointment_verification_statement_due_on', '2027-01-15') end, now()
       from company, generate_series(1, ${OWNERS_OF_COMPANY}) as ordinal`,
    )
    await tx.query('analyze psc')
  })
}

const LIVE = `company.status in ('active', 'liquidation', 'administration', 'voluntary-arrangement', 'receivership',
  'insolvency-proceedings', 'open')`

interface Expected {
  officers: number
  companies: number
  owners: number
  ownersDue: number
  ownedCompanies: number
}

/** Counted without the sweep's own statements: by reading the whole tables. */
async function countDue({ app }: Stage): Promise<Expected> {
  return app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    const rows = await tx.query<Expected>(
      `select officers, companies, owners, "ownersDue", "ownedCompanies" from (
         select count(*)::integer as officers, count(distinct company_number)::integer as companies
         from company_item join company on number = company_number
         where data -> 'identity_verification_details' @> $1 and ${LIVE}) as directing
       cross join (
         select count(*)::integer as "ownersDue", count(distinct company_number)::integer as "ownedCompanies"
         from psc join company on number = company_number
         where identity @> $1 and not is_ceased and ${LIVE}) as owning
       cross join (select count(*)::integer as owners from psc) as stored`,
      [JSON.stringify({ appointment_verification_statement_due_on: DUE.dueOn })],
    )
    return onlyRow(rows)
  })
}

const countSignals = async ({ app }: Stage): Promise<number> =>
  onlyRow(
    await app.db.query<{ count: number }>(
      `select count(*)::integer as count from signal
       where signal_type in ('director_identity_overdue', 'psc_identity_overdue')`,
    ),
  ).count

/** Starts the sweep as a process, and ends it with SIGKILL while a batch is written and not committed. */
async function killSweep({ settings }: Stage, atBatch: number): Promise<void> {
  const program = join(import.meta.dirname, 'identity-process.ts')
  const env = { PATH: process.env['PATH'], ...settings }
  const child = spawn(process.execPath, [program, DUE.dueOn, DUE.today], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let batches = 0
  for await (const _line of createInterface({ input: child.stdout })) {
    batches += 1
    if (batches === atBatch) child.kill('SIGKILL')
  }
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`the sweep ended by itself after ${batches} batches`)
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
