import type { App } from '../../../app.ts'
import { type ErrorCode, isRetryable } from '../../../errors.ts'
import { lazy } from '../../../lib/lazy.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { ERRORS } from '../../http/errors.ts'
import { exampleError } from '../../http/examples.ts'
import type { Server } from '../../http/instance.ts'
import { ADVICE } from './error-advice.ts'
import { sendDocs } from './frame.ts'
import { renderMarkdown, slugOfHeading } from './markdown.ts'
import type { DocsGroup } from './pages.ts'
import { listErrors, listSections, readDocument, slugOfSection } from './reference/document.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** A page for each error code: the address in an error's `type`. */
export function errorsRoutes({ config }: App, server: Server, readGroups: () => readonly DocsGroup[]): void {
  const causes = lazy(listCauses)
  server.get('/docs/errors', async (_request, reply) =>
    sendDocs(reply, readGroups(), { title: 'Errors', body: ERROR_LIST }),
  )

  server.get('/docs/errors/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    const known = CODES.find((candidate) => candidate === code)
    const groups = readGroups()
    if (!known) return sendDocs(reply, groups, { status: 404, title: 'No such error', body: NO_SUCH_ERROR })
    return sendDocs(reply, groups, {
      title: ERRORS[known].title,
      body: errorPage(known, exampleError(known, config), causes().get(known) ?? []),
    })
  })
}

/** Lets a narrow screen break a code after an underscore. */
function withBreaks(code: string): Html[] {
  return code.split(/(?<=_)/).map((part) => html`${part}<wbr>`)
}

const ERROR_LIST = html`
  <h1>Errors</h1>
  <p>Every error has the same shape. Branch on <code>code</code>: it never changes its meaning.</p>
  <div class="table" role="group" aria-label="Table" tabindex="0"><table>
    <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
    <tbody>${CODES.map((code) => html`<tr><td>${ERRORS[code].status}</td><td><a href="/docs/errors/${code}"><code>${withBreaks(code)}</code></a></td><td>${ERRORS[code].title}</td></tr>`)}</tbody>
  </table></div>`

const NO_SUCH_ERROR = html`<h1>No such error</h1><p>The <a href="/docs/errors">list of errors</a> has all codes.</p>`

/** An operation that can return an error, with its address in the reference. */
interface Cause {
  name: string
  summary: string
  href: string
}

/** Returns the operations of each error code. */
function listCauses(): Map<string, Cause[]> {
  const causes = new Map<string, Cause[]>()
  for (const section of listSections(readDocument())) {
    for (const { method, path, operation } of section.endpoints.filter((endpoint) => endpoint.path !== null)) {
      const { summary } = operation
      const href = `/docs/${slugOfSection(section)}#${slugOfHeading(summary)}`
      for (const { code } of listErrors(operation)) {
        if (code !== null) causes.set(code, [...(causes.get(code) ?? []), { name: `${method} ${path}`, summary, href }])
      }
    }
  }
  return causes
}

/** More endpoints than this have it in common: then a list says nothing. */
const CAUSES_MAX = 30

function errorPage(code: ErrorCode, body: object, causes: readonly Cause[]) {
  const example = renderMarkdown(`\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``)
  const line = ({ name, summary, href }: Cause) => html`<li><a href="${href}">${summary}</a> <code>${name}</code></li>`
  return html`
    <p class="soft"><a href="/docs/errors">Errors</a></p>
    <h1>${ERRORS[code].title}</h1>
    <p><code>${code}</code> · HTTP ${ERRORS[code].status} · ${isRetryable(code) ? 'worth sending again unchanged' : 'sending it again unchanged does not help'}</p>
    <h2>What to do</h2>
    ${renderMarkdown(ADVICE[code])}
    ${causes.length > CAUSES_MAX && html`<h2>Where it happens</h2><p>${causes.length} endpoints can return it. The <a href="/docs/api">API reference</a> names it at each of them.</p>`}
    ${causes.length > 0 && causes.length <= CAUSES_MAX && html`<h2>Where it happens</h2><ul>${causes.map(line)}</ul>`}
    <h2>An example</h2>
    ${example}`
}
