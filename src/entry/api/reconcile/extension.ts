/** Facts of matched companies as cells of a table: the data extension of the protocol. */
import { z } from 'zod'
import type { Db } from '../../../lib/db/db.ts'
import { PROPERTIES, type Property } from '../../../reconcile/index.ts'
import { type Company, findCompanies, parseCompanyNumber } from '../../../register/index.ts'
import { invalidRequest } from '../../http/errors.ts'
import { parseField } from './queries.ts'

const IDS_MAX = 500
const ASKED_PROPERTIES_MAX = 50
const ID_CHARACTERS_MAX = 40

/** The settings of each property that is fetched. */
export const PROPERTY_SETTINGS = [
  {
    type: 'number',
    name: 'limit',
    label: 'Values at most',
    default: 0,
    help_text: 'How many values a cell gets where there are several; 0 is all of them.',
  },
] as const

const Extension = z.object({
  ids: z.array(z.string().max(ID_CHARACTERS_MAX)).max(IDS_MAX),
  properties: z
    .array(z.object({ id: z.string(), settings: z.object({ limit: z.coerce.number().catch(0).optional() }).nullish() }))
    .max(ASKED_PROPERTIES_MAX),
})

interface ExtensionQuery {
  ids: string[]
  columns: Array<{ property: Property; limit: number }>
}

type Cell = { str: string } | { date: string }

export function parseExtension(text: string): ExtensionQuery {
  const { ids, properties } = parseField('extend', text, Extension)
  const columns = properties.map(({ id, settings }, index) => {
    const property = PROPERTIES.find((known) => known.id === id)
    if (property) return { property, limit: settings?.limit ?? 0 }
    const message = `is none of ${PROPERTIES.map((known) => known.id).join(', ')}`
    throw invalidRequest([{ field: `extend.properties.${index}.id`, message }])
  })
  return { ids, columns }
}

/** A row for every id, under the id as it was sent; a company that is not there has empty cells. */
export async function extendCompanies(db: Db, { ids, columns }: ExtensionQuery) {
  const numbers = ids.flatMap((id) => parseCompanyNumber(id) ?? [])
  const companies = new Map((await findCompanies(db, numbers)).map((company) => [company.number, company]))
  const rowOf = (id: string) => {
    const company = companies.get(parseCompanyNumber(id) ?? '')
    return Object.fromEntries(columns.map((column) => [column.property.id, company ? readCells(company, column) : []]))
  }
  return {
    meta: columns.map(({ property: { id, name } }) => ({ id, name })),
    rows: Object.fromEntries(ids.map((id) => [id, rowOf(id)])),
  }
}

/** The protocol's dates have a time. */
function readCells(company: Company, { property, limit }: ExtensionQuery['columns'][number]): Cell[] {
  const values = property.read(company)
  const shown = limit > 0 ? values.slice(0, limit) : values
  return shown.map((value) => (property.kind === 'date' ? { date: `${value}T00:00:00Z` } : { str: value }))
}
