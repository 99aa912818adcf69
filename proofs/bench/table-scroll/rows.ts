/** A finished bulk job, written directly into the database: rows of every state with the customer's own cells. */
import { putCompanies } from '../../../rig/companies.ts'
import type { App } from '../../../src/app.ts'

const COMPANIES = 500
const HEADER = ['Account name', 'Website', 'Owner', 'Region', 'CRM id']

export const NAME_OF_FIRST = 'Lantern & Sons 1'

export async function insertBulkOf(
  app: App,
  { accountId, rows }: { accountId: string; rows: number },
): Promise<string> {
  const id = 'blk_tablescroll'
  await putCompanies(
    app,
    Array.from({ length: COMPANIES }, (_, index) => ({
      number: String(7_000_000 + index).padStart(8, '0'),
      name: `HARBOUR LANTERN COFFEE ROASTERS ${index} LTD`,
      postcode: 'EX8 6XX',
    })),
  )
  const source = {
    fileName: 'Leads.xlsx',
    format: 'xlsx',
    sheet: 'Leads',
    header: [HEADER],
    columnCount: HEADER.length,
  }
  await app.db.query(
    `insert into bulk (id, account_id, name, status, row_count, credits_max, created_at, running_since, finished_at, expires_at,
       fed_until, source)
     values ($1, $2, 'Leads', 'completed', $3, $3, now(), now(), now(), now() + interval '30 days', now(), $4)`,
    [id, accountId, rows, JSON.stringify(source)],
  )
  await app.db.query(
    `insert into bulk_row (bulk_id, row, input, domain, state, ended_at, company_number, company_name, confidence, reason, charged,
       charge_reason)
     select $1, row, domain, domain, state, now(), case when state = 'matched' then number end,
       case when state = 'matched' then 'HARBOUR LANTERN COFFEE ROASTERS ' || row % $3 || ' LTD' end,
       case when state = 'matched' then 0.9 + (row % 10) / 100.0 end,
       case when state = 'matched' then 'The site prints the company with its number as its own.'
         else 'Nothing on the site names a UK company with certainty.' end,
       state = 'matched', state || case when state = 'matched' then '' else '_free' end
     from generate_series(1, $2::int) row,
       lateral (select 'lantern-' || row || '.co.uk' as domain, lpad((7000000 + row % $3)::text, 8, '0') as number,
         (array['matched', 'matched', 'matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'])[1 + row % 7] as state)`,
    [id, rows, COMPANIES],
  )
  await app.db.query(
    `insert into bulk_cells (bulk_id, row, cells)
     select $1, row, json_build_array('Lantern & Sons ' || row, 'https://www.lantern-' || row || '.co.uk/about',
       (array['Ann', 'Bob', 'Cleo'])[1 + row % 3], (array['North', 'South'])[1 + row % 2], 'SF-' || 100000 + row)::text
     from generate_series(1, $2::int) row`,
    [id, rows],
  )
  await app.db.query('vacuum analyze bulk_row, bulk_cells')
  return id
}
