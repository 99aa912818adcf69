import { z } from 'zod'
import type { LimitClass } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Caller } from './caller.ts'
import { ERRORS, ErrorBody } from './errors.ts'

/** `key`: X-API-Key header. `session`: bearer token from login. */
type Credential = 'key' | 'session'

/** Throws `not_found` when the resource with this id, as written in the URL, does not belong to the caller. */
type AssertOwned = (app: App, caller: Caller, id: string) => Promise<unknown>

interface RouteConfig {
  /** Credentials this route takes; absent on public routes. */
  accepts?: readonly Credential[]
  limit?: LimitClass
  /** The page of the site that a browser without a credential is sent to, such as `/evidence/:id`. */
  sitePage?: string
  /** Takes `Idempotency-Key`. */
  idempotent?: boolean
  /** Asked when the input is refused: what is not the caller's is 404, whatever was sent to it. */
  assertOwned?: AssertOwned
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyInstance {
    /** Every `METHOD /path` the server answers. */
    routeList: string[]
  }
  interface FastifyRequest {
    /** For the log line: who called, and the code of the refusal if there was one. */
    accountId: string | null
    refusedWith: ErrorCode | null
  }
}

const TAGS = {
  Account: 'Sign-up, sign-in, passwords and API keys.',
  Resolution: 'The company behind a domain, with proof; and the web site of a company.',
  Review: 'What people decide: answers that need review, decisions of your own, and disputes.',
  Register: 'UK companies: search, profiles and signals of what changed.',
  Watchlist: 'Companies you watch, and the feed of what changed about them.',
  Webhooks: 'Events sent to your own systems, signed: destinations, what became of deliveries, and trying them out.',
  Credits: 'What was granted, held, spent and given back.',
  Agents: 'The tools for AI agents, over the Model Context Protocol.',
  Operations: 'Probes and descriptions of the service itself.',
} as const

export type Tag = keyof typeof TAGS
export const TAG_LIST = Object.entries(TAGS).map(([name, description]) => ({ name, description }))

interface Answer<Schema extends z.ZodType = z.ZodType> {
  description: string
  schema: Schema
}

interface RouteDescription<Body, Query, Params> extends RouteConfig {
  operationId: string
  /** Part of the contract: its path, statuses and members stay as long as `/v1`. `x-stable` in the OpenAPI document says so. */
  stable?: boolean
  summary: string
  description?: string
  tag: Tag
  /** On a public route: credentials that show their holder more. */
  reads?: readonly Credential[]
  body?: Body
  querystring?: Query
  params?: Params
  answers: Record<number, Answer>
  /** Codes beyond those that follow from the rest: 401 from `accepts`, 400 from input, and so on. */
  errors?: readonly ErrorCode[]
}

/** Says once what a route takes and answers: validation, types, OpenAPI and the rate limit all follow from it. */
export function describeRoute<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType>(
  route: RouteDescription<Body, Query, Params>,
) {
  const response: Record<number, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) response[Number(status)] = toContent(answer)
  for (const [status, codes] of groupByStatus(impliedErrors(route))) {
    const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' ')
    response[status] ??= toContent({ description, schema: ErrorBody })
  }
  const schema = {
    operationId: route.operationId,
    'x-stable': route.stable,
    summary: route.summary,
    description: route.description ?? route.summary,
    tags: [route.tag],
    security: toSecurity(route),
    body: route.body as Body,
    querystring: route.querystring as Query,
    params: route.params as Params,
    response,
  }
  const config = {
    ...(route.accepts ? { accepts: route.accepts, limit: route.limit ?? 'api' } : {}),
    ...(route.sitePage === undefined ? {} : { sitePage: route.sitePage }),
    ...(route.idempotent ? { idempotent: true } : {}),
    ...(route.assertOwned ? { assertOwned: route.assertOwned } : {}),
  } as const
  return { schema: dropUndefined(schema), config }
}

/** A file of text, and one of anything else. */
export const TEXT_FILE = { schema: z.string() }
export const BINARY_FILE = { schema: z.string().meta({ format: 'binary' }) }

/** Adds a file as the response of a described route, by its types. */
export function withFile<Described extends { schema: { response: Record<number, unknown> } }>(
  described: Described,
  content: Record<string, { schema: z.ZodType }>,
  description = 'The file.',
): Described {
  const response = { ...described.schema.response, 200: { description, content } }
  return { ...described, schema: { ...described.schema, response } }
}

/** Returns `describeRoute` for routes that have this in common. */
export function describeRoutes(shared: Pick<RouteDescription<unknown, unknown, unknown>, 'tag' | 'accepts' | 'limit'>) {
  return <Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType>(
    route: Omit<RouteDescription<Body, Query, Params>, 'tag'>,
  ) => describeRoute({ ...shared, ...route })
}

/** An empty list says "no credential"; an absent one would inherit. An empty member says "or none". */
function toSecurity({
  accepts = [],
  reads = [],
}: Pick<RouteDescription<unknown, unknown, unknown>, 'accepts' | 'reads'>) {
  // A program has a key, so it comes first.
  const named = [...accepts, ...reads]
    .map((credential) => (credential === 'key' ? 'apiKey' : 'session'))
    .sort()
    .map((name) => ({ [name]: [] }))
  return reads.length > 0 ? [{}, ...named] : named
}

function toContent(answer: Answer) {
  return { description: answer.description, content: { 'application/json': { schema: answer.schema } } }
}

function impliedErrors(route: RouteDescription<unknown, unknown, unknown>): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors)
  if (route.accepts) {
    codes.add('missing_credentials').add('invalid_credentials').add('account_disabled').add('rate_limited')
  }
  if (route.body || route.querystring || route.params) codes.add('invalid_request')
  if (route.body) codes.add('payload_too_large').add('unsupported_media_type')
  if (route.idempotent)
    codes.add('idempotency_key_in_use').add('idempotency_response_lost').add('idempotency_key_reused')
  return [...codes]
}

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code])
  return groups
}

/** Fastify takes a present but undefined schema for a faulty one. */
function dropUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}
