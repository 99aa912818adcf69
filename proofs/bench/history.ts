/**
 * The history of one account with N answers, beside those of a thousand others. Each kind of list and search is read many
 * times, a page and the page after it; and an entry is timed with all its indexes, in batches as a bulk job makes them.
 */
import { openStage, type Stage } from '../../rig/stage.ts'
import { quantile, round } from '../../rig/statistics.ts'
import { type HistoryFilter, type HistoryPosition, listAnswers } from '../../src/resolution/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const ANSWERS = 100_000
const ANSWERS_SHORT = 5_000
const OTHERS = 1_000
const READS = 400
const READS_SHORT = 40
const P99_MS_MAX = 50
const PAGE = 25
const LARGE = 'acc_large'

/** Among them the worst that an account can ask for: a broad search whose filter leaves next to nothing. */
const ASKS: ReadonlyArray<{ name: string; filter: (number: number) => HistoryFilter }> = [
  { name: 'newest', filter: () => ({}) },
  { name: 'rare_outcome', filter: () => ({ outcome: 'non_uk_entity' }) },
  { name: 'rare_origin', filter: () => ({ origin: 'console', outcome: 'non_uk_entity' }) },
  { name: 'days', filter: (number) => ({ from: dayOf(number), to: dayOf(number) }) },
  { name: 'domain', filter: (number) => ({ domain: `site-${number}` }) },
  { name: 'domain_broad', filter: () => ({ domain: 's' }) },
  { name: 'domain_broad_rare', filter: () => ({ domain: 's', outcome: 'non_uk_entity', origin: 'console' }) },
  { name: 'company', filter: (number) => ({ company: `Works ${number}` }) },
  { name: 'company_broad', filter: () => ({ company: 'w' }) },
  { name: 'company_number', filter: (number) => ({ company: String(number).padStart(8, '0').slice(0, 6) }) },
  { name: 'both', filter: (number) => ({ domain: 'site-', company: `works ${number}` }) },
]

const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1 + (number % 300))).toISOString().slice(0, 10)

export const HISTORY_PROOF: Proof = {
  title: 'The history of an account',
  about:
    'One account has the answers, beside those of a thousand others. The list, each filter and each search are read many times, a page ' +
    'and the page after it, among them the worst that a person can ask for; then the whole list page by page.',
  figures: {
    answers: { label: 'answers of the account', atLeast: ANSWERS },
    worst_p99_ms: { label: 'the slowest of all lists and searches, p99', unit: 'ms', atMost: P99_MS_MAX },
    p99_ms_of_all_pages: { label: 'a page of the whole list, p99', unit: 'ms' },
    microseconds_per_entry: { label: 'an entry with its indexes', unit: 'µs' },
  },
}

export async function benchHistory(options: RunOptions): Promise<RunReport> {
  const answers = options.rows ?? (options.short ? ANSWERS_SHORT : ANSWERS)
  const reads = options.short ? READS_SHORT : READS
  await using stage = await openStage()
  options.say(`writing ${answers} answers of one account`)
  const perEntryUs = await writeEntries(stage, answers)
  const p99: Record<string, number> = {}
  for (const { name, filter } of ASKS) {
    options.say(`reading: ${name}`)
    const times: number[] = []
    for (let read = 0; read < reads; read += 1) {
      const number = (read * 7_919 + options.seed) % answers
      times.push(await timePages(stage, filter(number)))
    }
    p99[name] = round(quantile(times, 0.99), 2)
  }
  const deep = round(await walk(stage), 2)
  const worst = Math.max(...Object.values(p99), deep)
  return {
    ok: worst <= P99_MS_MAX,
    answers,
    p99_ms: p99,
    p99_ms_of_all_pages: deep,
    worst_p99_ms: worst,
    microseconds_per_entry: round(perEntryUs, 1),
  }
}

/** Returns the slower of the first page and the page after it. */
async function timePages({ app }: Stage, filter: HistoryFilter): Promise<number> {
  const ask = { accountId: LARGE, limit: PAGE, ...filter }
  const started = performance.now()
  const { next } = await listAnswers(app.db, ask)
  const first = performance.now() - started
  if (next === null) return first
  const again = performance.now()
  await listAnswers(app.db, { ...ask, after: next })
  return Math.max(first, performance.now() - again)
}

const WALKED_PAGES_MAX = 2_000

/** Walks the list to its end and returns the 99th percentile of its pages. */
async function walk({ app }: Stage): Promise<number> {
  const times: number[] = []
  let after: HistoryPosition | undefined
  for (let page = 0; page < WALKED_PAGES_MAX; page += 1) {
    const started = performance.now()
    const { next } = await listAnswers(app.db, { accountId: LARGE, limit: 100, after })
    times.push(performance.now() - started)
    if (next === null) break
    after = next
  }
  return quantile(times, 0.99)
}

/** Returns the microseconds that an entry takes with its indexes, in batches as large as a slice of a bulk job has. */
async function writeEntries({ app }: Stage, answers: number): Promise<number> {
  await app.db.query(
    `insert into account (id, email, email_canonical, password_hash, created_at)
     select id, id || '@bench.example', id || '@bench.example', 'none', now()
     from (select $1::text as id union all select 'acc_' || number from generate_series(1, $2::int) number) as ids`,
    [LARGE, OTHERS],
  )
  const batch = 64
  let large = 0
  for (let first = 0; first < answers; first += batch) {
    const last = Math.min(first + batch, answers) - 1
    const started = performance.now()
    await insert(app, `$1::text`, first, last)
    large += performance.now() - started
    if (first % (batch * 8) === 0) await insert(app, `left($1, 0) || 'acc_' || 1 + number % ${OTHERS}`, first, last)
  }
  await payAndReview(app)
  await app.db.query('vacuum analyze account_answer')
  return (large * 1_000) / answers
}

/** A page shows refunds and decisions, so the account has paid for each match, and has a review for each fifth answer. */
async function payAndReview({ db }: Stage['app']): Promise<void> {
  await db.query(
    `insert into paid_fact (account_id, domain, company_number, paid_until, refunded_at)
     select account_id, domain, company_number, at + interval '30 days', case when outcome = 'non_uk_entity' then at end
     from account_answer where account_id = $1 and company_number is not null`,
    [LARGE],
  )
  await db.query(
    `insert into review_item (id, account_id, domain, resolution_id, state, confidence, created_at, updated_at)
     select 'rev_' || resolution_id, account_id, domain, resolution_id, 'open', 0.5, at, at
     from account_answer where account_id = $1 and right(resolution_id, 1) in ('3', '6')`,
    [LARGE],
  )
  await db.query('analyze paid_fact')
  await db.query('analyze review_item')
}

/** One outcome in a thousand is rare, and the two rare values seldom meet. */
async function insert(app: Stage['app'], account: string, first: number, last: number): Promise<void> {
  await app.db.query(
    `insert into account_answer
       (account_id, resolution_id, domain, outcome, company_number, company_name, confidence, origin, at)
     select ${account}, 'res_' || lpad(number::text, 27, '0'), 'site-' || number || '.co.uk',
       case when number % 1000 = 7 then 'non_uk_entity' when number % 3 = 0 then 'no_match' else 'matched' end,
       case when number % 3 <> 0 then lpad(number::text, 8, '0') end,
       case when number % 3 <> 0 then 'WORKS ' || number || ' LIMITED' end, 0.97,
       case when number % 500 = 7 then 'console' else 'bulk' end,
       timestamptz '2026-01-01' + number * interval '4 minutes'
     from generate_series($2::int, $3::int) number`,
    [LARGE, first, last],
  )
}
