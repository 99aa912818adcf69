import type { VerificationResult } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Server } from '../http/instance.ts'
import { html } from '../lib/html.ts'
import { sendPage } from './layout.ts'

const VERIFICATION: Record<VerificationResult, { tone: 'good' | 'bad'; says: string }> = {
  verified: {
    tone: 'good',
    says: 'Your e-mail address is verified, and your free credits are there. Sign in to get your API key.',
  },
  already_verified: { tone: 'good', says: 'Your e-mail address was verified before. Sign in to go on.' },
  expired: {
    tone: 'bad',
    says: 'This verification link has expired. Sign up again with the same address and a new one is sent.',
  },
  invalid: {
    tone: 'bad',
    says: 'This verification link is not valid. Copy it whole from the e-mail, or sign up again for a new one.',
  },
}

export function signInDoor(app: App, server: Server): void {
  server.get('/sign-in', async (request, reply) => {
    const { verification } = request.query as { verification?: string }
    const result = Object.entries(VERIFICATION).find(([name]) => name === verification)?.[1]
    return sendPage(reply, {
      title: 'Sign in',
      body: html`
        <div class="narrow card">
          <h1>Sign in</h1>
          ${result && html`<p role="status" class="${result.tone}">${result.says}</p>`}
          <p>Signing in over the API answers a session token and your API keys:</p>
          <pre><code>curl ${app.config.baseUrl.origin}/v1/auth/login \\
  -H 'content-type: application/json' \\
  -d '{"email":"…","password":"…"}'</code></pre>
          <p class="soft"><a href="/forgot-password">Forgot the password?</a></p>
        </div>`,
    })
  })
}
