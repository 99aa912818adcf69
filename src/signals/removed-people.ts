/** Removes names from signals and webhook events: of people who are withheld, and of records that the register deleted. */
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { toText } from '../lib/text/loose-json.ts'
import { type RegisterChange, replaceNames } from '../register/index.ts'
import { replaceInEvents } from '../webhooks/index.ts'
import { formatPerson } from './detect/wording.ts'
import type { FieldChange } from './signals.ts'

/** A name that a company's signals no longer show. */
export interface PersonRemoval {
  companyNumber: string
  name: string
}

export async function queueRemovals(tx: Tx, removals: readonly PersonRemoval[]): Promise<void> {
  if (removals.length === 0) return
  await tx.query('insert into person_removal (company_number, name) select * from unnest($1::text[], $2::text[])', [
    removals.map(({ companyNumber }) => companyNumber),
    removals.map(({ name }) => name),
  ])
}

/** The people whose records the register deleted. A person who only left an office stays in the register. */
export function removedIn(changes: readonly RegisterChange[]): PersonRemoval[] {
  return changes.flatMap(({ companyNumber, kind, before, after }) => {
    if (after !== null || before === null || (kind !== 'officer' && kind !== 'psc')) return []
    const record = before as unknown as Record<string, unknown>
    const name = toText(record['name'])
    const isCompany = /^corporate-|^legal-person/.test(toText(record[kind === 'psc' ? 'kind' : 'officer_role']) ?? '')
    return name === null || isCompany ? [] : [{ companyNumber, name }]
  })
}

const BATCH = 200
const BATCHES_MAX = 1_000

/** Safe to run again: a removal stays queued until its signals and events are done. Returns how many were done. */
export async function removeQueuedPeople(app: App): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const count = await app.db.transaction(removeBatch)
    removed += count
    if (count < BATCH) break
  }
  return removed
}

async function removeBatch(tx: Tx): Promise<number> {
  await tx.query(`set local statement_timeout = '10min'`)
  const removals = await tx.query<PersonRemoval>(
    `delete from person_removal where id in (select id from person_removal order by id limit ${BATCH} for update skip locked)
     returning company_number as "companyNumber", name`,
  )
  const names = new Map<string, string[]>()
  for (const { companyNumber, name } of removals) {
    names.set(companyNumber, [...(names.get(companyNumber) ?? []), ...formsOf(name)])
  }
  await replaceInSignals(tx, names)
  await replaceInEvents(tx, names, replaceNames)
  return removals.length
}

/** The ways in which sentences write a name; the longest first, as it may hold another. */
function formsOf(name: string): string[] {
  return [...new Set([name, formatPerson(name, false)])].sort((a, b) => b.length - a.length)
}

async function replaceInSignals(tx: Tx, names: ReadonlyMap<string, string[]>): Promise<void> {
  for (const [companyNumber, forms] of names) {
    const signals = await tx.query<{ id: string; summary: string; changes: FieldChange[] }>(
      `select id::text, summary, changes from signal
       where company_number = $1
         and exists (select from unnest($2::text[]) as form where strpos(summary || changes::text, form) > 0)
       for update`,
      [companyNumber, forms],
    )
    for (const { id, summary, changes } of signals) {
      await tx.query('update signal set summary = $3, changes = $4 where company_number = $1 and id = $2', [
        companyNumber,
        id,
        replaceNames(summary, forms),
        JSON.stringify(replaceNames(changes, forms)),
      ])
    }
  }
}
