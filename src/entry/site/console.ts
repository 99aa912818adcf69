import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { startShortToken } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { html } from '../../lib/text/html.ts'
import { resourceOf } from '../../oauth/index.ts'
import type { Server } from '../http/instance.ts'
import { presentTime } from '../http/page.ts'
import { type SentFile, sendFile, toSentFile } from '../http/sent-file.ts'
import { sendPage } from './layout.ts'
import { assertOwnForm, findSiteSession, getSignedIn, renewSignedIn } from './session.ts'

/** The page keeps its short-lived API token in memory; the cookie, which no script can read, renews it. */
const TOKEN_SECONDS = 900

/** Sent after a change of the password, with the token that came with it. */
const Renewal = z.object({ token: z.string().min(1).max(2_048) })

/** The console: a page for signed-in people, the files it is built from, and the endpoint for its API token. */
export function consoleRoutes(app: App, server: Server): void {
  const files = readBuilt()
  const policy = policyOf(app)

  const showConsole = async (request: FastifyRequest, reply: FastifyReply) => {
    await getSignedIn(app, request)
    const page = files.get('index.html')
    if (!page) return sendPage(reply, { title: 'The console', status: 503, body: NOT_BUILT })
    void reply.header('content-security-policy', policy)
    return sendFile(request, reply, page)
  }
  server.get('/console', showConsole)
  server.get('/console/*', showConsole)

  server.get('/console/assets/:name', async (request, reply) => {
    const file = files.get(`assets/${(request.params as { name: string }).name}`)
    if (!file) throw new DomainError('not_found', 'There is no such file. Reload the page for the newest.')
    // Its name has a hash of its content.
    void reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendFile(request, reply, file)
  })

  server.post('/console/session', async (request, reply) => {
    assertOwnForm(app, request)
    const renewal = Renewal.safeParse(request.body)
    const session = renewal.success
      ? await renewSignedIn(app, reply, renewal.data.token)
      : await findSiteSession(app, request)
    if (!session) throw new DomainError('missing_credentials', 'You are not signed in. Sign in on the site first.')
    request.accountId = session.account.id
    const { token, expiresAt } = await startShortToken(app, session, TOKEN_SECONDS)
    return reply.send({
      token,
      expires_at: presentTime(expiresAt),
      api_url: app.config.baseUrl.origin,
      mcp_url: resourceOf(app),
      demo_domains: app.config.demoDomains,
      development_pages: app.config.developmentPages,
    })
  })
}

function policyOf({ config }: App): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${config.baseUrl.origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const NOT_BUILT = html`
  <h1>The console is not built</h1>
  <p>The operator of this service builds it once with <code>npm run build</code> and starts the service again. Until then <a href="/account">your account</a> and the <a href="/docs/api">API</a> have everything.</p>`

const BUILT = join(import.meta.dirname, '../../../dist/console')

/** The built console, a few hundred kilobytes, held in memory. Empty before the first build. */
function readBuilt(): ReadonlyMap<string, SentFile> {
  if (!existsSync(BUILT)) return new Map()
  const entries = readdirSync(BUILT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(BUILT, path), toSentFile(extname(name), readFileSync(path))]
    }),
  )
}
