import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SITE_ROUTES } from './site-routes.ts'

/** As far as JSON Schema is used by the OpenAPI document for what goes in. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

export interface Parameter {
  name: string
  in: 'query' | 'path'
  schema: Schema
}

/** One request that the service takes. */
export interface Operation {
  id: string
  method: string
  template: string
  host: 'api' | 'site'
  parameters: Parameter[]
  /** By media type. */
  bodies: Record<string, Schema>
  /** By the statuses that the document promises; null for a request that is not in it. */
  answers: Record<string, { content?: Record<string, unknown> }> | null
  /** How often it is sent, compared with others. */
  weight: number
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
}

interface DocumentedOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

/** Hashing a password costs the time of a hundred other requests. */
const HASHING = new Set(['signUp', 'logIn', 'resetPassword', 'changePassword'])
const HASHING_WEIGHT = 0.2
const SITE_WEIGHT = 0.35

export function readDocument(): ApiDocument {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as ApiDocument
}

/** Returns every operation of the document, then the requests of browsers and connected programs. */
export function listOperations(document: ApiDocument): Operation[] {
  const documented = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const content = Object.entries(operation.requestBody?.content ?? {})
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        template,
        host: 'api',
        parameters: operation.parameters ?? [],
        bodies: Object.fromEntries(content.map(([type, { schema }]) => [type, schema])),
        answers: operation.responses,
        weight: HASHING.has(operation.operationId) ? HASHING_WEIGHT : 1,
      }
    }),
  )
  return [...documented, ...SITE_ROUTES.map(toOperation)]
}

function toOperation(route: (typeof SITE_ROUTES)[number]): Operation {
  const [method = '', template = ''] = route.route.split(' ')
  const properties = Object.fromEntries((route.fields ?? []).map((name) => [name, { type: 'string' }]))
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const schema: Schema = { type: 'object', properties }
  const isForm = route.fields !== undefined && method === 'POST'
  return {
    id: route.route,
    method,
    template,
    host: route.host ?? 'site',
    parameters: [
      ...names.map((name): Parameter => ({ name, in: 'path', schema: { type: 'string' } })),
      ...(isForm ? [] : (route.fields ?? [])).map((name): Parameter => {
        return { name, in: 'query', schema: { type: 'string' } }
      }),
    ],
    bodies: isForm ? { [route.type ?? 'application/x-www-form-urlencoded']: schema } : {},
    answers: null,
    weight: route.hashes ? SITE_WEIGHT * HASHING_WEIGHT : SITE_WEIGHT,
  }
}
