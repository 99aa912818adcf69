import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, signUp, WELCOME_CREDITS } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, mailboxLink, type Notice, notice, sendPage } from './layout.ts'
import { assertOwnForm } from './session.ts'
import { resendForm } from './verify-email.ts'

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
        <button>Create the account</button>
        <p class="soft">Already have an account? <a href="/sign-in">Sign in</a></p>
      </form>`,
  })
}

function sent(app: App, email: string) {
  return html`
    <div class="narrow card">
      <h1>Check your mailbox</h1>
      <p role="status" class="good">We have sent a link to ${email}.</p>
      <p>Open it within 24 hours and press the button to verify your address, then sign in. No e-mail? Look in the spam folder, or request a new link.</p>
      ${mailboxLink(app)}
      ${resendForm(email)}
    </div>`
}
