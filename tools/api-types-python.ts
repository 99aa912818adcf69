/** Python types of the bodies in the OpenAPI document: a `TypedDict` for each object, for the Python client. */
import type { Schema } from './api-types.ts'

const HEADER = `"""The bodies of the public API. Written by \`npm run openapi\` from docs/openapi.json; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`

/** Names that Python reserves cannot be members of a class; such an object is written as a call of \`TypedDict\`. */
const RESERVED = new Set(['from', 'class', 'in', 'is', 'not', 'with', 'import', 'global', 'return', 'pass'])

/** Returns one type for each named schema, in the order of their names; objects inside others get a name of both. */
export function describePythonTypes(openApi: string): string {
  const { components } = JSON.parse(openApi) as { components: { schemas: Record<string, Schema> } }
  const types = new PythonTypes(Object.keys(components.schemas))
  const names = Object.keys(components.schemas).toSorted()
  for (const name of names) types.add(name, components.schemas[name] ?? {})
  return `${HEADER}${types.toSource()}`
}

class PythonTypes {
  readonly #taken: Set<string>
  readonly #classes: string[] = []
  /** Written last: an alias is evaluated at once, so what it names must exist. */
  readonly #aliases: string[] = []

  constructor(names: readonly string[]) {
    this.#taken = new Set(names)
  }

  add(name: string, schema: Schema): void {
    if (schema.properties) this.#addClass(name, schema)
    else this.#aliases.push(`${name} = ${this.#typeOf(schema, name)}`)
  }

  toSource(): string {
    return `${this.#classes.map((text) => `\n\n${text}\n`).join('')}\n\n${this.#aliases.join('\n')}\n`
  }

  /** `NotRequired` is younger than Python 3.9, so optional members are added by a class that inherits the others. */
  #addClass(name: string, { properties = {}, required = [] }: Schema): void {
    const members = Object.entries(properties).map(([member, schema]) => ({
      member,
      type: this.#typeOf(schema, `${name}${toPascal(member)}`),
      isRequired: required.includes(member),
    }))
    const [needed, optional] = [members.filter((one) => one.isRequired), members.filter((one) => !one.isRequired)]
    if (optional.length === 0 || needed.length === 0) {
      this.#classes.push(
        describeClass(name, members, optional.length > 0 ? ['TypedDict', 'total=False'] : ['TypedDict']),
      )
      return
    }
    this.#classes.push(describeClass(`_${name}Required`, needed, ['TypedDict']))
    this.#classes.push(describeClass(name, optional, [`_${name}Required`, 'total=False']))
  }

  #typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) {
      const objects = choices.filter(({ properties }) => properties)
      return unite(choices.map((one) => this.#typeOf(one, objects.length > 1 ? nameChoice(name, one) : name)))
    }
    return unite([schema.type ?? 'unknown'].flat().map((type) => this.#plainType(type, schema, name)))
  }

  #plainType(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `List[${schema.items ? this.#typeOf(schema.items, name) : 'Any'}]`
    if (type !== 'object') return PLAIN[type] ?? 'Any'
    if (!schema.properties) {
      const { additionalProperties: values } = schema
      return `Dict[str, ${typeof values === 'object' ? this.#typeOf(values, name) : 'Any'}]`
    }
    const free = this.#findFreeName(name)
    this.#addClass(free, schema)
    return free
  }

  #findFreeName(name: string): string {
    let free = name
    while (this.#taken.has(free)) free += 'Body'
    this.#taken.add(free)
    return free
  }
}

const PLAIN: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

interface Member {
  member: string
  type: string
}

function describeClass(name: string, members: readonly Member[], bases: readonly string[]): string {
  if (members.some(({ member }) => RESERVED.has(member))) {
    const lines = members.map(
      ({ member, type }) => `        "${member}": ${JSON.stringify(type.replaceAll('"', "'"))},\n`,
    )
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)`
  }
  const lines = members.map(({ member, type }) => `    ${member}: ${type}`)
  return `class ${name}(${bases.join(', ')}):\n${lines.join('\n') || '    pass'}`
}

/** Returns a name for one of several objects in a choice, from its first member. */
function nameChoice(name: string, { properties = {} }: Schema): string {
  return `${name}${toPascal(Object.keys(properties)[0] ?? '')}`
}

function unite(types: readonly string[]): string {
  const others = [...new Set(types)].filter((type) => type !== 'None')
  const union = others.length > 1 ? `Union[${others.join(', ')}]` : (others[0] ?? 'None')
  return types.includes('None') && others.length > 0 ? `Optional[${union}]` : union
}

function toPascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}
