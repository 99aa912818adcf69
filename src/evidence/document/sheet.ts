/** The two pages of a document as data: every word that is printed, from the record alone, and within bounds. */
import { inWords } from '../../../packages/evidence-check/index.ts'
import { themeOf } from '../../lib/design/palette.ts'
import { splitAtNumber } from '../../lib/text/split-at-number.ts'
import { formatDay, formatPercent } from '../../lib/text/wording.ts'
import { type Cut, clip, cutterOf } from './clip.ts'
import type { FiledRecord } from './filed-record.ts'
import { describeCompany, describePeople } from './register-part.ts'
import type { Room } from './room.ts'

/** Beside the record: how it is sealed, and what the file has in it. */
export interface SheetContext {
  /** The page that checks this very record. */
  address: string
  /** SHA-256 of record and signature. */
  seal: string
  keyId: string
  stamp: 'stamped' | 'pending' | 'off'
  /** A code that a camera reads as the address, as SVG. */
  qr: string
  mark: string
  hasPages: boolean
}

const QUOTE_CHARACTERS_MAX = 420
const REASON_CHARACTERS_MAX = 300
const URL_CHARACTERS_MAX = 110

const ANSWERS = {
  matched: { tone: 'good', headline: 'The site is run by' },
  needs_review: { tone: 'warn', headline: 'Not decided by the rules: a person must look' },
  no_match: { tone: 'soft', headline: 'No UK company is behind the site, as far as it says' },
  non_uk_entity: { tone: 'abroad', headline: 'The site belongs to a company outside the UK register' },
  scrape_failed: { tone: 'bad', headline: 'No answer: the site was not read' },
} as const

const GROUNDS = {
  good: 'good-soft',
  warn: 'warn-soft',
  soft: 'sunken',
  abroad: 'abroad-soft',
  bad: 'bad-soft',
} as const

/** Returns the data of the two pages. The same record and context make the same data. */
export function composeSheet(record: FiledRecord, context: SheetContext, room: Room) {
  const cut = cutterOf(room)
  const domain = cut(record.question.domain, 100)
  return {
    title: `Evidence: who runs ${domain}?`,
    description: `Evidence record ${record.id}`,
    kind: record.mode === 'test' ? 'Evidence record, test mode' : 'Evidence record',
    service: record.made_by.service,
    record_id: record.id,
    mark: context.mark,
    colours: themeOf('light'),
    footer: `Record made on ${inWords(record.made_at)} by ${record.made_by.service}. All times are in UTC.`,
    question: {
      label: 'Question',
      before: 'Which UK registered company runs',
      domain,
      after: '?',
      read: `Site read on ${inWords(record.question.resolved_at)}${record.mode === 'test' ? ' · test mode: no site was read for it' : ''}`,
    },
    answer: composeAnswer(record, cut),
    decision: composeDecision(record, cut),
    ...composeQuotes(record, room),
    checklist_title: 'Checked, point by point',
    checklist: record.checklist.slice(0, room.checks).map(({ met, says }) => ({ met, says: cut(says, 240) })),
    ...composeCandidates(record, room),
    company: describeCompany(record, cut),
    people: describePeople(record, { cut, people: room.people }),
    ...composePages(record, room),
    method_title: 'How it was decided',
    method: describeMethod(record, cut),
    check: composeCheck(record, context),
    breaks: room.breaks,
    unprintable: null as string | null,
    attached: {
      record: `The evidence record ${record.id} with its signature and time stamp`,
      pages: context.hasPages ? 'The pages that the record quotes, as they were received (WARC 1.1)' : null,
    },
  }
}

export type Sheet = ReturnType<typeof composeSheet>

function composeAnswer({ answer, decision }: FiledRecord, cut: Cut) {
  const { tone, headline } = ANSWERS[answer.outcome]
  const name = answer.company_name
  return {
    tone,
    ground: GROUNDS[tone],
    headline: answer.outcome === 'needs_review' && decision ? 'Not decided by the rules; a person decided' : headline,
    name: name && cut(name, 160),
    number: name && `Company number ${answer.company_number}`,
    chance: answer.confidence === null ? null : formatPercent(answer.confidence),
    chance_label: answer.outcome === 'matched' ? 'probability' : 'best candidate',
    reason: cut(answer.reason, REASON_CHARACTERS_MAX),
  }
}

function composeDecision({ decision, register }: FiledRecord, cut: Cut) {
  if (!decision) return null
  const { company } = register
  const who =
    decision.company_number === null
      ? null
      : company?.company_number === decision.company_number
        ? `${company.company_name}, ${decision.company_number}`
        : `company ${decision.company_number}`
  const disputed = decision.disputed_company_number
  const says = who
    ? `It is ${who}.`
    : disputed === null
      ? 'It is none of the candidates.'
      : `It is not company ${disputed}.`
  return {
    title: 'The decision of a person',
    says: cut(says, 240),
    by: `${cut(decision.reviewer, 120)}, ${inWords(decision.decided_at)}`,
    reason: decision.reason === null ? null : cut(decision.reason, REASON_CHARACTERS_MAX),
  }
}

type Quote = FiledRecord['quotes'][number]

function composeQuotes({ quotes, answer, candidates }: FiledRecord, room: Room) {
  // Those that prove come first, and those against the answer last.
  const order = ['decisive', 'strong', 'supporting']
  const rank = ({ strength }: Quote) => (order.indexOf(strength) + order.length + 1) % (order.length + 1)
  const sorted = [...quotes].sort((one, other) => rank(one) - rank(other))
  const names = [answer.company_name, ...candidates.map(({ company_name: name }) => name)]
  const left = quotes.length - room.quotes
  return {
    quotes_title: answer.outcome === 'matched' ? 'The words that prove it' : 'What the site says',
    quotes: sorted.slice(0, room.quotes).map((quote) => composeQuote(quote, { names, room })),
    quotes_more: left > 0 ? `${left} more ${left === 1 ? 'quote is' : 'quotes are'} in the attached record.` : null,
  }
}

function composeQuote(
  { quote, supports, says, url, fetched_at: at }: Quote,
  { names, room }: { names: Array<string | null>; room: Room },
) {
  const cut = cutterOf(room)
  const max = Math.ceil(QUOTE_CHARACTERS_MAX * room.share)
  const [before, mark, after] = splitAtNumber(quote, supports) ?? splitAtName(quote, names) ?? [quote, '', '']
  const left = Math.max(0, max - mark.length)
  const ahead = Math.min(before.length, Math.max(left / 2, left - after.length))
  return {
    says: cut(says, 200),
    before: mark === '' ? clip(before, max) : clipStart(before, ahead),
    mark: clip(mark, 120),
    after: mark === '' ? '' : clip(after, left - ahead),
    url: cut(url, URL_CHARACTERS_MAX),
    at: inWords(at),
  }
}

/** Keeps the end, which is beside the words that prove. */
function clipStart(text: string, max: number): string {
  return text.length <= max ? text : `… ${text.slice(text.length - Math.floor(max)).toWellFormed()}`
}

function splitAtName(quote: string, names: Array<string | null>): [string, string, string] | null {
  for (const name of names) {
    const at = name ? quote.toLowerCase().indexOf(name.toLowerCase()) : -1
    if (name && at >= 0) return [quote.slice(0, at), quote.slice(at, at + name.length), quote.slice(at + name.length)]
  }
  return null
}

function composeCandidates({ answer, candidates }: FiledRecord, room: Room) {
  const cut = cutterOf(room)
  const shown = answer.outcome === 'matched' ? [] : candidates.slice(0, room.candidates)
  return {
    candidates_title: 'Companies that it may be',
    candidates: shown.map(({ company_name: name, company_number: number, confidence, reasons }) => ({
      name: cut(name, 160),
      number,
      chance: formatPercent(confidence),
      reasons: reasons.slice(0, room.reasons).map((reason) => cut(reason, 200)),
    })),
  }
}

function composePages({ pages, crawl }: FiledRecord, room: Room) {
  const cut = cutterOf(room)
  const left = pages.length - room.pages
  const led = crawl.redirected_to ? `The domain led to ${cut(crawl.redirected_to, 100)}. ` : ''
  const none = pages.length === 0 ? `None. ${cut(crawl.reason, REASON_CHARACTERS_MAX)}` : ''
  const rest = left > 0 ? `${left} more ${left === 1 ? 'page is' : 'pages are'} in the attached record. ` : ''
  const kept = pages.length > 0 ? 'The SHA-256 is of the page as the server sent it, without its encodings.' : ''
  return {
    pages_title: 'Pages that were read',
    pages_head: ['Address and SHA-256', 'Status', 'Read at (UTC)'],
    pages: pages.slice(0, room.pages).map(({ url, status, fetched_at: at, sha256 }) => ({
      url: cut(url, URL_CHARACTERS_MAX),
      status: String(status),
      at: `${formatDay(at.slice(0, 10))}, ${at.slice(11, 19)}`,
      hash: sha256.slice(0, 64),
    })),
    pages_note: `${led}${none}${rest}${kept}` || null,
  }
}

function describeMethod({ method, answer }: FiledRecord, cut: Cut): string {
  const reader = method.second_reader
  const second = reader
    ? ` A language model (${cut(reader.model, 80)}) read the same pages; our own code found every word that it quotes on the page. It said: ${cut(reader.reason, 240)}`
    : ''
  const chance =
    answer.confidence === null
      ? ''
      : ' The probability is how often answers like this one were right on sites whose company is known.'
  return `By written rules, weights of ${cut(method.weights_version, 40)}, model ${cut(method.model_version, 40)}.${chance}${second} Every weight is in the attached record.`
}

const STAMPS = {
  stamped: 'A time-stamp authority confirmed the time of the record (RFC 3161).',
  pending: 'The time-stamp authority had not confirmed the record yet when this document was made.',
  off: 'No time-stamp authority was asked, so the time is the word of the service.',
}

function composeCheck(record: FiledRecord, { address, seal, keyId, stamp, qr }: SheetContext) {
  return {
    title: 'How to check this document',
    items: [
      [
        'With a phone.',
        'Scan the code. The page says whether the record is ours and unchanged, and what the register says today.',
      ],
      [
        'With this file.',
        `Drop it on ${new URL('/verify', address).href}, or run: nameplate verify file.pdf. Both check every byte.`,
      ],
      [
        'Without us.',
        'The record is attached as evidence.json and the quoted pages as pages.warc.gz. openssl, pdfsig and any WARC viewer read them.',
      ],
      ['Sealed.', `Signed by the key ${keyId}. ${STAMPS[stamp]}`],
    ],
    seal: `Seal ${seal.match(/.{8}/g)?.join(' ') ?? seal}`,
    qr,
    qr_alt: `A code that leads to ${address}`,
    address,
    address_shown: address,
    record: record.id,
  }
}
