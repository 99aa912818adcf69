/** The e-mails of one list. Pure: what happened in, subject and both bodies out. */
import { toLondonDate } from '../../lib/clock.ts'
import { colourIn, composeEmail, type EmailContent, type Paragraph } from '../../lib/text/email.ts'
import { html } from '../../lib/text/html.ts'
import { formatDay } from '../../lib/text/wording.ts'
import type { MailedList } from '../lists/list-emails.ts'
import type { Cadence, DigestLines } from './digest.ts'
import { formatCount, formatWarnings, toSections } from './digest-email.ts'

interface ListSignals extends DigestLines {
  list: Pick<MailedList, 'id' | 'name' | 'unsubscribeLink'>
  /** The address of the site. */
  site: URL
}

/** `day` is the London day whose morning it is. */
export function listDigestEmail(digest: ListSignals & { cadence: Cadence; day: string }): EmailContent {
  const { list, cadence, signals, warnings } = digest
  const day = formatDay(digest.day)
  const period = cadence === 'weekly' ? `week to ${day}` : day
  const until = cadence === 'weekly' ? `in the week until 7 o’clock on ${day}` : `until 7 o’clock on ${day}`
  return compose(digest, {
    subject: `${nameIn(list)}, ${period}: ${formatCount(signals, 'signal')}${formatWarnings(signals, warnings)}`,
    opening: `${formatCount(signals, 'new signal')} at the companies on your list “${list.name}”, ${until}.`,
    why: `You get this e-mail because the ${cadence} digest of your list “${list.name}” is on.`,
  })
}

export function instantEmail(email: ListSignals & { resumesAt: string | null }): EmailContent {
  const { list, signals, warnings, resumesAt } = email
  return compose(email, {
    subject: `${nameIn(list)}: ${formatCount(signals, 'new signal')}${formatWarnings(signals, warnings)}`,
    opening: `${formatCount(signals, 'new signal')} at the companies on your list “${list.name}”.`,
    after: resumesAt === null ? undefined : formatPause(resumesAt),
    why: `You get this e-mail because instant e-mails of your list “${list.name}” are on.`,
  })
}

const clockTime = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' })

function formatPause(resumesAt: string): string {
  const at = new Date(resumesAt)
  const when = `${clockTime.format(at)} on ${formatDay(toLondonDate(at))}, London time`
  return `This list has had as many e-mails as we send in an hour. What comes until ${when} is in one e-mail after that.`
}

interface Words {
  subject: string
  opening: string
  after?: string | undefined
  why: string
}

function compose(email: ListSignals, { subject, opening, after, why }: Words): EmailContent {
  const { list, lines, signals, site } = email
  const more = signals - lines.length
  const feed = new URL('/console/signals', site)
  feed.searchParams.set('list', list.id)
  return composeEmail({
    subject,
    paragraphs: [
      opening,
      ...toSections(lines),
      ...(more > 0 ? [`and ${more.toLocaleString('en-GB')} more, which the list’s signals show.`] : []),
      ...(after === undefined ? [] : [after]),
      { link: feed.href, label: 'Open the signals of this list' },
      toFooter(why, list.unsubscribeLink),
    ],
  })
}

/** A header has one line. */
function nameIn({ name }: ListSignals['list']): string {
  return name.replaceAll(/\s+/g, ' ')
}

function toFooter(why: string, link: string): Paragraph {
  return {
    text: `${why} To stop all e-mails of this list, follow this link:\n${link}`,
    markup: html`<p ${colourIn('soft', 'font-size:13px;margin:0')}>${why} <a href="${link}" ${colourIn('soft')}>Stop the e-mails of this list</a></p>`,
  }
}
