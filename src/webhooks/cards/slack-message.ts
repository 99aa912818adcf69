/** A message of Block Kit for an incoming webhook of Slack. Pure. */
import type { CardSignal } from './card-signal.ts'
import { countSignals, formatDetails, shorten, summarize, TEST_SIGNAL, toLink } from './card-signal.ts'

/** Slack refuses more than 50 blocks, more than 3,000 characters in a text, and more than 150 in a header. */
export const SLACK_SIGNALS_MAX = 20
const HEADER_MAX = 150
const FALLBACK_MAX = 400
// Together with a link and the details less than 3,000, also when every character is escaped.
const NAME_MAX = 700
const SUMMARY_MAX = 1_500

export function formatSlackMessage(signals: readonly CardSignal[], { console }: { console: URL }): string {
  return JSON.stringify({
    // Notifications and screen readers get this instead of the blocks.
    text: escapeSlack(`Nameplate: ${summarize(signals)}`, FALLBACK_MAX),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shorten(countSignals(signals), HEADER_MAX), emoji: false } },
      ...signals
        .slice(0, SLACK_SIGNALS_MAX)
        .map((signal) => ({ type: 'section', text: toText(formatSignal(signal, console)) })),
      { type: 'context', elements: [toText(`<${new URL('signals', console).href}|All signals>`)] },
    ],
  })
}

/** With `verbatim`, Slack makes no links, mentions or channels of its own out of the words. */
function toText(text: string) {
  return { type: 'mrkdwn', verbatim: true, text }
}

function formatSignal(signal: CardSignal, console: URL): string {
  const name = `<${toLink(signal, console)}|${escapeSlack(signal.companyName, NAME_MAX)}>`
  const lines = [`*${name}*`, escapeSlack(signal.summary, SUMMARY_MAX)]
  if (signal !== TEST_SIGNAL) lines.push(formatDetails(signal))
  return lines.filter((line) => line !== '').join('\n')
}

/**
 * Slack reads `<…>` as a link, a mention or a command, and asks for these three to be written so. The marks of bold, italic,
 * struck and code text cannot be escaped; an invisible joiner before each keeps it a plain character.
 */
const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '\u2060*',
  _: '\u2060_',
  '~': '\u2060~',
  '`': '\u2060`',
}

/** Returns at most `max` characters as Slack counts them, and never a part of an escaped one. */
export function escapeSlack(text: string, max: number): string {
  const escaped = Array.from(toOneLine(text), (character) => ESCAPED[character] ?? character)
  const whole = escaped.join('')
  if (whole.length <= max) return whole
  let length = 0
  const fitting = escaped.findIndex((part) => {
    length += part.length
    return length >= max
  })
  return `${escaped.slice(0, fitting).join('')}…`
}

/** A joiner inside of `:name:` keeps it from becoming an emoji. */
function toOneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/:(?=[\w'+-]+:)/g, ':\u2060')
}
