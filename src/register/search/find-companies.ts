import type { Db } from '../../lib/db/db.ts'
import { COMPANY_COLUMNS, type Company, type CompanyRow, toCompany } from '../company.ts'
import { OFF_REGISTER } from '../vocabulary.ts'

/** The companies with these numbers; unknown numbers are left out. */
export async function findCompanies(db: Db, numbers: readonly string[]): Promise<Company[]> {
  if (numbers.length === 0) return []
  const rows = await db.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = any ($1)`, [numbers])
  return rows.map(toCompany)
}

/** Returns those of the numbers that companies have. Reads no more than the index: for lists of thousands. */
export async function findKnownNumbers(db: Db, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ number: string }>('select number from company where number = any ($1)', [numbers])
  return new Set(rows.map(({ number }) => number))
}

/**
 * Returns a batch of the companies whose accounts or confirmation statement were due on a day, by their numbers. A company
 * that has ended owes nothing, and one in liquidation keeps its due dates for years although it no longer files.
 */
export async function listDueCompanies(
  db: Db,
  due: { column: 'accounts_next_due' | 'confirmation_next_due'; on: string; after: string; limit: number },
): Promise<Array<{ number: string; name: string }>> {
  return db.query(
    `select number, name from company
     where ${due.column} = $1::date and number > $2 and status <> all ($4)
     order by number limit $3`,
    [due.on, due.after, due.limit, [...OFF_REGISTER, 'liquidation']],
  )
}

/** Returns SQL for a select of another table: the companies with these numbers (an array) as one value for `parseCompanies`. */
export function selectCompanies(numbers: string): string {
  return `(select jsonb_agg(to_jsonb(found)) from (
    select ${COMPANY_COLUMNS} from company where number = any (${numbers})) found)`
}

/** Returns SQL for a text that changes whenever one of the companies with these numbers (an array) changes, comes or goes. */
export function companyVersionsSql(numbers: string): string {
  return `coalesce((select string_agg(version.number || version.xmin, ' ' order by version.number)
    from company version where version.number = any (${numbers})), '')`
}

export function parseCompanies(selected: CompanyRow[] | null): Company[] {
  return (selected ?? []).map((row) => toCompany({ ...row, changed_at: new Date(row.changed_at) }))
}

export interface NamedCompany {
  number: string
  nameKey: string
  isPrevious: boolean
}

/**
 * Returns companies that have, or had, one of these names, whatever the spacing. At most `limitEach` of a name: a name
 * that very many share identifies no company.
 */
export async function findCompaniesNamed(
  db: Db,
  nameKeys: readonly string[],
  limitEach: number,
): Promise<NamedCompany[]> {
  if (nameKeys.length === 0) return []
  return db.query<NamedCompany>(
    `select found.number, found.name_key as "nameKey", found.is_previous as "isPrevious"
     from unnest($1::text[]) wanted (name_key)
     cross join lateral (
       select number, name_key, is_previous from company_name
       where letters_hash(company_name.name_key) = letters_hash(wanted.name_key)
         and replace(company_name.name_key, ' ', '') = replace(wanted.name_key, ' ', '')
       order by is_previous, (status = 'active') desc, number limit $2
     ) found`,
    [nameKeys, limitEach],
  )
}

/** Companies whose registered office has this postcode (without its space), at most `limit`. */
export async function findCompaniesAt(db: Db, postcode: string, limit: number): Promise<NamedCompany[]> {
  return db.query<NamedCompany>(
    `select number, name_key as "nameKey", is_previous as "isPrevious" from company_name
     where search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)
       @> array['~p:' || $1::text]
       and postcode = $1 and not is_previous
     limit $2`,
    [postcode, limit],
  )
}

export interface NameAtPostcode extends NamedCompany {
  postcode: string
}

/** Names, previous ones too, of companies whose registered office has one of these postcodes (without space). */
export async function findNamesAt(db: Db, postcodes: readonly string[], limitEach: number): Promise<NameAtPostcode[]> {
  if (postcodes.length === 0) return []
  return db.query<NameAtPostcode>(
    `select wanted.postcode, found.number, found.name_key as "nameKey", found.is_previous as "isPrevious"
     from unnest($1::text[]) wanted (postcode)
     cross join lateral (
       select number, name_key, is_previous from company_name
       where search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)
         @> array['~p:' || wanted.postcode]
         and company_name.postcode = wanted.postcode
       limit $2
     ) found`,
    [postcodes, limitEach],
  )
}

/**
 * Counts the names that have each word, and the offices at each postcode. Words that no name has are left out. `total`
 * counts all names.
 */
export async function countInNames(
  db: Db,
  asked: { words: readonly string[]; postcodes: readonly string[] },
): Promise<{ words: Map<string, number>; postcodes: Map<string, number>; total: number }> {
  const terms = ['~n', ...asked.words, ...asked.postcodes.map((postcode) => `~p:${postcode}`)]
  const rows = await db.query<{ token: string; df: number }>(
    'select token, df from name_token where token = any ($1)',
    [terms],
  )
  const counts = new Map(rows.map(({ token, df }) => [token, df]))
  const pick = (names: readonly string[], prefix: string) =>
    new Map(
      names.flatMap((name) => (counts.has(prefix + name) ? [[name, counts.get(prefix + name) ?? 0] as const] : [])),
    )
  return { words: pick(asked.words, ''), postcodes: pick(asked.postcodes, '~p:'), total: counts.get('~n') ?? 0 }
}
