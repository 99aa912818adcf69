import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Account, describeApiKeys } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { type Html, html } from '../../lib/text/html.ts'
import {
  type Connection,
  DAILY_CREDITS_MAX,
  endConnection,
  listConnections,
  resourceOf,
  setDailyCap,
} from '../../oauth/index.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { answerForm, type Notice, notice, sendPage } from './layout.ts'
import { formatDay } from './london-time.ts'
import { assertOwnForm, getSignedIn } from './session.ts'

/** Where a person lands after signing in. */
export function accountRoutes(app: App, server: Server): void {
  server.get('/account', async (request, reply) => {
    const account = await getSignedIn(app, request)
    const [{ balance, held, available }, keys] = await Promise.all([
      getBalance(app.db, account.id),
      describeApiKeys(app.db, account.id),
    ])
    return sendPage(reply, {
      title: 'Your account',
      signedInAs: account.email,
      body: html`
        <h1>Your account</h1>
        <table>
          <tr><th scope="row">E-mail address</th><td>${account.email}</td></tr>
          <tr><th scope="row">Plan</th><td>${account.plan}</td></tr>
          <tr><th scope="row">Credits</th><td>${available} available (${balance} in total, ${held} reserved for running work)</td></tr>
          <tr><th scope="row">API key</th><td><code>${keys.live.prefix}…${keys.live.last4}</code></td></tr>
          <tr><th scope="row">Test key</th><td><code>${keys.test.prefix}…${keys.test.last4}</code></td></tr>
        </table>
        <h2>Use the API</h2>
        <p><code>POST /v1/auth/login</code> returns your keys. The <a href="/docs/api">API reference</a> has the details.</p>
        <h2>Connect an agent</h2>
        <p>In Claude, ChatGPT, Cursor or VS Code add a connector with this address, then approve it here:</p>
        <pre tabindex="0"><code>${resourceOf(app)}</code></pre>
        <p><a href="/connected-apps">Connected apps</a></p>
        <form method="post" action="/sign-out"><button class="button quiet">Sign out</button></form>`,
    })
  })
}

const CapForm = z.object({ daily_credit_cap: z.coerce.number().int().min(0).max(DAILY_CREDITS_MAX) })

export function connectedAppsRoutes(app: App, server: Server): void {
  server.get('/connected-apps', async (request, reply) => {
    const account = await getSignedIn(app, request)
    return sendApps(app, reply, account, {})
  })

  server.post('/connected-apps/:id/cap', async (request, reply) => {
    const account = await getSignedIn(app, request)
    const form = CapForm.safeParse(request.body)
    if (!form.success) {
      const problem = `The cap is a whole number from 0 to ${DAILY_CREDITS_MAX}.`
      return sendApps(app, reply, account, { problem, status: 400 })
    }
    const dailyCreditCap = form.data.daily_credit_cap
    const change = { accountId: account.id, id: idIn(request), dailyCreditCap, origin: originOf(request) }
    return answerChange(app, { request, reply, account }, 'The cap is changed.', () => setDailyCap(app, change))
  })

  server.post('/connected-apps/:id/end', async (request, reply) => {
    const account = await getSignedIn(app, request)
    const done = 'The program is disconnected. It has no access any more.'
    return answerChange(app, { request, reply, account }, done, () =>
      endConnection(app, { accountId: account.id, id: idIn(request), origin: originOf(request) }),
    )
  })
}

function idIn(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

async function answerChange(
  app: App,
  { request, reply, account }: { request: FastifyRequest; reply: FastifyReply; account: Account },
  done: string,
  change: () => Promise<void>,
): Promise<FastifyReply> {
  const connections = await listConnections(app, account.id)
  return answerForm(
    async () => {
      assertOwnForm(app, request)
      await change()
      return sendApps(app, reply, account, { done })
    },
    (refusal) => showApps(reply, account, connections, refusal),
  )
}

async function sendApps(app: App, reply: FastifyReply, account: Account, page: Notice): Promise<FastifyReply> {
  return showApps(reply, account, await listConnections(app, account.id), page)
}

function showApps(
  reply: FastifyReply,
  account: Account,
  connections: readonly Connection[],
  page: Notice,
): FastifyReply {
  const empty = html`<p>No program is connected. In Claude, ChatGPT, Cursor or VS Code add a connector with the address of the agent endpoint. You approve it here.</p>`
  return sendPage(reply, {
    title: 'Connected apps',
    status: page.status ?? 200,
    signedInAs: account.email,
    body: html`
      <h1>Connected apps</h1>
      ${notice(page)}
      <p class="soft">Programs that can use this account. A new password disconnects all of them.</p>
      ${connections.length > 0 ? connections.map(showConnection) : empty}`,
  })
}

function showConnection(connection: Connection): Html {
  const { id, clientName, redirectHost, connectedAt, lastUsedAt, dailyCreditCap, creditsToday } = connection
  return html`
    <section class="card">
      <h2>${clientName}</h2>
      <p class="soft">Returns to ${redirectHost}. Connected on ${formatDay(connectedAt)}, ${lastUsedAt ? `last used on ${formatDay(lastUsedAt)}` : 'not used yet'}.</p>
      <p>${creditsToday} of ${dailyCreditCap} credits used today.</p>
      <div class="form-row">
        <form method="post" action="/connected-apps/${id}/cap">
          <label for="cap-${id}">Daily credit cap</label>
          <input id="cap-${id}" name="daily_credit_cap" type="number" inputmode="numeric" min="0" max="${DAILY_CREDITS_MAX}" step="1" value="${dailyCreditCap}" required />
          <button class="button">Change the cap</button>
        </form>
        <form method="post" action="/connected-apps/${id}/end"><button class="button quiet">Disconnect</button></form>
      </div>
    </section>`
}
