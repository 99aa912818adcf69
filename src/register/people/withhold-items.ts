/** Withholds names in items of companies, before they are stored and before they are shown. */
import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import type { PersonOfCompany } from './person-key.ts'
import { namesPeople, peopleIn, redactItem } from './redact.ts'
import { findWithheld } from './withheld.ts'

export interface NamingItem {
  companyNumber: string
  kind: string
  data: LooseRecord
}

/** Returns the data of the items, in their order. Items of kinds that name no people are returned as they are. */
export async function withholdInItems(db: Db, items: readonly NamingItem[]): Promise<LooseRecord[]> {
  const withheld = await findInItems(db, items)
  return items.map((item) => withheld.get(item)?.data ?? item.data)
}

/** Returns the parts of a company without withheld names. */
export async function withholdInParts<Kind extends string, Part extends object>(
  db: Db,
  companyNumber: string,
  parts: ReadonlyMap<Kind, Part | (Part & { items: LooseRecord[] })>,
): Promise<Map<Kind, Part>> {
  const items = [...parts].flatMap(([kind, part]) =>
    'items' in part ? part.items.map((data) => ({ companyNumber, kind, data })) : [],
  )
  const shown = new Map<LooseRecord, LooseRecord>()
  for (const [item, { data }] of await findInItems(db, items)) shown.set(item.data, data)
  const withhold = (part: Part | (Part & { items: LooseRecord[] })): Part =>
    'items' in part ? { ...part, items: part.items.map((data) => shown.get(data) ?? data) } : part
  return new Map([...parts].map(([kind, part]) => [kind, withhold(part)]))
}

/** Returns the items that name withheld people, with the people and the data without them. */
export async function findInItems<Item extends NamingItem>(
  db: Db,
  items: readonly Item[],
): Promise<Map<Item, { people: PersonOfCompany[]; data: LooseRecord }>> {
  const people = items.flatMap((item) =>
    namesPeople(item.kind)
      ? peopleIn(item.kind, item.companyNumber, item.data).map((person) => ({ ...person, item }))
      : [],
  )
  const byItem = new Map<Item, PersonOfCompany[]>()
  for (const { item, ...person } of await findWithheld(db, people)) {
    byItem.set(item, [...(byItem.get(item) ?? []), person])
  }
  const found = new Map<Item, { people: PersonOfCompany[]; data: LooseRecord }>()
  for (const [item, named] of byItem) {
    if (!namesPeople(item.kind)) continue
    const names = named.map(({ name }) => name)
    found.set(item, { people: named, data: redactItem(item.kind, item.data, names) })
  }
  return found
}
