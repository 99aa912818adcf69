import { type ErrorCode, isRetryable } from '../../../errors.ts'
import { html } from '../../../lib/text/html.ts'
import { ERRORS } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { ADVICE } from './error-advice.ts'
import { sendDocs } from './frame.ts'
import type { DocsGroup } from './pages.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** A page for each error code: the address in an error's `type`. */
export function errorsRoutes(server: Server, groups: readonly DocsGroup[]): void {
  server.get('/docs/errors', async (_request, reply) => sendDocs(reply, groups, { title: 'Errors', body: ERROR_LIST }))

  server.get('/docs/errors/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    const known = CODES.find((candidate) => candidate === code)
    if (!known) return sendDocs(reply, groups, { status: 404, title: 'No such error', body: NO_SUCH_ERROR })
    return sendDocs(reply, groups, { title: ERRORS[known].title, body: errorPage(known) })
  })
}

const ERROR_LIST = html`
  <h1>Errors</h1>
  <p>Every error has the same shape. Branch on <code>code</code>: it never changes its meaning.</p>
  <div class="table" role="group" aria-label="Table" tabindex="0"><table>
    <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
    <tbody>${CODES.map((code) => html`<tr><td>${ERRORS[code].status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${ERRORS[code].title}</td></tr>`)}</tbody>
  </table></div>`

const NO_SUCH_ERROR = html`<h1>No such error</h1><p>The <a href="/docs/errors">list of errors</a> has all codes.</p>`

function errorPage(code: ErrorCode) {
  return html`
    <p class="soft"><a href="/docs/errors">Errors</a></p>
    <h1>${ERRORS[code].title}</h1>
    <p><code>${code}</code> · HTTP ${ERRORS[code].status} · ${isRetryable(code) ? 'worth sending again unchanged' : 'sending it again unchanged does not help'}</p>
    <h2>What to do</h2>
    <p>${ADVICE[code]}</p>`
}
