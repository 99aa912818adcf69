import type { Tx } from '../../lib/db/db.ts'
import { updateSearchIndex } from '../search/search-index.ts'
import type { FiguresRow } from './thread.ts'

/**
 * Stores the figures of periods. For each period of a company one filing counts: its own accounts before those of a later
 * year that repeat it, then the latest file, then the last name. So files may come in any order, and again. The search finds
 * the companies by their new figures from then on.
 */
export async function storeFigures(tx: Tx, rows: readonly FiguresRow[], sourceOn: string): Promise<void> {
  if (rows.length === 0) return
  const stored = await tx.query<{ company_number: string }>(
    `insert into company_figures as known (company_number, period_end, employees, net_assets, current_assets, creditors, cash,
       turnover, is_dormant, is_comparative, source_on, source_file)
     select distinct on (company_number, period_end) company_number, period_end, employees, net_assets, current_assets,
       creditors, cash, turnover, is_dormant, is_comparative, $1::date, source_file
     from unnest($2::text[], $3::date[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
       $10::boolean[], $11::boolean[], $12::text[]) as stated (company_number, period_end, employees, net_assets,
       current_assets, creditors, cash, turnover, is_dormant, is_comparative, source_file)
     order by company_number, period_end, is_comparative, source_file collate "C" desc
     on conflict (company_number, period_end) do update set
       employees = excluded.employees, net_assets = excluded.net_assets, current_assets = excluded.current_assets,
       creditors = excluded.creditors, cash = excluded.cash, turnover = excluded.turnover,
       is_dormant = excluded.is_dormant, is_comparative = excluded.is_comparative, source_on = excluded.source_on,
       source_file = excluded.source_file
     where (not excluded.is_comparative, excluded.source_on, excluded.source_file)
         >= (not known.is_comparative, known.source_on, known.source_file)
       and excluded is distinct from known
     returning company_number`,
    [sourceOn, ...COLUMNS.map((column) => rows.map((row) => row[column]))],
  )
  await refreshSearch(tx, [...new Set(stored.map((row) => row.company_number))])
}

/** Updates the search for those companies whose newest figures it does not have yet. */
async function refreshSearch(tx: Tx, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return
  // Whatever changes these companies meanwhile waits here, or we wait for it: both write the rows of the search.
  await tx.query('select from company where number = any ($1) order by number for update', [numbers])
  const outdated = await tx.query<{ number: string }>(
    `select number from company_name searched
     join lateral (select employees, net_assets from company_figures where company_number = number
       order by period_end desc limit 1) newest on true
     where number = any ($1) and not is_previous
       and (searched.employees, searched.net_assets) is distinct from (newest.employees, newest.net_assets)`,
    [numbers],
  )
  await updateSearchIndex(
    tx,
    outdated.map(({ number }) => number),
  )
}

const COLUMNS = [
  'company_number',
  'period_end',
  'employees',
  'net_assets',
  'current_assets',
  'creditors',
  'cash',
  'turnover',
  'is_dormant',
  'is_comparative',
  'source_file',
] as const
