/** TypeScript types of the bodies in the OpenAPI document, for programs that call the API. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  description?: string
}

const HEADER =
  '/** The bodies of the public API. Written by `npm run openapi` from docs/openapi.json; do not edit. */\n'

/** One exported type for each named schema, in the order of their names. */
export function describeTypes(openApi: string): string {
  const { components } = JSON.parse(openApi) as { components: { schemas: Record<string, Schema> } }
  const types = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return HEADER + types.map(([name, schema]) => `\nexport type ${name} = ${typeOf(schema, '')}\n`).join('')
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => typeOf(choice, indent)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  const names = [schema.type ?? 'unknown'].flat()
  return names.map((name) => plainType(name, schema, indent)).join(' | ')
}

function plainType(name: string, schema: Schema, indent: string): string {
  if (name === 'integer' || name === 'number') return 'number'
  if (name === 'array') return `Array<${schema.items ? typeOf(schema.items, indent) : 'unknown'}>`
  return name === 'object' ? objectType(schema, indent) : name
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_]\w*$/i.test(name) ? name : literal(name)
    return `${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${members.join('')}${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value)
}
