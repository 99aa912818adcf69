import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Provider } from 'oidc-provider'
import { z } from 'zod'
import { findAccount, type Origin } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { type Html, html } from '../../lib/text/html.ts'
import {
  cleanClientName,
  DAILY_CREDITS_DEFAULT,
  DAILY_CREDITS_MAX,
  documentHost,
  putConnection,
  recordRefusal,
  redirectHost,
} from '../../oauth/index.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, type Notice, notice, sendPage } from './layout.ts'
import { assertOwnForm, findSignedIn } from './session.ts'
import { signIn, signInFields } from './sign-in.ts'

const ConsentForm = z.object({ daily_credit_cap: z.coerce.number().int().min(0).max(DAILY_CREDITS_MAX) })

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Sign-in and consent, between a program's request to connect and its token. */
export function interactionsRoutes(app: App, server: Server, provider: Provider): void {
  server.get('/oauth/interaction/:uid', async (request, reply) => {
    const interaction = await findInteraction(provider, request, reply)
    if (!interaction) return sendGonePage(reply)
    if (interaction.prompt.name === 'login') {
      const account = await findSignedIn(app, request)
      if (account) return finishLogin(provider, request, reply, account.id)
      return sendConsentSignIn(reply, await describe(provider, interaction), '', {})
    }
    if (!(await isStillSignedIn(app, request, interaction))) return sendGonePage(reply)
    return sendConsentPage(reply, await describe(provider, interaction), await ownerOf(app, interaction), {})
  })

  server.post('/oauth/interaction/:uid/sign-in', async (request, reply) => {
    const interaction = await findInteraction(provider, request, reply)
    if (!interaction) return sendGonePage(reply)
    const connecting = await describe(provider, interaction)
    const { email } = (request.body ?? {}) as { email?: unknown }
    return answerForm(
      async () => {
        assertOwnForm(app, request)
        const account = await signIn(app, request, reply)
        return finishLogin(provider, request, reply, account.id)
      },
      (refusal) => sendConsentSignIn(reply, connecting, typeof email === 'string' ? email : '', refusal),
    )
  })

  server.post('/oauth/interaction/:uid/allow', async (request, reply) => {
    const interaction = await findInteraction(provider, request, reply)
    if (!interaction || !(await isStillSignedIn(app, request, interaction))) return sendGonePage(reply)
    assertOwnForm(app, request)
    const form = ConsentForm.safeParse(request.body)
    if (!form.success) {
      const problem = `The cap is a whole number from 0 to ${DAILY_CREDITS_MAX}.`
      const connecting = await describe(provider, interaction)
      return sendConsentPage(reply, connecting, await ownerOf(app, interaction), { problem, status: 400 })
    }
    const dailyCreditCap = form.data.daily_credit_cap
    const grantId = await grant(app, provider, interaction, { dailyCreditCap, origin: originOf(request) })
    const result = { consent: interaction.grantId ? {} : { grantId } }
    return finishInteraction(provider, request, reply, result, true)
  })

  server.post('/oauth/interaction/:uid/deny', async (request, reply) => {
    const interaction = await findInteraction(provider, request, reply)
    if (!interaction) return sendGonePage(reply)
    assertOwnForm(app, request)
    const { session, params } = interaction
    const refusal = { clientId: String(params['client_id']), origin: originOf(request) }
    if (session?.accountId) await recordRefusal(app, { accountId: session.accountId, ...refusal })
    const result = { error: 'access_denied', error_description: 'The person did not allow this program to connect.' }
    return finishInteraction(provider, request, reply, result, false)
  })
}

/** Null when its time is over, or the browser does not have its cookie. */
async function findInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction | null> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null
    throw error
  }
}

async function describe(provider: Provider, { uid, params }: Interaction): Promise<ConnectionRequest> {
  const clientId = String(params['client_id'])
  const client = await provider.Client.find(clientId)
  const asked = params['redirect_uri']
  const redirect = typeof asked === 'string' ? asked : (client?.redirectUris?.[0] ?? '')
  const host = redirectHost(redirect)
  const clientName = cleanClientName(client?.clientName) ?? host
  const isOwnComputer = host !== URL.parse(redirect)?.host
  return { uid, clientName, documentHost: documentHost(clientId), redirectHost: host, isOwnComputer }
}

/** True when the person is still signed in on the site at the moment of consent. */
async function isStillSignedIn(app: App, request: FastifyRequest, { session }: Interaction): Promise<boolean> {
  const account = await findSignedIn(app, request)
  return account !== null && account.id === session?.accountId
}

async function ownerOf(app: App, { session }: Interaction): Promise<string> {
  const account = await findAccount(app.db, session?.accountId ?? '')
  if (!account) throw new DomainError('not_found', 'This account does not exist any more.')
  return account.email
}

function finishLogin(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
): Promise<FastifyReply> {
  return finishInteraction(provider, request, reply, { login: { accountId, remember: false } }, false)
}

/** Browsers apply the page's `form-action` to every redirect after a form, so those pages allow any target. */
async function finishInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  result: Parameters<Provider['interactionResult']>[2],
  mergeWithLastSubmission: boolean,
): Promise<FastifyReply> {
  const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission })
  return reply.redirect(next, 303)
}

async function grant(
  app: App,
  provider: Provider,
  interaction: Interaction,
  terms: { dailyCreditCap: number; origin: Origin },
): Promise<string> {
  const { params, prompt, session } = interaction
  const accountId = session?.accountId
  if (!accountId) throw new DomainError('not_found', 'Sign in first.')
  const clientId = String(params['client_id'])
  const known = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined
  const granted = known ?? new provider.Grant({ accountId, clientId })
  const details = prompt.details as { missingOIDCScope?: string[]; missingResourceScopes?: Record<string, string[]> }
  if (details.missingOIDCScope) granted.addOIDCScope(details.missingOIDCScope.join(' '))
  for (const [resource, scopes] of Object.entries(details.missingResourceScopes ?? {})) {
    granted.addResourceScope(resource, scopes.join(' '))
  }
  const id = await granted.save()
  const { clientName, redirectHost: host } = await describe(provider, interaction)
  await putConnection(app, { id, accountId, clientId, clientName, redirectHost: host, ...terms })
  return id
}

/** A program's request to connect, as the person reads it. */
interface ConnectionRequest {
  uid: string
  clientName: string
  /** The host of the document that describes the program; null where it registered itself here. */
  documentHost: string | null
  redirectHost: string
  isOwnComputer: boolean
}

// "Allow" leads to the program's own address, and browsers apply `form-action` to that redirect too.
const LEADS_AWAY = { formAction: false } as const

function sendConsentSignIn(
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
        <button class="button">Sign in</button>
        <p class="soft"><a href="/forgot-password">Forgot the password?</a> · No account yet? <a href="/sign-up">Create one</a>, then connect again.</p>
      </form>`,
  })
}

function sendConsentPage(
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
          <div class="form-row"><button class="button">Allow</button><button class="button quiet" formaction="/oauth/interaction/${connecting.uid}/deny" formnovalidate>Do not allow</button></div>
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

function sendGonePage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'Start again',
    status: 400,
    body: html`
      <div class="narrow card">
        <h1>Start again</h1>
        <p role="alert" class="note bad">This page has been open for too long, or belongs to another browser.</p>
        <p>Go back to your program and connect again.</p>
      </div>`,
  })
}
