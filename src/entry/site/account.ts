import { describeApiKeys } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { html } from '../../lib/text/html.ts'
import { resourceOf } from '../../oauth/index.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'
import { getSignedIn } from './session.ts'

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
        <form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`,
    })
  })
}
