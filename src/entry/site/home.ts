import { WELCOME_CREDITS } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import type { Server } from '../http/instance.ts'
import { STYLES, sendPage } from './layout.ts'

export function homeRoutes(app: App, server: Server): void {
  const base = app.config.baseUrl.origin

  server.get('/', async (_request, reply) =>
    sendPage(reply, {
      title: 'Which company is behind this domain?',
      body: html`
        <h1>Which UK company is behind this web domain?</h1>
        <p>Nameplate answers with proof: the registered company, the quote from the site and the confidence.</p>
        <p><a class="button" href="/sign-up">Create an account</a></p>
        <p>${WELCOME_CREDITS} free credits are yours once your address is verified. You pay one credit per match. Everything else is free.</p>
        <h2>Or from a terminal</h2>
        <pre tabindex="0"><code>curl ${base}/v1/auth/signup -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"a long pass phrase"}'</code></pre>
        <p>Follow the link in the e-mail. The <a href="/docs">documentation</a> has the next steps.</p>`,
    }),
  )

  server.get('/assets/icon.svg', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(ICON),
  )

  server.get('/assets/site.css', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(STYLES),
  )
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="7" width="28" height="18" rx="4" fill="#14532d"/><path d="M8 20v-8l6 8v-8M19 13h6M19 16h6M19 19h4" fill="none" stroke="#fff" stroke-width="2"/></svg>`
