/** The public page that checks evidence, for people without an account: a document, a bundle, or the address on the document. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  BUNDLE_CHARACTERS_MAX,
  type CheckReport,
  PDF_BYTES_MAX,
  sealOf,
} from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { checkSent, findRecordByAddress, type StoredRecord, sealRecord } from '../../evidence/index.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { admitAddress } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'
import { readSentBytes } from './sent-text.ts'
import { showReport, showToday } from './verify-report.ts'

const VERIFY_LIMIT = { name: 'verify', burst: 20, perSecond: 0.5 }
const TITLE = 'Check an evidence record'
const DESCRIPTION =
  'Choose an evidence document or bundle: the page says what is intact, since when, by whom, and what the register says today. No account needed.'
/** A document, or the text of a bundle in a form, which may be twice as long. */
const BODY_BYTES_MAX = Math.max(PDF_BYTES_MAX, 2 * BUNDLE_CHARACTERS_MAX) + 10_000
const ID_MAX = 64

export async function verifyPageRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // A form, its kind with files, or the file itself from a program.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    )

    scope.get('/verify', async (request, reply) => {
      const { id } = request.query as { id?: unknown }
      if (typeof id === 'string' && id.trim() !== '') return sendByAddress(app, request, reply, id.trim())
      const body = html`<div class="stack">${intro()}${form()}</div>`
      return sendPage(reply, { title: TITLE, description: DESCRIPTION, body })
    })

    scope.get('/verify/:id', async (request, reply) =>
      sendByAddress(app, request, reply, (request.params as { id: string }).id),
    )

    // Before the body is read: 12 MB of someone who is over the limit would fill the memory.
    const onRequest = (request: FastifyRequest, reply: FastifyReply) => admitAddress(app, request, reply, VERIFY_LIMIT)
    scope.post('/verify', { bodyLimit: BODY_BYTES_MAX, onRequest }, async (request, reply) => {
      const sent = Buffer.isBuffer(request.body)
        ? readSentBytes(request.body, request.headers['content-type'] ?? '')
        : Buffer.alloc(0)
      const report = await checkSent(app, sent)
      return sendPage(reply, {
        title: TITLE,
        status: report.record ? 200 : 400,
        body: html`<div class="stack"><h1>${TITLE}</h1>${showReport(report)}${await showToday(app, report)}${form()}</div>`,
      })
    })
  })
}

/**
 * Someone who holds a document may know what is on its face: domain, answer, time and seal. Quotes, people, the decision and the
 * account stay out: an address is copied and photographed more easily than a file.
 */
async function sendByAddress(app: App, request: FastifyRequest, reply: FastifyReply, id: string) {
  await admitAddress(app, request, reply, VERIFY_LIMIT)
  void reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex, nofollow')
  const found = id.length > ID_MAX ? null : await findRecordByAddress(app, id)
  const body = found?.state === 'kept' ? await showKept(app, found.record) : html`${MISSING[found?.state ?? 'unknown']}`
  return sendPage(reply, {
    title: TITLE,
    status: found?.state === 'kept' ? 200 : 404,
    body: html`<div class="stack"><h1>${TITLE}</h1>${body}${form()}</div>`,
  })
}

const MISSING = {
  unknown: html`<p class="note bad" role="alert"><strong>We have no record with this address.</strong> Compare it with the one on the document, letter by letter. If it is the same, the document is not ours.</p>`,
  closed: html`<p class="note warn" role="status"><strong>This record is closed.</strong> The account that made it disputed the match and got its credit back.</p>`,
  erased: html`<p class="note warn" role="status"><strong>We made a record with this address, and its account was erased since.</strong> We still have its hash: choose the document below, and it is compared with it.</p>`,
}

async function showKept(app: App, record: StoredRecord): Promise<Html> {
  const report = await checkSent(app, Buffer.from(JSON.stringify(sealRecord(app, record))))
  const seal = sealOf(record.record, record.jws).toString('hex')
  const onFace: CheckReport = {
    ...report,
    steps: report.steps.filter(({ step }) => step !== 'contents'),
    record: report.record && { ...report.record, decision: null },
  }
  return html`${showReport(onFace)}
    ${await showToday(app, onFace)}
    <section class="card"><h2>Compare with your document</h2>
      <p>The seal at its end must be the same:</p>
      <p class="mono small">${seal.match(/.{8}/g)?.join(' ')}</p>
      <p class="soft small">This address shows only what is on the face of the document, and no decision of a person. To see one, and to check the pages and every quote, choose the file itself.</p>
    </section>`
}

const intro = () => html`<h1>${TITLE}</h1>
  <p>An evidence record says what a web site said, which company that proves, and when. Drop the document (PDF) or the bundle (JSON) on the field, or paste the bundle’s text. Nothing of it is stored.</p>`

const form = () => html`<form class="card stack" method="post" action="/verify" enctype="multipart/form-data">
    <label class="drop-field">Drop the document or bundle here, or choose it <input type="file" name="file" accept="application/pdf,.pdf,application/json,.json" /></label>
    <details><summary>Paste the text of a bundle instead</summary><label>Text<br /><textarea name="text" rows="6" spellcheck="false" autocomplete="off"></textarea></label></details>
    <button class="button">Check</button>
    <p class="soft small">The same check runs on your own machine: <a href="/docs/outcomes#check-without-our-programs">how to check without us</a>.</p>
  </form>`
