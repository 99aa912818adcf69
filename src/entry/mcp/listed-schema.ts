import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * A schema as agents are shown it. Its JSON is made once and not for every list, which took 10 ms; and it leaves out what
 * costs an agent's attention without helping it: bounds of every integer, patterns of values that have a format.
 */
export function toListedSchema<Schema extends z.ZodType>(
  schema: Schema,
  io: 'input' | 'output',
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => simplify(jsonSchema) })
  if (io === 'output') allowMore(json)
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: () => json, output: () => json } } }
}

function simplify(json: z.core.JSONSchema.BaseSchema): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.format !== undefined) delete json.pattern
}

/** An answer may gain members; a client that kept the list must not refuse it then. */
function allowMore(json: unknown): void {
  if (typeof json !== 'object' || json === null) return
  if ('additionalProperties' in json && json.additionalProperties === false) delete json.additionalProperties
  for (const member of Object.values(json)) allowMore(member)
}
