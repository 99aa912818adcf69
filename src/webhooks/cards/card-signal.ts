/** The words of a signal that messages for people have, read from the body of its event. */

export interface CardSignal {
  companyNumber: string
  companyName: string
  severity: 'info' | 'notice' | 'warning'
  summary: string
  /** As `2026-11-15`; empty where the day is not known. */
  occurredOn: string
}

/** A colour for those who see it, and the word for all. */
export const SEVERITY_WORDS: Record<CardSignal['severity'], string> = {
  warning: '🔴 Warning',
  notice: '🟠 Notice',
  info: '🔵 Info',
}

/** Returns null for a body that is not that of a signal, such as a test event. */
export function readCardSignal(body: string): CardSignal | null {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  const read = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const severity = read('severity')
  if (severity !== 'info' && severity !== 'notice' && severity !== 'warning') return null
  const companyNumber = read('company_number')
  return {
    companyNumber,
    companyName: read('company_name').trim() || companyNumber,
    severity,
    summary: read('summary'),
    occurredOn: read('occurred_on'),
  }
}

/** The message that shows that a destination works. */
export const TEST_SIGNAL: CardSignal = {
  companyNumber: '',
  companyName: 'This is a test',
  severity: 'info',
  summary: 'Signals of the companies you watch will appear here.',
  occurredOn: '',
}

export function countSignals(signals: readonly CardSignal[]): string {
  if (signals.length === 1 && signals[0] === TEST_SIGNAL) return 'Nameplate is connected'
  const warnings = signals.filter(({ severity }) => severity === 'warning').length
  const count = signals.length === 1 ? '1 new signal' : `${signals.length} new signals`
  if (warnings === 0) return count
  if (signals.length === 1) return '1 new warning'
  return `${count}, ${warnings} of them ${warnings === 1 ? 'a warning' : 'warnings'}`
}

/** The one line that a notification or a screen reader has room for: one signal whole, or the names of several companies. */
export function summarize(signals: readonly CardSignal[]): string {
  const [first] = signals
  if (!first || first === TEST_SIGNAL) return countSignals(signals)
  if (signals.length === 1) return `${countSignals(signals)}: ${first.companyName}. ${first.summary}`
  const names = [...new Set(signals.map(({ companyName }) => companyName))]
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
  return `${countSignals(signals)}: ${names.slice(0, NAMES_MAX).join(', ')}${more}`
}

const NAMES_MAX = 3

/** The screen of the console that the name of the company leads to. */
export function toLink({ companyNumber }: CardSignal, console: URL): string {
  const path = companyNumber === '' ? 'webhooks' : `companies/${encodeURIComponent(companyNumber)}`
  return new URL(path, console).href
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

export function formatDetails({ severity, companyNumber, occurredOn }: CardSignal): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(occurredOn) ? DAY.format(new Date(occurredOn)) : ''
  return [SEVERITY_WORDS[severity], companyNumber, day].filter((word) => word !== '').join(' · ')
}

/** Cuts by characters and not inside of one. */
export function shorten(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
