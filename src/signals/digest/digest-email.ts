import { colourIn, composeEmail, type EmailContent, type Paragraph } from '../../lib/text/email.ts'
import { html } from '../../lib/text/html.ts'
import { formatDay } from '../../lib/text/wording.ts'
import type { Severity, Signal } from '../signals.ts'

export type DigestLine = Pick<Signal, 'companyNumber' | 'companyName' | 'severity' | 'summary' | 'occurredOn'>

export interface DigestContent {
  /** The London day whose morning it is. */
  day: string
  /** By severity, then company; not always all. */
  lines: readonly DigestLine[]
  /** All of them, and the warnings among all. */
  signals: number
  warnings: number
  site: string
  unsubscribeLink: string
}

const HEADINGS: Record<Severity, string> = {
  warning: 'Warnings',
  notice: 'Worth a look',
  info: 'For your information',
}

/** The daily e-mail. Pure: what happened in, subject and both bodies out. */
export function digestEmail(digest: DigestContent): EmailContent {
  const rest = formatRest(digest)
  return composeEmail({
    subject: toSubject(digest),
    paragraphs: [
      formatOpening(digest),
      ...toSections(digest.lines),
      ...(rest ? [rest] : []),
      { link: digest.site, label: 'Open Nameplate' },
      toFooter(digest),
    ],
  })
}

/** The lines under a heading for each severity, by company. */
export function toSections(lines: readonly DigestLine[]): Paragraph[] {
  return bySeverity(lines).flatMap(({ severity, companies }) => [toHeading(severity), ...companies.map(toParagraph)])
}

function toSubject({ day, signals, warnings }: DigestContent): string {
  return `Your watchlist, ${formatDay(day)}: ${formatCount(signals, 'signal')}${formatWarnings(signals, warnings)}`
}

export function formatWarnings(signals: number, warnings: number): string {
  if (warnings === 0) return ''
  if (warnings === signals) return signals === 1 ? ', a warning' : ', all of them warnings'
  return warnings === 1 ? ', 1 of them a warning' : `, ${warnings} of them warnings`
}

export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`
}

function formatOpening({ day, signals }: DigestContent): string {
  return `${formatCount(signals, 'new signal')} at the companies you watch, until 7 o’clock on ${formatDay(day)}.`
}

/** Returns the sentence on the signals that are not listed; null when all are. */
function formatRest({ lines, signals }: DigestContent): string | null {
  const more = signals - lines.length
  return more > 0 ? `and ${more.toLocaleString('en-GB')} more, which GET /v1/signals lists.` : null
}

const LIST = 'margin:4px 0 0;padding:0 0 0 20px'
const TONES = { warning: 'bad', notice: 'warn', info: 'info' } as const

function toHeading(severity: Severity): Paragraph {
  const words = HEADINGS[severity]
  const style = 'font-size:17px;margin:24px 0 0'
  return { text: words.toUpperCase(), markup: html`<h2 ${colourIn(TONES[severity], style)}>${words}</h2>` }
}

function toParagraph({ name, number, lines }: CompanyLines): Paragraph {
  const items = lines.map(({ summary, occurredOn }) => ({ summary, day: formatDay(occurredOn) }))
  const list = items.map(
    ({ summary, day }) => html`<li>${summary} <span ${colourIn('soft', 'white-space:nowrap')}>${day}</span></li>`,
  )
  return {
    text: [`${name} (${number})`, ...items.map(({ summary, day }) => `- ${summary} (${day})`)].join('\n'),
    markup: html`<p style="margin:14px 0 0"><strong>${name}</strong> <span ${colourIn('soft')}>${number}</span></p><ul style="${LIST}">${list}</ul>`,
  }
}

const WHY = 'You get this e-mail because the daily digest of your Nameplate account is on.'

function toFooter({ unsubscribeLink }: DigestContent): Paragraph {
  return {
    text: `${WHY} To stop it, follow this link:\n${unsubscribeLink}`,
    markup: html`<p ${colourIn('soft', 'font-size:13px;margin:0')}>${WHY} <a href="${unsubscribeLink}" ${colourIn('soft')}>Unsubscribe</a></p>`,
  }
}

interface CompanyLines {
  name: string
  number: string
  lines: DigestLine[]
}

/** Neighbours that belong together. A company that was renamed is listed under each of its names. */
function bySeverity(lines: readonly DigestLine[]): Array<{ severity: Severity; companies: CompanyLines[] }> {
  const groups: Array<{ severity: Severity; companies: CompanyLines[] }> = []
  for (const line of lines) {
    let group = groups.at(-1)
    if (group?.severity !== line.severity) groups.push((group = { severity: line.severity, companies: [] }))
    let company = group.companies.at(-1)
    if (company?.number !== line.companyNumber || company.name !== line.companyName)
      group.companies.push((company = { name: line.companyName, number: line.companyNumber, lines: [] }))
    company.lines.push(line)
  }
  return groups
}
