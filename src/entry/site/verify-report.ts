/** A check of evidence in words: the verdict, each step, and what the register says today. */
import { type CheckReport, describeFiledDecision } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { describeStatus, findCompany, formatAddress } from '../../register/index.ts'

const WORDS = { ok: ['good', 'Holds'], failed: ['bad', 'Fails'], missing: ['neutral', 'Not there'] } as const
const STEP_NAMES = {
  document: 'The document',
  document_time: 'The time of the document',
  attachments: 'What is attached',
  form: 'The record',
  signature: 'Its signature',
  time_stamp: 'Its time',
  contents: 'Its content',
} as const satisfies Record<CheckReport['steps'][number]['step'], string>

export function showReport({ intact, steps, record }: CheckReport): Html {
  const verdict = intact
    ? html`<p class="note good" role="status"><strong>The record is intact.</strong>${record?.mode === 'test' ? ' It is of test mode: no site was read for it.' : ''}</p>`
    : html`<p class="note bad" role="alert"><strong>Do not rely on this record.</strong></p>`
  const about =
    record && intact
      ? html`<p>Who runs <strong>${record.question.domain}</strong>? ${describeAnswer(record.answer)} ${describeFiledDecision(record)}</p>`
      : null
  return html`${verdict}${about}<section class="card"><h2 class="visually-hidden">Steps</h2><ul class="list close">${steps.map(
    ({ step, result, says }) => {
      const [tone, word] = WORDS[result]
      return html`<li class="row check-step"><span class="grow"><strong>${STEP_NAMES[step]}</strong><br /><span class="soft small">${says}</span></span><span class="badge ${tone}">${word}</span></li>`
    },
  )}</ul></section>`
}

type Answer = NonNullable<CheckReport['record']>['answer']

function describeAnswer({ outcome, company_name: name, company_number: number }: Answer): string {
  return name ? `${name}, company number ${number}.` : `No company was named (${outcome.replaceAll('_', ' ')}).`
}

/** The register today, beside what the record says of then. A person's decision goes first. Null where the record names no company. */
export async function showToday(app: App, { intact, record }: CheckReport): Promise<Html | null> {
  if (!intact || !record || record.mode === 'test') return null
  const number = record.decision?.company_number ?? record.answer.company_number
  if (!number) return null
  const company = await findCompany(app.db, number.slice(0, 8))
  if (!company)
    return html`<section class="card"><h2>The register today</h2><p>The register has no company ${number}.</p></section>`
  const isSame = company.name === record.answer.company_name || number !== record.answer.company_number
  return html`<section class="card"><h2>The register today</h2>
    <p>${company.name}, ${company.number}: ${describeStatus(company)}. Registered office: ${formatAddress(company.address) ?? 'not known'}.</p>
    ${isSame ? null : html`<p class="soft small">The record has the name ${record.answer.company_name}.</p>`}</section>`
}
