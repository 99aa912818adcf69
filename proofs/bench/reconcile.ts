/**
 * Real names, typed as people type them without their ending, against a register of all companies of the file: how often
 * the company meant comes first, and how often a match that needs no person is another company. Names that several
 * companies of the file share are counted like all others: the first of them cannot always be the one meant.
 */
import { readFileSync } from 'node:fs'
import { parseCsv } from '../../rig/companies-house/csv.ts'
import { openStage } from '../../rig/stage.ts'
import { quantile, round, spread } from '../../rig/statistics.ts'
import { parseQueries, QUERIES_MAX } from '../../src/entry/api/reconcile/queries.ts'
import type { Database } from '../../src/lib/db/db.ts'
import { type RankedCandidate, reconcile } from '../../src/reconcile/index.ts'
import { importSnapshot, openSnapshotFile, silentProgress } from '../../src/register/index.ts'
import type { RunOptions } from '../../tools/named-runs.ts'

const NAMES_DEFAULT = 1_000
const WRONG_SHOWN_MAX = 10

interface Typed {
  number: string
  name: string
  typed: string
}

export async function benchReconcile(options: RunOptions): Promise<Record<string, unknown>> {
  const path = options.real
  if (path === undefined) throw new Error('Give the companies as --real <csv>, in the layout of Basic Company Data.')
  const companies = readTyped(path)
  const asked = spread(companies, options.rows ?? NAMES_DEFAULT)
  await using stage = await openStage()
  const file = await openSnapshotFile(path, () => Promise.reject(new Error('the file is local')))
  const { added } = await importSnapshot(stage.app, file, silentProgress)
  await file.close()
  return { companies: added, ...(await measure(stage.app.db, asked, companies)) }
}

async function measure(db: Database, asked: readonly Typed[], all: readonly Typed[]): Promise<Record<string, unknown>> {
  const named = Map.groupBy(all, ({ typed }) => typed.toLowerCase())
  const batchMs: number[] = []
  const answered: Array<Typed & { result: RankedCandidate[] }> = []
  for (let from = 0; from < asked.length; from += QUERIES_MAX) {
    const batch = asked.slice(from, from + QUERIES_MAX)
    const text = JSON.stringify(Object.fromEntries(batch.map(({ typed }, index) => [`q${index}`, { query: typed }])))
    const startedAt = performance.now()
    const results = await reconcile(db, parseQueries(text))
    batchMs.push(performance.now() - startedAt)
    answered.push(...batch.map((one, index) => ({ ...one, result: results.get(`q${index}`) ?? [] })))
  }
  const wrong = answered.filter(({ number, result }) => result[0]?.company.number !== number)
  const matched = answered.flatMap(({ number, result }) =>
    result.flatMap(({ company, isCertain }) => (isCertain ? [company.number === number] : [])),
  )
  return {
    asked: answered.length,
    right_first: share(answered.length - wrong.length, answered.length),
    share_a_name: answered.filter(({ typed }) => (named.get(typed.toLowerCase())?.length ?? 0) > 1).length,
    matched: share(matched.length, answered.length),
    matched_wrongly: matched.filter((isRight) => !isRight).length,
    ms_per_batch_p50: Math.round(quantile(batchMs, 0.5)),
    ms_per_batch_max: Math.round(quantile(batchMs, 1)),
    wrong: wrong
      .slice(0, WRONG_SHOWN_MAX)
      .map(({ typed, name, result }) => `${typed} → ${result[0]?.company.name} (not ${name})`),
  }
}

function readTyped(path: string): Typed[] {
  const [header = [], ...rows] = parseCsv(readFileSync(path, 'utf8'))
  const columns = header.map((name) => name.trim())
  const [nameAt, numberAt] = [columns.indexOf('CompanyName'), columns.indexOf('CompanyNumber')]
  return rows.flatMap((row) => {
    const [name = '', number = ''] = [row[nameAt], row[numberAt]?.trim()]
    return name === '' ? [] : [{ name, number, typed: typeWithoutEnding(name) }]
  })
}

/** By its own rules, not by those of the search, which it is to test: `"SMITH & CO. (LEEDS) LIMITED"` → `Smith & Co. (Leeds)`. */
function typeWithoutEnding(name: string): string {
  const bare = name.replace(ENDING, '').trim() || name
  return bare.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

const ENDING =
  /[\s,]+(?:public limited company|community interest company|limited liability partnership|limited partnership|limited|ltd|plc|p\.l\.c|llp|l\.l\.p|lp|cic|c\.i\.c|cyf|cyfyngedig)\.?\s*$/i

function share(part: number, whole: number): number {
  return round(part / Math.max(1, whole), 4)
}
