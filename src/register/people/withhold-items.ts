/** Withholds names in items of companies, before they are stored and before they are shown. */
import type { Db, Tx } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { type PersonOfCompany, toPersonKey } from './person-key.ts'
import { isMention, namesPeople, peopleIn, redactItem } from './redact.ts'
import { findWithheld, recordWithheld } from './withheld.ts'

export interface NamingItem {
  companyNumber: string
  kind: string
  data: LooseRecord
}

/** Returns the data to store, in the order of the items. Items of kinds that name no people are returned as they are. */
export async function withholdInItems(
  tx: Tx,
  items: readonly NamingItem[],
  from: 'incoming' | 'stored',
): Promise<LooseRecord[]> {
  const withheld = await findInItems((people) => recordWithheld(tx, people, from), items)
  return items.map((item) => withheld.get(item) ?? item.data)
}

/** Returns the parts of a company to show. */
export async function withholdInParts<Kind extends string, Part extends object>(
  db: Db,
  companyNumber: string,
  parts: ReadonlyMap<Kind, Part | (Part & { items: LooseRecord[] })>,
): Promise<Map<Kind, Part>> {
  const items = [...parts].flatMap(([kind, part]) =>
    'items' in part ? part.items.map((data) => ({ companyNumber, kind, data })) : [],
  )
  const shown = new Map<LooseRecord, LooseRecord>()
  for (const [item, data] of await findInItems((people) => findWithheld(db, people), items)) shown.set(item.data, data)
  const withhold = (part: Part | (Part & { items: LooseRecord[] })): Part =>
    'items' in part ? { ...part, items: part.items.map((data) => shown.get(data) ?? data) } : part
  return new Map([...parts].map(([kind, part]) => [kind, withhold(part)]))
}

type Named<Item> = PersonOfCompany & { item: Item }

/** Returns the items that name withheld people, with the data without them. */
export async function findInItems<Item extends NamingItem>(
  find: (people: Named<Item>[]) => Promise<Set<Named<Item>>>,
  items: readonly Item[],
): Promise<Map<Item, LooseRecord>> {
  const named = items.flatMap((item) =>
    namesPeople(item.kind)
      ? peopleIn(item.kind, item.companyNumber, item.data).map((person) => ({ ...person, item }))
      : [],
  )
  const withheld = await find(named)
  // Filings and the like have no month of birth: people of records beside them are recognised by their names.
  const beside = new Set([...withheld].map(keyOf))
  const byItem = new Map<Item, string[]>()
  for (const person of named) {
    if (!withheld.has(person) && !(isMention(person.item.kind) && beside.has(keyOf(person)))) continue
    byItem.set(person.item, [...(byItem.get(person.item) ?? []), person.name])
  }
  return new Map(
    [...byItem].flatMap(([item, names]) =>
      namesPeople(item.kind) ? [[item, redactItem(item.kind, item.data, names)] as const] : [],
    ),
  )
}

const keyOf = ({ companyNumber, name }: PersonOfCompany) => `${companyNumber} ${toPersonKey(name)}`
