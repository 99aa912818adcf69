import reference from '@scalar/fastify-api-reference'
import type { App } from '../app.ts'
import { type ErrorCode, isRetryable } from '../errors.ts'
import { ERRORS } from '../http/errors.ts'
import type { Server } from '../http/instance.ts'
import { html } from '../lib/html.ts'
import { ADVICE } from './error-advice.ts'
import { sendPage } from './layout.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

export async function docsDoor(app: App, server: Server): Promise<void> {
  server.get('/docs', async (_request, reply) => sendPage(reply, { title: 'Documentation', body: INDEX }))

  server.get('/docs/errors', async (_request, reply) => sendPage(reply, { title: 'Errors', body: ERROR_LIST }))

  server.get('/docs/errors/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    const known = CODES.find((candidate) => candidate === code)
    if (!known) return sendPage(reply, { status: 404, title: 'No such error', body: NO_SUCH_ERROR })
    return sendPage(reply, { title: ERRORS[known].title, body: errorPage(known) })
  })

  await registerReference(app, server)
}

/** The bundle is served from here; the policy keeps it from calling its maker's hosts. */
async function registerReference(app: App, server: Server): Promise<void> {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${app.config.baseUrl.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      void reply.header('content-security-policy', policy)
    })
    await scope.register(reference, {
      routePrefix: '/docs/api',
      configuration: {
        url: new URL('/openapi.json', app.config.baseUrl).href,
        title: 'Nameplate API',
        withDefaultFonts: false,
        hideClientButton: true,
        telemetry: false,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}

const INDEX = html`
  <h1>Documentation</h1>
  <p><a href="/docs/api">API reference</a>: every endpoint with its fields, answers and errors, made from the schemas that check your requests. As a document for tools: <code>/openapi.json</code>.</p>
  <p><a href="/docs/errors">Errors</a>: what each code means and what to do.</p>`

const ERROR_LIST = html`
  <h1>Errors</h1>
  <p>Every error has the same shape. Branch on <code>code</code>: it never changes its meaning.</p>
  <table>
    <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
    <tbody>${CODES.map((code) => html`<tr><td>${ERRORS[code].status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${ERRORS[code].title}</td></tr>`)}</tbody>
  </table>`

const NO_SUCH_ERROR = html`<h1>No such error</h1><p>The <a href="/docs/errors">list of errors</a> has all codes.</p>`

function errorPage(code: ErrorCode) {
  return html`
    <p class="soft"><a href="/docs/errors">Errors</a></p>
    <h1>${ERRORS[code].title}</h1>
    <p><code>${code}</code> · HTTP ${ERRORS[code].status} · ${isRetryable(code) ? 'worth sending again unchanged' : 'sending it again unchanged does not help'}</p>
    <h2>What to do</h2>
    <p>${ADVICE[code]}</p>`
}
