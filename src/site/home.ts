import { WELCOME_CREDITS } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Server } from '../http/instance.ts'
import { html } from '../lib/html.ts'
import { STYLES, sendPage } from './layout.ts'

export function homeDoor(app: App, server: Server): void {
  const base = app.config.baseUrl.origin

  server.get('/', async (_request, reply) =>
    sendPage(reply, {
      title: 'Which company is behind this domain?',
      body: html`
        <h1>Which UK company is behind this web domain?</h1>
        <p>Nameplate answers with proof: the registered company, the words on the site that show it, and how sure it is.</p>
        <p><a class="button" href="/sign-up">Create an account</a></p>
        <p>${WELCOME_CREDITS} free credits are yours once your address is verified. A credit pays one matched answer; nothing else costs anything.</p>
        <h2>Or from a terminal</h2>
        <pre tabindex="0"><code>curl ${base}/v1/auth/signup -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"a long pass phrase"}'</code></pre>
        <p>Follow the link in the e-mail. The <a href="/docs">documentation</a> goes on from there.</p>`,
    }),
  )

  server.get('/assets/site.css', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(STYLES),
  )
}
