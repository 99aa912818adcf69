import type { FastifyReply } from 'fastify'
import { html } from '../../lib/text/html.ts'
import { sendPage } from './layout.ts'

const WRONG_ADDRESS = 'The address may have a mistake in it, or the page was removed.'

/** The page for an address that leads nowhere. */
export function sendMissingPage(reply: FastifyReply, reason = WRONG_ADDRESS): FastifyReply {
  return sendPage(reply, {
    title: 'Page not found',
    status: 404,
    body: html`<div class="narrow card">
      <h1>There is no such page</h1>
      <p>${reason}</p>
      <ul>
        <li><a href="/">What Nameplate does</a></li>
        <li><a href="/docs">Documentation</a>, with a search</li>
        <li><a href="/console">Your console</a></li>
        <li><a href="/status">Is the service well?</a></li>
      </ul>
    </div>`,
  })
}
