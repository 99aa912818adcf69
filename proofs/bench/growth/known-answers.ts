import { findKnown } from '../../../src/resolution/answers/known.ts'
import { addAccounts, type Curve, fillTables, scatter } from './curve.ts'

const COMPANIES = 1_000

/** As short as an answer may be, so that ten million of them fit. */
const FINDINGS = `jsonb_build_object(
  'evidence', jsonb_build_array(jsonb_build_object('kind', 'company_number', 'quote', 'Registered in England ' || number,
    'url', 'https://known-' || n || '.co.uk/')),
  'candidates', jsonb_build_array(jsonb_build_object('companyNumber', number, 'companyName', 'COMPANY ' || number,
    'confidence', 0.99, 'reasons', '[]'::jsonb)),
  'considered', '[]'::jsonb, 'crawl', jsonb_build_object('pages', '[]'::jsonb, 'attempts', '[]'::jsonb))`

export const KNOWN_ANSWERS: Curve = {
  name: 'lookup',
  does: 'look up a known answer',
  rows: 'known domains',
  tables: ['known_domain', 'resolution'],
  async grow(world, { from, to }) {
    const { app, client } = world
    if (from === 0) {
      await addAccounts(world, { from: 0, to: 1 })
      await client.query(
        `insert into company (number, name, name_key, status, type, source, changed_at)
         select lpad(n::text, 8, '0'), 'COMPANY ' || n, 'COMPANY ' || n, 'active', 'ltd', 'snapshot', now()
         from generate_series(0, ${COMPANIES - 1}) n`,
      )
    }
    const each = `(select n, lpad((n % ${COMPANIES})::text, 8, '0') as number
      from generate_series($1::integer + 1, $2::integer) n) each`
    await fillTables(world, KNOWN_ANSWERS.tables, async () => {
      await client.query(
        `insert into resolution (id, domain, outcome, situation, confidence, company_number, reason, findings,
           model_version, resolved_at)
         select 'res_' || lpad(n::text, 27, '0'), 'known-' || n || '.co.uk', 'matched', 'number', 0.99, number,
           'The site prints the number.', ${FINDINGS}, '1', now() from ${each}`,
        [from, to],
      )
      await client.query(
        `insert into known_domain (domain, resolution_id, outcome, company_number, resolved_at, expires_at)
         select 'known-' || n || '.co.uk', 'res_' || lpad(n::text, 27, '0'), 'matched', number, now(),
           now() + interval '30 days' from ${each}`,
        [from, to],
      )
    })
    return async (place) => {
      const domain = `known-${scatter(place, to) + 1}.co.uk`
      if (!(await findKnown(app.db, { domain, accountId: 'acc_1', at: new Date() })))
        throw new Error(`${domain} is new`)
    }
  },
}
