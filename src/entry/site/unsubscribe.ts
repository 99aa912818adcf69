import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import { findListName, findListSubscriber, findSubscriber, unsubscribe, unsubscribeList } from '../../signals/index.ts'
import { originOf } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'

/**
 * The link of every digest and of every e-mail of a list. Looking changes nothing, because mail scanners follow links; the
 * button, and a mail program's own (RFC 8058), send a POST to the same address. The token is the whole right, so no CSRF token.
 */
export async function unsubscribeRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope) => {
    // A form, its multipart kind, or nothing: a mail program chooses, and all that counts is in the address.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null))

    scope.get('/unsubscribe', async (request, reply) => {
      const token = tokenOf(request.query)
      if (findSubscriber(app, token) !== null) return sendQuestion(reply, token)
      const list = findListSubscriber(app, token)
      return list === null ? sendRefusal(app, reply) : sendListQuestion(reply, token, await findListName(app.db, list))
    })

    scope.post('/unsubscribe', async (request, reply) => {
      const [token, origin] = [tokenOf(request.query), originOf(request)]
      if (await unsubscribe(app, token, origin)) return sendDone(app, reply)
      return (await unsubscribeList(app, token, origin)) ? sendListDone(app, reply) : sendRefusal(app, reply)
    })
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

/** A list that was deleted sends nothing any more, and the button says so. */
function sendListQuestion(reply: FastifyReply, token: string, name: string | null): FastifyReply {
  return sendPage(reply, {
    title: 'Stop the e-mails of a list',
    body: html`
      <form class="narrow card" method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
        <h1>Stop the e-mails of ${name === null ? 'this list' : `“${name}”`}?</h1>
        <p>Your account will get no more digests and no more instant e-mails of this list. Everything else stays as it is: the list, its signals, your webhooks and the e-mails of other lists.</p>
        <button class="button">Stop these e-mails</button>
      </form>`,
  })
}

function sendListDone({ config }: App, reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'The e-mails of this list are off',
    body: html`
      <div class="card">
        <h1>The e-mails of this list are off</h1>
        <p role="status" class="note good">You will get no more of these e-mails.</p>
        <p>To turn them on again, choose the list in your <a href="${new URL('/console/watchlist', config.siteUrl).href}">watchlist</a>, under “E-mails of this list”.</p>
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
