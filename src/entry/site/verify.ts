/** The public page that checks a sealed evidence bundle, for people without an account. */
import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import {
  BUNDLE_CHARACTERS_MAX,
  type CheckReport,
  checkBundle,
  parsePublishedKeys,
  readPublishedKeys,
} from '../../evidence/index.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { describeStatus, findCompany, formatAddress } from '../../register/index.ts'
import { admitAddress } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'
import { readSentText } from './sent-text.ts'

const VERIFY_LIMIT = { name: 'verify', burst: 20, perSecond: 0.5 }
const TITLE = 'Check an evidence record'
const DESCRIPTION =
  'Choose a sealed evidence bundle: the page says what is intact, since when, by whom, and what the register says today. No account needed.'

export async function verifyPageRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // A form, its kind with files, or the bundle itself from a program.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: 2 * BUNDLE_CHARACTERS_MAX },
      (_request, body, done) => done(null, body),
    )

    scope.get('/verify', async (_request, reply) =>
      sendPage(reply, {
        title: TITLE,
        description: DESCRIPTION,
        body: html`<div class="stack">${intro()}${form()}</div>`,
      }),
    )

    scope.post('/verify', { bodyLimit: 2 * BUNDLE_CHARACTERS_MAX }, async (request, reply) => {
      await admitAddress(app, request, reply, VERIFY_LIMIT)
      const report = checkBundle(readText(request), parsePublishedKeys(await readPublishedKeys(app)))
      return sendPage(reply, {
        title: TITLE,
        status: report.record ? 200 : 400,
        body: html`<div class="stack"><h1>${TITLE}</h1>${show(report)}${await today(app, report)}${form()}</div>`,
      })
    })
  })
}

function readText(request: FastifyRequest): string {
  const body = request.body
  return Buffer.isBuffer(body) ? readSentText(body, request.headers['content-type'] ?? '') : ''
}

const intro = () => html`<h1>${TITLE}</h1>
  <p>An evidence record is one file: what a web site said, which company that proves, and when. Choose the file, or paste it. Nothing of it is stored.</p>`

const form = () => html`<form class="card stack" method="post" action="/verify" enctype="multipart/form-data">
    <label>File<br /><input type="file" name="file" accept="application/json,.json" /></label>
    <label>Or its text<br /><textarea name="text" rows="6" spellcheck="false" autocomplete="off"></textarea></label>
    <button class="button">Check</button>
    <p class="soft small">The same check runs on your own machine: <a href="/docs/evidence-records">how to check without us</a>.</p>
  </form>`

const WORDS = { ok: ['good', 'Holds'], failed: ['bad', 'Fails'], missing: ['neutral', 'Not there'] } as const
const STEP_NAMES = {
  form: 'The file',
  signature: 'The signature',
  time_stamp: 'The time',
  log: 'The public log',
  contents: 'The content',
} as const

function show({ intact, steps, record }: CheckReport): Html {
  const verdict = intact
    ? html`<p class="note good" role="status"><strong>The record is intact.</strong>${record?.mode === 'test' ? ' It is of test mode: no site was read for it.' : ''}</p>`
    : html`<p class="note bad" role="alert"><strong>Do not rely on this record.</strong></p>`
  const about =
    record && intact
      ? html`<p>Who runs <strong>${record.question.domain}</strong>? ${describeAnswer(record.answer)}</p>`
      : null
  return html`${verdict}${about}<section class="card"><h2 class="visually-hidden">Steps</h2><ul class="list close">${steps.map(
    ({ step, result, says }) => {
      const [tone, word] = WORDS[result]
      return html`<li class="row"><span class="grow"><strong>${STEP_NAMES[step]}</strong><br /><span class="soft small">${says}</span></span><span class="badge ${tone}">${word}</span></li>`
    },
  )}</ul></section>`
}

type Answer = NonNullable<CheckReport['record']>['answer']

function describeAnswer({ outcome, company_name: name, company_number: number }: Answer): string {
  return name ? `${name}, company number ${number}.` : `No company was named (${outcome.replaceAll('_', ' ')}).`
}

/** The register today, beside what the record says of then. */
async function today(app: App, { intact, record }: CheckReport): Promise<Html | null> {
  const number = record?.answer.company_number
  if (!intact || !number || record.mode === 'test') return null
  const company = await findCompany(app.db, number.slice(0, 8))
  const says = company
    ? html`<p>${company.name}, ${company.number}: ${describeStatus(company)}. Registered office: ${formatAddress(company.address) ?? 'not known'}.</p>`
    : html`<p>The register has no company ${number}.</p>`
  return html`<section class="card"><h2>The register today</h2>${says}</section>`
}
