/** Goes through the main database and the stores after a run, and names what should not be there. */
import type { MadeUpSite } from '../../../rig/made-up-sites.ts'
import { chooseStore } from '../../../src/lib/crawl/stores.ts'
import type { Database } from '../../../src/lib/db/db.ts'

export interface AuditedStores {
  main: Database
  stores: ReadonlyArray<{ name: string; db: Database }>
  sites: readonly MadeUpSite[]
}

interface StoredDomain {
  domain: string
  state: string
  outcome: string | null
  is_moving: boolean
  has_reading: boolean
}

/** Every domain is read, in its own store and no other, with the right outcome, and is stored as an answer once at most. */
export async function auditStores({ main, stores, sites }: AuditedStores): Promise<string[]> {
  const found = new Map<string, Array<StoredDomain & { store: string }>>()
  for (const { name, db } of stores) {
    for (const row of await listDomains(db)) {
      found.set(row.domain, [...(found.get(row.domain) ?? []), { ...row, store: name }])
    }
  }
  const answers = await countAnswers(main)
  return sites.flatMap((site) => {
    const rows = found.get(site.domain) ?? []
    const [row] = rows
    if (!row) return [`${site.domain} is in no store`]
    const stored = answers.get(site.domain) ?? 0
    const owner = chooseStore(stores, site.domain).name
    return [
      ...(rows.length > 1 ? [`${site.domain} is in ${rows.map(({ store }) => store).join(' and ')}`] : []),
      ...(row.store === owner ? [] : [`${site.domain} is in ${row.store}, not in ${owner}`]),
      ...(row.state === 'read' ? [] : [`${site.domain} is still ${row.state}`]),
      ...(row.is_moving ? [`${site.domain} is still on its way`] : []),
      ...(row.outcome === site.outcome ? [] : [`${site.domain} was read as ${row.outcome}, not ${site.outcome}`]),
      ...(stored > 1 ? [`${site.domain} was stored ${stored} times`] : []),
      ...(stored === 0 && !row.has_reading ? [`the reading of ${site.domain} is lost`] : []),
      ...(stored === 0 && site.outcome === 'matched'
        ? [`the match of ${site.domain} is not in the main database`]
        : []),
    ]
  })
}

function listDomains(db: Database): Promise<StoredDomain[]> {
  return db.query<StoredDomain>(
    `select one.domain, one.state, one.outcome, one.is_moving, reading.domain is not null as has_reading
     from crawl_domain one left join crawl_reading reading using (domain)`,
  )
}

async function countAnswers(main: Database): Promise<Map<string, number>> {
  const rows = await main.query<{ domain: string; answers: number }>(
    'select domain, count(*)::int as answers from resolution group by domain',
  )
  return new Map(rows.map(({ domain, answers }) => [domain, answers]))
}

/** Plants the faults that the audit exists for, one after the other. Returns how many of them it did not name. */
export async function countUnseenFaults(audited: AuditedStores): Promise<number> {
  const [first, second] = audited.stores
  const { main } = audited
  if (!first || !second) throw new Error('there are several stores')
  const own = audited.sites.filter(({ domain }) => chooseStore(audited.stores, domain) === first)
  const [lost, twice, open, moving, misplaced] = own
  const answered = audited.sites.find(({ outcome }) => outcome === 'matched')
  if (!lost || !twice || !open || !moving || !misplaced || !answered)
    throw new Error('there are too few sites to plant faults')
  await first.db.query('delete from crawl_domain where domain = $1', [lost.domain])
  await second.db.query(
    `insert into crawl_domain (domain, sweep, state, added_at) values ($1, 'planted', 'read', now())`,
    [twice.domain],
  )
  await first.db.query(`update crawl_domain set state = 'waiting' where domain = $1`, [open.domain])
  await first.db.query('update crawl_domain set is_moving = true where domain = $1', [moving.domain])
  await first.db.query('delete from crawl_domain where domain = $1', [misplaced.domain])
  await second.db.query(
    `insert into crawl_domain (domain, sweep, state, added_at) values ($1, 'planted', 'read', now())`,
    [misplaced.domain],
  )
  await main.query(
    `insert into resolution (id, domain, outcome, situation, confidence, company_number, reason, findings, model_version,
       resolved_at)
     select 'res_planted', domain, outcome, situation, confidence, company_number, reason, findings, model_version, resolved_at
     from resolution where domain = $1 limit 1`,
    [answered.domain],
  )
  const problems = await auditStores(audited)
  const wanted = [
    `${lost.domain} is in no store`,
    `${twice.domain} is in ${first.name} and ${second.name}`,
    `${open.domain} is still waiting`,
    `${moving.domain} is still on its way`,
    `${misplaced.domain} is in ${second.name}, not in ${first.name}`,
    `${answered.domain} was stored 2 times`,
  ]
  return wanted.filter((one) => !problems.includes(one)).length
}
