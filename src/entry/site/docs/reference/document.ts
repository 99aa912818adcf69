/** The parts of docs/openapi.json that the reference shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lazy } from '../../../../lib/lazy.ts'

export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
  maxItems?: number
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  additionalProperties?: Schema | boolean
}

interface Media {
  schema?: Schema
  example?: unknown
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
  example?: string | number
}

interface Response {
  description: string
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  /** It stays as long as the version of the API. */
  'x-stable'?: boolean
  summary: string
  description?: string
  tags?: readonly string[]
  security?: ReadonlyArray<Record<string, unknown>>
  parameters?: readonly Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

export interface ApiDocument {
  info: { description: string }
  servers: ReadonlyArray<{ url: string }>
  tags: ReadonlyArray<{ name: string; description: string }>
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** An operation with its method and path. A webhook is a request of ours, and has no path. */
export interface Endpoint {
  method: string
  path: string | null
  operation: Operation
}

export interface Section {
  name: string
  description: string
  endpoints: Endpoint[]
}

/** Returns the name of the page of a section. */
export const slugOfSection = ({ name }: Pick<Section, 'name'>): string => `api-${name.toLowerCase()}`

/** An error that an operation returns; its code is null where the response has a shape of its own. */
interface ReturnedError {
  status: string
  code: string | null
  meaning: string
}

/** Each description names its codes: "`code`: What it means." */
export function listErrors({ responses }: Operation): ReturnedError[] {
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, { description }]): ReturnedError[] => {
      const codes = [...description.matchAll(/`(\w+)`: ([^`]*)/g)]
      if (codes.length === 0) return [{ status, code: null, meaning: description }]
      return codes.map(([, code = '', meaning = '']) => ({ status, code, meaning: meaning.trim() }))
    })
}

export const readDocument = lazy((): ApiDocument => {
  const file = join(import.meta.dirname, '../../../../../docs/openapi.json')
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument
})

/** Returns the operations by tag, in the order of the document. */
export function listSections({ tags, paths, webhooks }: ApiDocument): Section[] {
  const endpoints = [
    ...Object.entries(paths).flatMap(([path, item]) => toEndpoints(path, item)),
    ...Object.values(webhooks).flatMap((item) => toEndpoints(null, item)),
  ]
  return tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }))
}

function toEndpoints(path: string | null, item: Record<string, Operation>): Endpoint[] {
  return Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
}
