import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, requestPasswordReset, resetPassword } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, notice, sendPage } from './layout.ts'

const ForgotForm = z.object({ email: z.email().max(254) })
const ResetForm = z.object({
  token: z.string().min(1).max(200),
  new_password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
  revoke_api_keys: z.literal('yes').optional(),
})

// Neither form needs a session, and a reset needs the token of the link: there is no right here to be borrowed by a
// page elsewhere, so no CSRF token.
export function passwordsRoutes(app: App, server: Server): void {
  server.get('/forgot-password', async (_request, reply) => sendForgotPage(reply, {}))

  server.post('/forgot-password', async (request, reply) => {
    const form = ForgotForm.safeParse(request.body)
    if (!form.success)
      return sendForgotPage(reply, { problem: 'Enter the e-mail address of your account.', status: 400 })
    return answerForm(
      async () => {
        await requestPasswordReset(app, { email: form.data.email, origin: originOf(request) })
        return sendForgotPage(reply, {
          done: 'If there is an account for this address, an e-mail with a link is on its way.',
        })
      },
      (refusal) => sendForgotPage(reply, refusal),
    )
  })

  server.get('/reset-password', async (request, reply) => {
    const { token } = request.query as { token?: string }
    return sendResetPage(reply, { token: token ?? '' })
  })

  server.post('/reset-password', async (request, reply) => {
    const form = ResetForm.safeParse(request.body)
    if (!form.success) {
      const { token } = (request.body ?? {}) as { token?: string }
      return sendResetPage(reply, {
        token: token ?? '',
        problem: `Choose a password of at least ${PASSWORD_LENGTH_MIN} characters.`,
        status: 400,
      })
    }
    const { token, new_password: newPassword } = form.data
    const revokeApiKeys = form.data.revoke_api_keys === 'yes'
    return answerForm(
      async () => {
        const reset = { token, newPassword, revokeApiKeys, origin: originOf(request) }
        const { keysEnded } = await resetPassword(app, reset)
        return sendPage(reply, { title: 'Password changed', body: changed(keysEnded) })
      },
      (refusal) => sendResetPage(reply, { token, ...refusal }),
    )
  })
}

function sendForgotPage(reply: FastifyReply, page: { done?: string; problem?: string; status?: number }): FastifyReply {
  return sendPage(reply, {
    title: 'Forgot password',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/forgot-password">
        <h1>Forgot the password?</h1>
        ${notice(page)}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required />
        <button class="button">Send me a link</button>
      </form>`,
  })
}

function sendResetPage(reply: FastifyReply, page: { token: string; problem?: string; status?: number }): FastifyReply {
  return sendPage(reply, {
    title: 'Choose a new password',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/reset-password">
        <h1>Choose a new password</h1>
        ${notice(page)}
        <input type="hidden" name="token" value="${page.token}" />
        <label for="new_password">New password</label>
        <input id="new_password" name="new_password" type="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}" required />
        <p class="soft">At least ${PASSWORD_LENGTH_MIN} characters. Several words make a good password.</p>
        <label class="check"><input type="checkbox" name="revoke_api_keys" value="yes" /> Revoke my API keys too, because another person may have them</label>
        <button class="button">Change the password</button>
      </form>`,
  })
}

const changed = (keysEnded: boolean) => html`
  <div class="narrow card">
    <h1>Password changed</h1>
    <p role="status" class="note good">Every older session has ended.</p>
    <p><a href="/sign-in">Sign in</a> with the new password. ${keysEnded ? 'Your API keys are revoked. Get new ones with your next login over the API, or under Keys in the console.' : 'Your API keys keep working.'}</p>
  </div>`
