import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Account, endSession, findSession, type LiveSession, type Session } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'

/** A person signed in on the site: the session of the API, in a cookie that no script can read. */

function cookieName({ config }: App): string {
  // The prefix makes browsers refuse the cookie from anywhere but this very host; it needs https.
  return config.siteUrl.protocol === 'https:' ? '__Host-session' : 'session'
}

export async function findSignedIn(app: App, request: FastifyRequest): Promise<Account | null> {
  return (await findSiteSession(app, request))?.account ?? null
}

export async function findSiteSession(app: App, request: FastifyRequest): Promise<LiveSession | null> {
  const token = request.cookies[cookieName(app)]
  return token ? findWholeSession(app, token) : null
}

/** The console's short token is no session of the site: it would renew itself for ever. */
async function findWholeSession(app: App, token: string): Promise<LiveSession | null> {
  const session = await findSession(app, token)
  return session?.passwordGivenAt ? session : null
}

/** Thrown where a page is for people who are signed in; the site's error handler sends them to sign in first. */
class NotSignedIn extends Error {}

export async function getSignedIn(app: App, request: FastifyRequest): Promise<Account> {
  return (await getSiteSession(app, request)).account
}

export async function getSiteSession(app: App, request: FastifyRequest): Promise<LiveSession> {
  const session = await findSiteSession(app, request)
  if (!session) throw new NotSignedIn('no person is signed in')
  request.accountId = session.account.id
  return session
}

export function setSessionCookie(app: App, reply: FastifyReply, { token, expiresAt }: Session): void {
  void reply.setCookie(cookieName(app), token, { ...cookieOptions(app), expires: expiresAt })
}

/**
 * Puts a session that the API has started into the cookie, as after a change of the password, which ended the one in
 * there. The cookie ends with that session, so it opens nothing that its token does not.
 */
export async function renewSignedIn(app: App, reply: FastifyReply, token: string): Promise<LiveSession | null> {
  const session = await findWholeSession(app, token)
  if (session) setSessionCookie(app, reply, { token, expiresAt: session.expiresAt })
  return session
}

/** Ends the session for every copy of the cookie. */
export async function signOut(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = request.cookies[cookieName(app)]
  if (token) await endSession(app, token, originOf(request))
  void reply.clearCookie(cookieName(app), cookieOptions(app))
}

function cookieOptions({ config }: App) {
  const secure = config.siteUrl.protocol === 'https:'
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
}

/**
 * Refuses a form that another site had the browser send. Every browser of today says whether a request comes from this
 * very origin; one that does not must name the origin, which our pages' own `Referrer-Policy` makes `null` otherwise.
 * What says neither is no browser, and has no cookie to be misused.
 */
export function assertOwnForm({ config }: App, request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  const isOwn = site === undefined ? origin === undefined || origin === config.siteUrl.origin : site === 'same-origin'
  if (isOwn) return
  throw new DomainError('foreign_form', 'This form was sent from another site. Open the page here and try again.')
}

/** Where to go after signing in: a path of this site, whatever the address says. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return '/console'
  return next
}

/** Prepares what all pages share: cookies, forms, and the redirect to the sign-in page. */
export async function preparePages(_app: App, server: Server): Promise<void> {
  await server.register(cookie)
  await server.register(formbody)
  const answerError = server.errorHandler
  server.setErrorHandler((error, request, reply) => {
    if (!(error instanceof NotSignedIn)) return answerError.call(server, error as never, request, reply)
    const next = request.method === 'GET' ? request.url : '/console'
    return reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
  })
}
