/**
 * An Adaptive Card in the message that workflows of Teams take. Pure. All words of ours and of the register are text runs, which
 * Teams shows as they are: a text block would read them as Markdown.
 */
import { type CardSignal, countSignals, formatDetails, shorten, summarize, TEST_SIGNAL, toLink } from './card-signal.ts'

/** Teams refuses messages of more than 28 kB. */
export const TEAMS_BYTES_MAX = 27_000
export const TEAMS_SIGNALS_MAX = 20
const FALLBACK_MAX = 400
const NAME_MAX = 160
const SUMMARY_MAX = 1_000

export function formatTeamsMessage(signals: readonly CardSignal[], { console }: { console: URL }): string {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    // Notifications and screen readers get this where the card cannot be shown.
    fallbackText: shorten(`Nameplate: ${summarize(signals)}`, FALLBACK_MAX),
    body: [
      toLine([{ type: 'TextRun', text: countSignals(signals), weight: 'Bolder', size: 'Medium' }]),
      ...signals.slice(0, TEAMS_SIGNALS_MAX).flatMap((signal) => toBlocks(signal, console)),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'All signals', url: new URL('signals', console).href }],
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return JSON.stringify({ type: 'message', attachments: [attachment] })
}

function toBlocks(signal: CardSignal, console: URL): object[] {
  const open = { type: 'Action.OpenUrl', url: toLink(signal, console) }
  const name = { type: 'TextRun', text: shorten(signal.companyName, NAME_MAX), weight: 'Bolder', selectAction: open }
  const details = { type: 'TextRun', text: formatDetails(signal), isSubtle: true, size: 'Small' }
  return [
    { ...toLine([name]), spacing: 'Medium', separator: true },
    ...(signal.summary === '' ? [] : [toLine([{ type: 'TextRun', text: shorten(signal.summary, SUMMARY_MAX) }])]),
    ...(signal === TEST_SIGNAL ? [] : [toLine([details])]),
  ]
}

function toLine(inlines: object[]) {
  return { type: 'RichTextBlock', spacing: 'None', inlines }
}
