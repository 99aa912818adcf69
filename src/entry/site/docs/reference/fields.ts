/** The members of a body as rows, nested ones by their path: `company.name`, `evidence[].quote`. */
import type { Schema } from './document.ts'

export interface Field {
  path: string
  type: string
  isRequired: boolean
  description: string
}

const DEPTH_MAX = 8
const FIELDS_MAX = 800

export type Schemas = Readonly<Record<string, Schema>>

export function listFields(schema: Schema, schemas: Schemas): Field[] {
  return listNested(schema, schemas, '', []).slice(0, FIELDS_MAX)
}

/** `within` holds the schemas that this one is a part of, so that one that contains itself ends. */
function listNested(schema: Schema, schemas: Schemas, prefix: string, within: readonly Schema[]): Field[] {
  const [known, suffix] = unwrap(schema, schemas)
  if (within.length >= DEPTH_MAX || within.includes(known)) return []
  const outer = [...within, known]
  const path = `${prefix}${suffix}`
  const choices = listChoices(known, schemas)
  if (choices.length > 1) return uniqueByPath(choices.flatMap((one) => listNested(one, schemas, path, outer)))
  return Object.entries(known.properties ?? {}).flatMap(([name, member]) => {
    const own = `${path === '' ? '' : `${path}.`}${name}`
    const field = {
      path: own,
      type: describeType(member, schemas),
      isRequired: known.required?.includes(name) ?? false,
      description: describeMember(member, schemas),
    }
    return [field, ...listNested(member, schemas, own, outer)]
  })
}

/** Follows references, lists and "or null" to the schema with the members. The suffix is `[]` for each list on the way. */
function unwrap(schema: Schema, schemas: Schemas): [schema: Schema, suffix: string] {
  const known = follow(schema, schemas)
  if (known.items) {
    const [inner, suffix] = unwrap(known.items, schemas)
    return [inner, `[]${suffix}`]
  }
  const [only, ...others] = listChoices(known, schemas)
  return only && others.length === 0 && only !== known ? unwrap(only, schemas) : [known, '']
}

export function follow(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** Returns what a value may be, without null. */
function listChoices(schema: Schema, schemas: Schemas): Schema[] {
  const choices = schema.anyOf ?? schema.oneOf ?? []
  return choices.map((choice) => follow(choice, schemas)).filter(({ type }) => type !== 'null')
}

function uniqueByPath(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((field) => [field.path, field])).values()]
}

const VALUES_MAX = 12

/** Describes a member or a parameter: its meaning, its values, its bounds and its default. */
export function describeMember(member: Schema, schemas: Schemas): string {
  const known = follow(member, schemas)
  const values = (known.enum ?? []).filter((value) => value !== null)
  const listed = values
    .slice(0, VALUES_MAX)
    .map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
  const more = values.length > VALUES_MAX ? ', …' : ''
  return [
    member.description ?? known.description ?? '',
    listed.length > 0 ? `One of ${listed.join(', ')}${more}.` : '',
    describeBounds(known),
    known.default === undefined ? '' : `Default: \`${JSON.stringify(known.default)}\`.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function describeBounds({ minimum, maximum, minLength = 0, maxLength, maxItems }: Schema): string {
  if (maxLength !== undefined && minLength > 1) return `From ${minLength} to ${maxLength} characters.`
  if (maxLength !== undefined) return `At most ${maxLength} characters.`
  if (minLength > 1) return `At least ${minLength} characters.`
  if (maxItems !== undefined) return `At most ${maxItems}.`
  const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  if (isBound(minimum) && isBound(maximum)) return `From ${minimum} to ${maximum}.`
  return isBound(maximum) ? `At most ${maximum}.` : ''
}

export function describeType(schema: Schema, schemas: Schemas): string {
  const known = follow(schema, schemas)
  if (known.const !== undefined) return `\`${JSON.stringify(known.const)}\``
  const choices = known.anyOf ?? known.oneOf
  if (choices) {
    const types = choices.map((choice) => describeType(choice, schemas))
    return [...new Set(types)].join(' or ')
  }
  if (known.items) return `list of ${describeType(known.items, schemas)}`
  const types = typeof known.type === 'string' ? [known.type] : (known.type ?? ['any'])
  return types.map((type) => nameType(type, known.format)).join(' or ')
}

function nameType(type: string, format: string | undefined): string {
  if (type === 'string' && format === 'date-time') return 'time'
  if (type === 'string' && format === 'date') return 'date'
  return type === 'integer' ? 'whole number' : type
}
