/** Every request that the service takes: the operations of the OpenAPI document, then pages, forms, the authorization server and the console. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** Routes beside the OpenAPI document: pages, forms, the authorization server, the console. */
interface SiteRoute {
  route: string
  /** The fields of its form, or of its query where it has none. */
  fields?: readonly string[]
  /** The type of the form, if it is not one of a browser. */
  type?: 'application/json'
  host?: 'api' | 'site'
  /** Hashes a password. */
  hashes?: true
}

const AUTHORIZE =
  'client_id redirect_uri response_type scope state code_challenge code_challenge_method resource'.split(' ')

const PAGES = [
  '/ /account /bot /connected-apps /console /console/{path} /console/assets/{name} /docs/{page} /docs/errors/{code}',
  '/llms.txt /.well-known/oauth-authorization-server /oauth/jwks /oauth/authorize/{uid} /oauth/interaction/{uid}',
]

const SITE_ROUTES: readonly SiteRoute[] = [
  ...PAGES.flatMap((paths) => paths.split(' ')).map((path) => ({ route: `GET ${path}` })),
  { route: 'GET /forgot-password', fields: ['email'] },
  { route: 'GET /metrics', host: 'api' },
  { route: 'GET /openapi.json', host: 'api' },
  { route: 'GET /reset-password', fields: ['token'] },
  { route: 'GET /sign-in', fields: ['verification', 'next'] },
  { route: 'GET /sign-up', fields: ['next'] },
  { route: 'GET /unsubscribe', fields: ['token'] },
  { route: 'GET /verify-email', fields: ['token'] },
  { route: 'GET /mcp', host: 'api' },
  { route: 'DELETE /mcp', host: 'api' },
  { route: 'GET /.well-known/oauth-protected-resource/mcp', host: 'api' },
  { route: 'GET /oauth/authorize', fields: AUTHORIZE },
  { route: 'POST /oauth/authorize', fields: AUTHORIZE },
  { route: 'POST /oauth/interaction/{uid}/allow', fields: ['daily_credit_cap'] },
  { route: 'POST /oauth/interaction/{uid}/deny', fields: [] },
  { route: 'POST /oauth/interaction/{uid}/sign-in', fields: ['email', 'password'], hashes: true },
  {
    route: 'POST /oauth/register',
    fields: ['client_name', 'redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'scope'],
    type: 'application/json',
  },
  {
    route: 'POST /oauth/token',
    fields: ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier', 'refresh_token'],
  },
  { route: 'POST /oauth/revoke', fields: ['token', 'token_type_hint', 'client_id', 'client_secret'] },
  { route: 'POST /connected-apps/{id}/cap', fields: ['daily_credit_cap'] },
  { route: 'POST /connected-apps/{id}/end', fields: [] },
  { route: 'POST /console/session', fields: ['token'], type: 'application/json' },
  { route: 'POST /forgot-password', fields: ['email'] },
  { route: 'POST /resend-verification', fields: ['email'] },
  { route: 'POST /reset-password', fields: ['token', 'new_password', 'revoke_api_keys'], hashes: true },
  { route: 'POST /sign-in', fields: ['email', 'password', 'next'], hashes: true },
  { route: 'POST /sign-out', fields: [] },
  { route: 'POST /sign-up', fields: ['email', 'password', 'next'], hashes: true },
  { route: 'POST /unsubscribe', fields: ['token'] },
  { route: 'POST /verify-email', fields: ['token', 'password'], hashes: true },
]
