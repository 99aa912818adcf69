import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { logIn, type VerificationResult } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, mailboxLink, type Notice, notice, sendPage } from './layout.ts'
import { assertOwnForm, findSignedIn, safeNext, setSessionCookie, signOut } from './session.ts'
import { resendForm } from './sign-up.ts'

/** With these the page offers a new link. */
const UNVERIFIED: ReadonlySet<string> = new Set(['expired', 'invalid'])

const VERIFICATION: Record<VerificationResult, Notice> = {
  verified: { done: 'Your e-mail address is verified, and your free credits are ready. Sign in to continue.' },
  already_verified: { done: 'Your e-mail address was already verified. Sign in to continue.' },
  expired: {
    problem: 'This verification link has expired. Request a new one.',
  },
  invalid: {
    problem: 'This verification link is not valid. Copy the whole link from the e-mail, or request a new one.',
  },
}

const SignInForm = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(256) })

export function signInRoutes(app: App, server: Server): void {
  server.get('/sign-in', async (request, reply) => {
    const { verification, next } = request.query as { verification?: string; next?: string }
    const result = Object.entries(VERIFICATION).find(([name]) => name === verification)?.[1] ?? {}
    const isDone = verification === undefined && (await findSignedIn(app, request)) !== null
    if (isDone) return reply.redirect(safeNext(next), 303)
    const offersLink = UNVERIFIED.has(verification ?? '')
    return sendSignInPage(app, reply, { next: safeNext(next), email: '', offersLink }, result)
  })

  server.post('/sign-in', async (request, reply) => {
    const { next, email } = (request.body ?? {}) as { next?: string; email?: string }
    const typed = { next: safeNext(next), email: typeof email === 'string' ? email.slice(0, 254) : '' }
    return answerForm(
      async () => {
        assertOwnForm(app, request)
        await signIn(app, request, reply)
        return reply.redirect(typed.next, 303)
      },
      (refusal) => {
        const offersLink = refusal.code === 'email_not_verified'
        return sendSignInPage(app, reply, { ...typed, offersLink }, refusal)
      },
    )
  })

  server.post('/sign-out', async (request, reply) => {
    assertOwnForm(app, request)
    await signOut(app, request, reply)
    return reply.redirect('/sign-in', 303)
  })
}

/** Throws what login throws; an empty field is a wrong one. */
export async function signIn(app: App, request: FastifyRequest, reply: FastifyReply) {
  const form = SignInForm.safeParse(request.body)
  const { email, password } = form.success ? form.data : { email: '', password: '' }
  const { account, session } = await logIn(app, { email, password, origin: originOf(request) })
  // What was signed in before in this browser ends with it.
  await signOut(app, request, reply)
  setSessionCookie(app, reply, session)
  return account
}

function sendSignInPage(
  app: App,
  reply: FastifyReply,
  { next, email, offersLink }: { next: string; email: string; offersLink: boolean },
  page: Notice,
): FastifyReply {
  return sendPage(reply, {
    title: 'Sign in',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/sign-in">
        <h1>Sign in</h1>
        ${notice(page)}
        ${page.code === 'email_not_verified' && mailboxLink(app)}
        <input type="hidden" name="next" value="${next}" />
        ${signInFields(email)}
        <button class="button">Sign in</button>
        <p class="soft"><a href="/forgot-password">Forgot the password?</a> · <a href="/sign-up">Create an account</a></p>
      </form>
      ${offersLink && html`<section class="narrow card"><h2>No verified address yet?</h2>${resendForm(email)}</section>`}`,
  })
}

export function signInFields(email: string): Html {
  return html`
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256" />`
}
