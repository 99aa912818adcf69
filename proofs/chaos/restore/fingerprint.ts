import { querySql } from '../../../rig/postgres.ts'

/** Every table with the number of its rows, and a sum over all their values that no order of rows changes. */
export type Fingerprint = Map<string, string>

/** Unlogged tables hold what may be lost, such as how much of a rate limit is used up; they restore empty. */
const TABLES = `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname in ('public', 'pgboss') and relkind = 'r' and relpersistence = 'p' order by 1`

export async function takeFingerprint(databaseUrl: string): Promise<Fingerprint> {
  const tables = await querySql<{ name: string }>(databaseUrl, TABLES)
  const fingerprint: Fingerprint = new Map()
  for (const { name } of tables) {
    const [row] = await querySql<{ rows: number; sum: string }>(
      databaseUrl,
      `select count(*)::int as rows,
         coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint), 0)::text as sum from ${name} t`,
    )
    fingerprint.set(name, `${row?.rows} rows, ${row?.sum}`)
  }
  return fingerprint
}

export function compareFingerprints(wanted: Fingerprint, found: Fingerprint): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()])
  return [...names].flatMap((name) => {
    const [before, after] = [wanted.get(name) ?? 'no table', found.get(name) ?? 'no table']
    return before === after ? [] : [`${name}: ${before} before, ${after} restored`]
  })
}

export function countRows(fingerprint: Fingerprint): number {
  return [...fingerprint.values()].reduce((sum, value) => sum + Number.parseInt(value, 10), 0)
}
