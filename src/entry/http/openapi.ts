import swagger from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { VERSION } from '../../version.ts'
import { addExamples, type ExampleDocument } from './examples.ts'
import type { Server } from './instance.ts'
import { TAG_LIST, type Tag } from './route.ts'

/** A request that we send to others. */
export interface WebhookDescription {
  operationId: string
  summary: string
  description: string
  tag: Tag
  headers: ReadonlyArray<{ name: string; description: string; isOptional?: boolean }>
  /** The schema of the body; it has an id. */
  schema: z.ZodType
}

/** The document is made from the same schemas that validate requests and shape answers. */
export async function registerOpenApi(
  app: App,
  server: Server,
  webhooks: Record<string, WebhookDescription>,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Nameplate',
        version: VERSION,
        summary: 'Which UK registered company is behind this web domain?',
        description: DESCRIPTION,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'Nameplate', url: new URL('/docs', app.config.siteUrl).href },
      },
      servers: [{ url: app.config.baseUrl.origin }],
      tags: TAG_LIST,
      webhooks: Object.fromEntries(Object.entries(webhooks).map(([name, sent]) => [name, toPathItem(sent)])),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An account API key, live or test.' },
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The token from login, for 24 hours.',
          },
          oauth: {
            type: 'oauth2',
            description: 'For programs that an account has approved.',
            flows: {
              authorizationCode: {
                authorizationUrl: new URL('/oauth/authorize', app.config.siteUrl).href,
                tokenUrl: new URL('/oauth/token', app.config.siteUrl).href,
                scopes: { 'service:mcp': "Use the agent tools against the account's credits." },
              },
            },
          },
        },
      },
    },
    // Routes without a description are pages and probes of other kinds; they are not part of the contract.
    transform: (route) => {
      if (!route.schema?.operationId) return { schema: { hide: true }, url: route.url }
      return describeTable(transformSchema(route))
    },
    transformObject: (document) => {
      const used: ExampleDocument = keepUsedSchemas(transformComponents(document) as OpenApiDocument)
      addExamples(used, app.config)
      return used
    },
  })
}

const transformSchema = createJsonSchemaTransform({})
const transformComponents = createJsonSchemaTransformObject({})

/** Where a table or a file may be sent, beside JSON or alone. */
function describeTable<Route extends { schema: object }>(route: Route): Route {
  const { consumes, body, ...schema } = route.schema as { consumes?: readonly string[]; body?: object }
  if (!consumes?.includes('text/csv')) return route
  const schemaOf = (type: string) => {
    if (type === 'application/json') return body
    return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
  }
  const content = Object.fromEntries(consumes.map((type) => [type, { schema: schemaOf(type) }]))
  return { ...route, schema: { ...schema, body: { content } } }
}

function toPathItem({ headers, schema, tag, ...words }: WebhookDescription) {
  const parameters = headers.map(({ name, description, isOptional = false }) => {
    return { name, in: 'header', required: !isOptional, description, schema: { type: 'string' as const } }
  })
  const body = { schema: { $ref: `#/components/schemas/${z.globalRegistry.get(schema)?.id}` } }
  return {
    post: {
      ...words,
      tags: [tag],
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': body } },
      responses: { '2XX': { description: 'You have it.' }, 410: { description: 'Send nothing here any more.' } },
    },
  }
}

type OpenApiDocument = ExampleDocument & { components?: { schemas?: Record<string, object> } }

/**
 * Each schema comes in a form for input and one for output; only those that something refers to are kept. They are sorted, because
 * otherwise their order is that in which modules were loaded.
 */
function keepUsedSchemas(document: OpenApiDocument): OpenApiDocument {
  const schemas = Object.entries(document.components?.schemas ?? {})
  const text = JSON.stringify(document)
  const used = schemas.filter(([name]) => text.includes(`"#/components/schemas/${name}"`))
  const sorted = Object.fromEntries(used.sort(([a], [b]) => (a < b ? -1 : 1)))
  const kept = { ...document, components: { ...document.components, schemas: sorted } }
  // What only a dropped one referred to goes with it.
  return used.length < schemas.length ? keepUsedSchemas(kept) : kept
}

const DESCRIPTION = `Nameplate answers one question with proof: which UK registered company is behind this web domain, and which web site is a company's own.

Send your API key in \`X-API-Key\`. Every error has the same shape, with a stable \`code\` and a page that explains it. Unknown members of a body are ignored. Times are RFC 3339 in UTC, dates are \`YYYY-MM-DD\`, and "today" is the date in London.`
