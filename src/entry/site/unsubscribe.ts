import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import { findSubscriber, unsubscribe } from '../../signals/index.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'

/**
 * The link of every digest. Looking changes nothing, because mail scanners follow links; the button, and a mail
 * program's own (RFC 8058), send a POST to the same address. The token is the whole right, so no CSRF token.
 */
export async function unsubscribeRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope) => {
    // A form, its multipart kind, or nothing: a mail program chooses, and all that counts is in the address.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null))

    scope.get('/unsubscribe', async (request, reply) => {
      const token = tokenOf(request.query)
      return findSubscriber(app, token) === null ? sendRefusal(app, reply) : sendQuestion(reply, token)
    })

    scope.post('/unsubscribe', async (request, reply) =>
      (await unsubscribe(app, tokenOf(request.query), originOf(request)))
        ? sendDone(app, reply)
        : sendRefusal(app, reply),
    )
  })
}

/** Named twice it is a list, which is no token of ours. */
function tokenOf(query: unknown): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

function sendQuestion(reply: FastifyReply, token: string): FastifyReply {
  return sendPage(reply, {
    title: 'Stop the daily digest',
    body: html`
      <form class="narrow card" method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
        <h1>Stop the daily digest?</h1>
        <p>Your account will get no more daily e-mails about the companies it watches. Everything else stays as it is: the watchlist, its signals and your webhooks.</p>
        <button class="button">Stop the digest</button>
      </form>`,
  })
}

function sendDone(app: App, reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'The daily digest is off',
    body: html`
      <div class="card">
        <h1>The daily digest is off</h1>
        <p role="status" class="note good">You will get no more of these e-mails.</p>
        <p>To turn it on again, with your API key:</p>
        ${howToSet(app, true)}
      </div>`,
  })
}

function sendRefusal(app: App, reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'This link is not valid',
    status: 400,
    body: html`
      <div class="card">
        <h1>This link is not valid</h1>
        <p role="alert" class="note bad">Nothing was changed.</p>
        <p>Copy the link whole from the e-mail, or turn the daily digest off with your API key:</p>
        ${howToSet(app, false)}
      </div>`,
  })
}

function howToSet({ config }: App, dailyDigest: boolean) {
  return html`<pre tabindex="0"><code>curl -X PATCH ${config.baseUrl.origin}/v1/account/notifications \\
  -H 'x-api-key: …' \\
  -H 'content-type: application/json' \\
  -d '{"daily_digest":${String(dailyDigest)}}'</code></pre>`
}
