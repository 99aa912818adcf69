import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import {
  findVerification,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  requestVerification,
  signUp,
  type Verification,
  verifyByButton,
  WELCOME_CREDITS,
} from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, mailboxLink, type Notice, notice, sendPage } from './layout.ts'
import { assertOwnForm } from './session.ts'

const SignUpForm = z.object({
  email: z.email().max(254),
  password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
})

export function signUpRoutes(app: App, server: Server): void {
  server.get('/sign-up', async (_request, reply) => sendSignUpPage(reply, '', {}))

  server.post('/sign-up', async (request, reply) => {
    const { email: typed } = (request.body ?? {}) as { email?: string }
    const email = typeof typed === 'string' ? typed.slice(0, 254) : ''
    const form = SignUpForm.safeParse(request.body)
    if (!form.success) {
      const problem = `Enter your e-mail address and a password of at least ${PASSWORD_LENGTH_MIN} characters.`
      return sendSignUpPage(reply, email, { problem, status: 400 })
    }
    return answerForm(
      async () => {
        assertOwnForm(app, request)
        await signUp(app, { ...form.data, origin: originOf(request) })
        return sendPage(reply, { title: 'Check your mailbox', body: sent(app, form.data.email) })
      },
      (refusal) => sendSignUpPage(reply, email, refusal),
    )
  })
}

function sendSignUpPage(reply: FastifyReply, email: string, page: Notice): FastifyReply {
  return sendPage(reply, {
    title: 'Create an account',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/sign-up">
        <h1>Create an account</h1>
        <p class="soft">${WELCOME_CREDITS} credits are yours once your address is verified. You pay one credit per match. Everything else is free.</p>
        ${notice(page)}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${email}" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="password-hint" minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}" required />
        <p class="soft" id="password-hint">At least ${PASSWORD_LENGTH_MIN} characters. Several words make a good password.</p>
        <button class="button">Create the account</button>
        <p class="soft">Already have an account? <a href="/sign-in">Sign in</a></p>
      </form>`,
  })
}

function sent(app: App, email: string) {
  return html`
    <div class="narrow card">
      <h1>Check your mailbox</h1>
      <p role="status" class="note good">We have sent a link to ${email}.</p>
      <p>Open it within 24 hours and press the button to verify your address, then sign in. No e-mail? Look in the spam folder, or request a new link.</p>
      ${mailboxLink(app)}
      ${resendForm(email)}
    </div>`
}

const VerifyForm = z.object({ token: z.string().min(1).max(200), password: z.string().max(256).default('') })
const ResendForm = z.object({ email: z.email().max(254) })

/**
 * Where the link of a verification e-mail leads. Opening the page verifies nothing, as mail programs open links to look
 * at them: its button does. The token is the right to do it, so there is none here to be borrowed by a page elsewhere.
 */
export function verifyEmailRoutes(app: App, server: Server): void {
  server.get('/verify-email', async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const given = typeof token === 'string' && token.length <= 200 ? token : ''
    const verification = await findVerification(app, { token: given, origin: originOf(request) })
    if (!verification) return sendDeadLinkPage(reply)
    return sendButtonPage(reply, { token: given, verification }, {})
  })

  server.post('/verify-email', async (request, reply) => {
    const form = VerifyForm.safeParse(request.body)
    if (!form.success) return sendDeadLinkPage(reply)
    const origin = originOf(request)
    const verification = await findVerification(app, { ...form.data, origin })
    if (!verification) return sendDeadLinkPage(reply)
    return answerForm(
      async () => {
        const result = await verifyByButton(app, { ...form.data, origin })
        return reply.redirect(`/sign-in?verification=${result}`, 303)
      },
      (refusal) => sendButtonPage(reply, { token: form.data.token, verification }, refusal),
    )
  })

  server.post('/resend-verification', async (request, reply) => {
    const form = ResendForm.safeParse(request.body)
    if (!form.success) return sendResendPage(app, reply, { problem: 'Enter your e-mail address.', status: 400 })
    return answerForm(
      async () => {
        await requestVerification(app, { email: form.data.email, origin: originOf(request) })
        const done = 'If there is an account for this address that is not verified, a new link is on its way.'
        return sendResendPage(app, reply, { done })
      },
      (refusal) => sendResendPage(app, reply, refusal),
    )
  })
}

function sendButtonPage(
  reply: FastifyReply,
  { token, verification }: { token: string; verification: Verification },
  page: Notice,
): FastifyReply {
  return sendPage(reply, {
    title: 'Verify your address',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/verify-email">
        <h1>Verify your address</h1>
        ${notice(page)}
        <p>You signed up for Nameplate with <strong>${verification.email}</strong>. Is this you?</p>
        <input type="hidden" name="token" value="${token}" />
        ${verification.isContested && passwordField(verification.email)}
        <button class="button">Verify my address</button>
        <p class="soft">You did not sign up? Leave this page: the account is deleted after a day.</p>
      </form>`,
  })
}

function passwordField(email: string): Html {
  return html`
        <p>This address was signed up more than once, with different passwords. Enter the newest one, so that only you own the account. You do not know it? <a href="/forgot-password">Set a new password</a>: that verifies your address too.</p>
        <input type="email" autocomplete="username" value="${email}" hidden readonly />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256" />`
}

function sendDeadLinkPage(reply: FastifyReply): FastifyReply {
  const problem = 'This link has expired, was used before, or was replaced by a newer one.'
  return sendPage(reply, {
    title: 'Verify your address',
    status: 400,
    body: html`
      <div class="narrow card">
        <h1>This link does not work</h1>
        ${notice({ problem })}
        <p>If your address is already verified, <a href="/sign-in">sign in</a>. Otherwise request a new link:</p>
        ${resendForm('')}
      </div>`,
  })
}

function sendResendPage(app: App, reply: FastifyReply, page: Notice): FastifyReply {
  return sendPage(reply, {
    title: 'Verify your address',
    status: page.status ?? 200,
    body: html`
      <div class="narrow card">
        <h1>A new link</h1>
        ${notice(page)}
        ${page.done ? mailboxLink(app) : resendForm('')}
        <p class="soft"><a href="/sign-in">Sign in</a></p>
      </div>`,
  })
}

/** A form of its own, so it must not be put inside another. With an address it is a button alone. */
export function resendForm(email: string): Html {
  const field = html`
          <label for="resend-email">E-mail address</label>
          <input id="resend-email" name="email" type="email" autocomplete="email" required maxlength="254" />`
  return html`
        <form method="post" action="/resend-verification">
          ${email ? html`<input type="hidden" name="email" value="${email}" />` : field}
          <button class="button quiet">Send me a new link</button>
        </form>`
}
