import { once } from 'node:events'
import { from as copyFrom } from 'pg-copy-streams'
import { openConnection } from '../../src/lib/db/connection.ts'
import { COPY_COLUMNS, isPlain, splitLine, toCopyLine, toFacts } from '../../src/register/import/row.ts'
import { figuresAt } from './figures.ts'
import { syntheticCompanies, syntheticRows } from './rows.ts'

/** Straight into `company`, without what an import does beside. The search knows them once its index is rebuilt. */
export async function loadSyntheticRegister(url: string, rows: number): Promise<void> {
  await copyInto(url, 'company', COPY_COLUMNS, companyLines(rows))
}

/** Straight into `company_figures`: one period of each company that states figures, and of one in five the year before. */
export async function loadSyntheticFigures(url: string, rows: number): Promise<void> {
  const columns = 'company_number, period_end, employees, net_assets, is_comparative, source_on, source_file'
  await copyInto(url, 'company_figures', columns, figureLines(rows))
}

function* companyLines(rows: number): Generator<string> {
  for (const line of syntheticRows(rows)) {
    const facts = toFacts(splitLine(line.trimEnd()) ?? [])
    if (facts) yield toCopyLine(facts, { hash: 0, changedAt: '2026-09-01T00:00:00Z', isPlain: isPlain(line.trimEnd()) })
  }
}

const SEED = 1
const YEAR_BEFORE_EVERY = 5

function* figureLines(rows: number): Generator<string> {
  let index = -1
  for (const company of syntheticCompanies(rows, SEED)) {
    index += 1
    const figures = figuresAt(company, index, SEED)
    if (!figures) continue
    const { periodEnd, employees, netAssets } = figures
    const source = `2026-09-01\tProd_${company.number}.html`
    yield `${company.number}\t${periodEnd}\t${employees ?? '\\N'}\t${netAssets ?? '\\N'}\tf\t${source}`
    if (index % YEAR_BEFORE_EVERY === 0)
      yield `${company.number}\t${Number(periodEnd.slice(0, 4)) - 1}-01-31\t${(employees ?? 0) + 1}\t0\tt\t${source}`
  }
}

async function copyInto(url: string, table: string, columns: string, lines: Iterable<string>): Promise<void> {
  const client = await openConnection(url)
  const copy = client.query(copyFrom(`copy ${table} (${columns}) from stdin`))
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < 1_000_000) continue
    if (!copy.write(chunk)) await once(copy, 'drain')
    chunk = ''
  }
  copy.end(chunk)
  await once(copy, 'finish')
  await client.query(`analyze ${table}`)
  await client.end()
}
