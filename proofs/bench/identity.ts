/**
 * The sweep for people who have not verified their identity, over N officers of whom one in fifty was due yesterday: how long
 * it takes, how much memory it needs, and that a second run, after one that was cut off, raises what is left and nothing twice.
 */
import { openStage, type Stage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { loadSyntheticRegister } from '../../rig/synthetic-register/load.ts'
import { raiseLateDirectors } from '../../src/signals/detect/sweep-identity.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const OFFICERS = 5_000_000
const OFFICERS_SHORT = 50_000
const OFFICERS_OF_COMPANY = 4
const DUE_SHARE = 50
const DUE = { dueOn: '2026-12-20', today: '2026-12-21' }
const MEMORY_MB_MAX = 600

export const IDENTITY_PROOF: Proof = {
  title: 'Directors who have not verified their identity',
  about:
    'One officer in fifty was due yesterday. The sweep that raises their signals is cut off after a third of the companies and run ' +
    'again, and then once more.',
  figures: {
    officers: { label: 'officers', atLeast: OFFICERS },
    officers_due: { label: 'of them overdue' },
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
  const expected = await countDue(stage)
  options.say('a sweep that is cut off')
  await cutOff(stage, Math.floor(expected.companies / 3))
  const before = await countSignals(stage)
  options.say('the sweep again')
  const memory = watchMemory()
  const startedAt = performance.now()
  await raiseLateDirectors(stage.app, DUE, new Date(`${DUE.today}T00:10:00Z`))
  const seconds = (performance.now() - startedAt) / 1_000
  const peakMb = memory.stop()
  const raised = await countSignals(stage)
  const again = await raiseLateDirectors(stage.app, DUE, new Date(`${DUE.today}T01:10:00Z`))
  return {
    ok: raised === expected.officers && again === 0 && peakMb <= MEMORY_MB_MAX,
    officers,
    officers_due: expected.officers,
    companies_due: expected.companies,
    raised_before_the_cut: before,
    signals_missing: expected.officers - raised,
    signals_twice: again,
    seconds: round(seconds, 1),
    officers_due_per_second: Math.round((expected.officers - before) / seconds),
    peak_mb: peakMb,
  }
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

/** Counted without the sweep's own statement: by reading the whole table. */
async function countDue({ app }: Stage): Promise<{ officers: number; companies: number }> {
  return app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    const [row] = await tx.query<{ officers: number; companies: number }>(
      `select count(*)::integer as officers, count(distinct company_number)::integer as companies
       from company_item join company on number = company_number
       where data -> 'identity_verification_details' @> $1 and company.status in ('active', 'liquidation', 'administration',
         'voluntary-arrangement', 'receivership', 'insolvency-proceedings', 'open')`,
      [JSON.stringify({ appointment_verification_statement_due_on: DUE.dueOn })],
    )
    return row ?? { officers: 0, companies: 0 }
  })
}

const countSignals = async ({ app }: Stage): Promise<number> =>
  (
    await app.db.query<{ count: number }>(
      `select count(*)::integer as count from signal where signal_type = 'director_identity_overdue'`,
    )
  )[0]?.count ?? 0

const CUT_OFF = 'cut off'

/** Fails the sweep after some of its transactions, as a process that dies between two batches. */
async function cutOff({ app }: Stage, companies: number): Promise<void> {
  let left = Math.ceil(companies / 500)
  const transaction: typeof app.db.transaction = async (work, ...rest) => {
    left -= 1
    if (left < 0) throw new Error(CUT_OFF)
    return app.db.transaction(work, ...rest)
  }
  const query: typeof app.db.query = (...asked) => app.db.query(...asked)
  const db = { query, transaction } as typeof app.db
  const dying = { ...app, db }
  await raiseLateDirectors(dying, DUE, new Date(`${DUE.today}T00:10:00Z`)).then(
    () => Promise.reject(new Error('the sweep was not cut off')),
    (error: Error) => {
      if (error.message !== CUT_OFF) throw error
    },
  )
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
