import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../lib/text/html.ts'
import { DAILY_CREDITS_DEFAULT, DAILY_CREDITS_MAX } from '../../oauth/index.ts'
import { type Notice, notice } from './forms.ts'
import { sendPage } from './layout.ts'
import { signInFields } from './sign-in.ts'

/** A program's request to connect, as the person reads it. */
export interface ConnectionRequest {
  uid: string
  clientName: string
  /** The host of the document that describes the program; null where it registered itself here. */
  documentHost: string | null
  redirectHost: string
  isOwnComputer: boolean
}

// "Allow" leads to the program's own address, and browsers apply `form-action` to that redirect too.
const LEADS_AWAY = { formAction: false } as const

export function sendConsentSignIn(
  reply: FastifyReply,
  connecting: ConnectionRequest,
  email: string,
  page: Notice,
): FastifyReply {
  return sendPage(reply, {
    ...LEADS_AWAY,
    title: 'Sign in',
    status: page.status ?? 200,
    body: html`
      <form class="narrow card" method="post" action="/oauth/interaction/${connecting.uid}/sign-in">
        <h1>Sign in to connect a program</h1>
        ${notice(page)}
        ${introduce(connecting)}
        ${signInFields(email)}
        <button>Sign in</button>
        <p class="soft"><a href="/forgot-password">Forgot the password?</a> · No account yet? <a href="/sign-up">Create one</a>, then connect again.</p>
      </form>`,
  })
}

export function sendConsentPage(
  reply: FastifyReply,
  connecting: ConnectionRequest,
  email: string,
  page: Notice,
): FastifyReply {
  return sendPage(reply, {
    ...LEADS_AWAY,
    title: 'Connect a program',
    signedInAs: email,
    status: page.status ?? 200,
    body: html`
      <div class="narrow card">
        <h1>Let this program use your account?</h1>
        ${notice(page)}
        ${introduce(connecting)}
        <p class="soft">You are signed in as <strong>${email}</strong>.</p>
        <h2>It may</h2>
        <ul>
          <li>find the company behind a domain, and a company's web site</li>
          <li>search the register, read companies and their signals</li>
          <li>watch companies for you, and stop watching them</li>
          <li>see your balance, plan and watchlist</li>
        </ul>
        <p>It can never see your password or API keys, change your account, or manage your webhooks.</p>
        <h2>What it can cost</h2>
        <p>You pay one credit per match: a matched domain or a verified web site. Everything else is free.</p>
        <form method="post" action="/oauth/interaction/${connecting.uid}/allow">
          <label for="cap">At most this many credits a day</label>
          <input id="cap" name="daily_credit_cap" type="number" inputmode="numeric" min="0" max="${DAILY_CREDITS_MAX}" step="1" value="${DAILY_CREDITS_DEFAULT}" required />
          ${destination(connecting)}
          <div class="choices"><button>Allow</button><button class="quiet" formaction="/oauth/interaction/${connecting.uid}/deny" formnovalidate>Do not allow</button></div>
        </form>
        <p class="soft">The connection lasts for up to a year. You can change the cap or disconnect it at any time under <a href="/connected-apps">Connected apps</a>.</p>
      </div>`,
  })
}

/** The name is set apart, so that no wording of it can pass for a sentence of ours. */
function introduce({ clientName, documentHost }: ConnectionRequest): Html {
  const known =
    documentHost === null
      ? html`It registered itself here, and we have not checked the name.`
      : html`It is described by a document at <strong>${documentHost}</strong>. We have not checked the name.`
  return html`
    <dl>
      <dt>The program calls itself</dt>
      <dd><bdi>${clientName}</bdi></dd>
    </dl>
    <p class="soft">${known}</p>`
}

function destination({ redirectHost, isOwnComputer }: ConnectionRequest): Html {
  if (!isOwnComputer) return html`<p>If you allow it, you are sent back to <strong>${redirectHost}</strong>.</p>`
  return html`<p>If you allow it, you are sent to <strong>${redirectHost}</strong>. Go on only if you started this there yourself: any program on that computer could ask.</p>`
}

export function sendGonePage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'Start again',
    status: 400,
    body: html`
      <div class="narrow card">
        <h1>Start again</h1>
        <p role="alert" class="bad">This page has been open for too long, or belongs to another browser.</p>
        <p>Go back to your program and connect again.</p>
      </div>`,
  })
}
