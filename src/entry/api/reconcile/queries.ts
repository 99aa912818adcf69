import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import { findLegalForm, type ReconcileQuery } from '../../../reconcile/index.ts'
import { parseCompanyNumber, toNameKey } from '../../../register/index.ts'
import { invalidRequest } from '../../http/errors.ts'

export const QUERIES_MAX = 50
const CANDIDATES_DEFAULT = 5
const CANDIDATES_MAX = 20
/** Longer than any name of the register; of a cell with a whole paragraph in it only the beginning is looked for. */
const NAME_CHARACTERS_MAX = 200
const VALUES_MAX = 20
const ISSUES_SHOWN_MAX = 10
/** Shorter ones are more often names: `118`, `M1`. Spreadsheets drop the zeros that most numbers begin with. */
const NUMBER_CHARACTERS_MIN = 6

const PropertyValue = z.union([z.string(), z.number(), z.boolean(), z.object({ id: z.string() }), z.null()])

const Query = z
  .object({
    query: z.string().nullish(),
    type: z.union([z.string(), z.array(z.string()).max(VALUES_MAX)]).nullish(),
    type_strict: z.enum(['any', 'should', 'all']).nullish(),
    limit: z.number().nullish(),
    properties: z
      .array(z.object({ pid: z.string(), v: z.union([PropertyValue, z.array(PropertyValue).max(VALUES_MAX)]) }))
      .max(VALUES_MAX)
      .nullish(),
  })
  .refine(({ query, properties }) => typeof query === 'string' || (properties?.length ?? 0) > 0, {
    error: 'needs `query` or `properties`',
  })

/** A query batch, by the ids the caller gave. */
export function parseQueries(text: string): Map<string, ReconcileQuery> {
  const batch = parseField('queries', text, z.record(z.string(), z.unknown()))
  const count = Object.keys(batch).length
  if (count > QUERIES_MAX) {
    throw new DomainError('payload_too_large', `These are ${count} queries. Send at most ${QUERIES_MAX} at once.`)
  }
  const queries = assertShape('queries', batch, z.record(z.string(), Query))
  return new Map(Object.entries(queries).map(([id, query]) => [id, toReconcileQuery(query)]))
}

/** A field of the form: JSON in a text. A refusal names the member that is wrong. */
export function parseField<Schema extends z.ZodType>(field: string, text: string, schema: Schema): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidRequest([{ field, message: 'must be JSON' }])
  }
  return assertShape(field, value, schema)
}

function assertShape<Schema extends z.ZodType>(field: string, value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, ISSUES_SHOWN_MAX)
  throw invalidRequest(issues.map(({ path, message }) => ({ field: [field, ...path].join('.'), message })))
}

function toReconcileQuery(query: z.output<typeof Query>): ReconcileQuery {
  const name = (query.query ?? '').slice(0, NAME_CHARACTERS_MAX)
  return {
    nameKey: toNameKey(name),
    legalForm: findLegalForm(name),
    number: toNumber(name),
    hints: (query.properties ?? []).map(({ pid, v }) => ({ propertyId: pid, values: [v].flat().flatMap(toText) })),
    types: [query.type ?? []].flat(),
    isTypeStrict: query.type_strict === 'any' || query.type_strict === 'all',
    limit: toLimit(query.limit),
  }
}

function toNumber(typed: string): string | null {
  return typed.trim().length < NUMBER_CHARACTERS_MIN ? null : parseCompanyNumber(typed)
}

/** A cell that was matched before comes as an object; its id is the value. */
function toText(value: z.output<typeof PropertyValue>): string[] {
  const text = String(value !== null && typeof value === 'object' ? value.id : (value ?? '')).trim()
  return text === '' ? [] : [text.slice(0, NAME_CHARACTERS_MAX)]
}

/** Zero or less is what clients send for "as many as you like". */
function toLimit(asked: number | null | undefined): number {
  const limit = Math.trunc(asked ?? 0)
  return limit > 0 ? Math.min(limit, CANDIDATES_MAX) : CANDIDATES_DEFAULT
}
