/**
 * A filed document, fetched from the register when someone asks for it and passed on as it comes. Nothing of it is stored.
 * The register names a short-lived address in its storage; it is fetched at once, by the guarded client, without the key.
 */
import { Readable } from 'node:stream'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { Aborted, orAborted } from '../../lib/limits/deadline.ts'
import { type LooseRecord, toInteger, toRecord, toText } from '../../lib/text/loose-json.ts'
import { GuardError, type OpenAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import { type Filing, findDocument } from '../details/part-items.ts'
import { findDocumentClient, type Missing, type RegisterApp, type RestAnswer } from '../details/rest-client.ts'

export type DocumentResult = OpenedDocument | DocumentElsewhere

export interface OpenedDocument {
  kind: 'opened'
  /** Such as `01234567-CS01-2026-06-05.pdf`. */
  fileName: string
  /** Null where the storage does not say. */
  bytes: number | null
  /** Ends with an error when the document is too large, comes too slowly or breaks off. */
  body: Readable
}

/** We cannot send it; a person finds it at this address of the register's own site. */
export interface DocumentElsewhere {
  kind: 'elsewhere'
  url: string
  why: 'not_configured' | 'unavailable' | 'no_pdf'
  retryAfterSeconds: number
}

type DocumentApp = RegisterApp & Pick<App, 'web'>

export interface WantedDocument {
  companyNumber: string
  /** Undefined where the company has no such filing. */
  filing: Filing | undefined
  accountId: string
}

/** The bounds of one document. */
export interface DocumentLimits {
  bytesMax: number
  /** Until the storage has begun to send. */
  beginMs: number
  /** Until the last byte. */
  totalMs: number
}

const LIMITS: DocumentLimits = { bytesMax: 50 * 1024 * 1024, beginMs: 15_000, totalMs: 120_000 }
/** For both requests to the document host. */
const ASK_WAIT_MS = 10_000
const RETRY_SECONDS = 10
/** An operator's setting does not change within minutes. */
const NOT_CONFIGURED_RETRY_SECONDS = 3_600
const HTTPS = { schemes: ['https'], ports: [443] }
const LENGTH_MAX = Number.MAX_SAFE_INTEGER

/** Throws `not_found` when the company has no such filing, or the register has not published its document. */
export async function openDocument(
  app: DocumentApp,
  wanted: WantedDocument,
  limits: DocumentLimits = LIMITS,
): Promise<DocumentResult> {
  const { companyNumber, filing } = wanted
  if (!filing) {
    throw new DomainError(
      'not_found',
      `Company ${companyNumber} has no such filing. Take transaction_id from the filings of its profile.`,
    )
  }
  const publicUrl = findDocument(filing.source, companyNumber)
  const id = findDocumentId(filing.source, app.config.register.documentUrl)
  if (publicUrl === null || id === null) throw notPublished()
  const elsewhere = (why: DocumentElsewhere['why'], retryAfterSeconds: number): DocumentElsewhere => {
    return { kind: 'elsewhere', url: publicUrl, why, retryAfterSeconds }
  }
  const client = findDocumentClient(app)
  if (!client) return elsewhere('not_configured', NOT_CONFIGURED_RETRY_SECONDS)
  const lease = client.openLease({ priority: 'user', maxWaitMs: ASK_WAIT_MS, accountId: wanted.accountId })
  await lease.fill(2)
  const busy = (missing: Missing) => elsewhere('unavailable', secondsUntil(missing, app))
  const facts = getPublished(await client.fetchDocumentFacts(id, lease))
  if (facts.kind === 'missing') return busy(facts)
  if (!isSendable(toRecord(facts.value), companyNumber, limits))
    return elsewhere('no_pdf', NOT_CONFIGURED_RETRY_SECONDS)
  const address = getPublished(await client.fetchDocumentAddress(id, lease))
  if (address.kind === 'missing') return busy(address)
  const pdf = await openPdf(app, address.value, limits)
  if (!pdf) return elsewhere('unavailable', RETRY_SECONDS)
  return { kind: 'opened', fileName: nameFile(companyNumber, filing), ...pdf }
}

/** Returns what the register answered; throws when it has no such document. */
function getPublished<Value>(answer: RestAnswer<Value>): Exclude<RestAnswer<Value>, { kind: 'absent' }> {
  if (answer.kind === 'absent') throw notPublished()
  return answer
}

function notPublished(): DomainError {
  return new DomainError(
    'not_found',
    'The register has not published this document yet: recent filings take up to 5 days. Try again later.',
  )
}

function secondsUntil({ retryAt }: Missing, { clock }: DocumentApp): number {
  const waitMs = retryAt === null ? 0 : retryAt.getTime() - clock.now().getTime()
  return waitMs > 0 ? Math.ceil(waitMs / 1_000) : RETRY_SECONDS
}

/** The register's own names for its document host: links in its data use one or the other. */
const LINK_HOSTS = /^(?:document-api|frontend-doc-api)\.(?:company-information\.service|companieshouse)\.gov\.uk$/
const DOCUMENT_PATH = /^\/document\/([A-Za-z0-9_-]{1,128})$/

/**
 * Returns the document's id, which is another than the filing's. Only the id is used: whatever host a link names, the
 * configured one is asked.
 */
export function findDocumentId(source: LooseRecord, documentUrl: URL): string | null {
  const link = toText(toRecord(source['links'])['document_metadata'])
  const url = link === null ? null : URL.parse(link, documentUrl.href)
  if (!url || url.username !== '' || url.password !== '' || url.search !== '') return null
  const isRegisters = url.origin === documentUrl.origin || (url.protocol === 'https:' && LINK_HOSTS.test(url.host))
  return isRegisters ? (DOCUMENT_PATH.exec(url.pathname)?.[1] ?? null) : null
}

/** Whether the register has it as a PDF that is not too large, and under this company. */
function isSendable(facts: LooseRecord, companyNumber: string, { bytesMax }: DocumentLimits): boolean {
  const number = toText(facts['company_number'])
  const pdf = toRecord(facts['resources'])['application/pdf']
  const length = toInteger(toRecord(pdf)['content_length'], { max: LENGTH_MAX }) ?? 0
  return pdf !== undefined && length <= bytesMax && (number === null || number === companyNumber)
}

/** Returns null when the storage sends anything but a PDF. */
async function openPdf(
  app: DocumentApp,
  address: string,
  limits: DocumentLimits,
): Promise<Pick<OpenedDocument, 'bytes' | 'body'> | null> {
  const session = app.web.openSession()
  try {
    assertStorage(address, app.config.register.documentStorage)
    const begun = await orAborted(beginPdf(session, address, limits), AbortSignal.timeout(limits.beginMs))
    return { bytes: begun.bytes, body: toStream(begun, session) }
  } catch (error) {
    await session.close()
    if (!(error instanceof GuardError || error instanceof NoPdf || error instanceof Aborted)) throw error
    // The address itself stays out of the log: for a minute, it opens the document to anyone.
    app.log.warn({ event: 'register.document_failed', reason: error.message })
    return null
  }
}

/** The storage sent something else than the document. */
class NoPdf extends Error {}

interface BegunPdf {
  bytes: number | null
  first: Buffer
  rest: AsyncGenerator<Buffer>
}

async function beginPdf(session: WebSession, address: string, limits: DocumentLimits): Promise<BegunPdf> {
  const answer = await session.open(address, {
    ...HTTPS,
    headers: { accept: 'application/pdf' },
    timeoutMs: limits.totalMs,
    bodyBytesMax: limits.bytesMax,
  })
  return { bytes: readLength(answer, limits), first: await readFirst(answer), rest: answer.body }
}

function assertStorage(address: string, domains: readonly string[]): void {
  const host = URL.parse(address)?.hostname ?? ''
  const isKnown = domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
  if (!isKnown) throw new NoPdf('the register leads to a host outside REGISTER_DOCUMENT_STORAGE')
}

/** Throws unless the headers announce a PDF of a good size. */
function readLength({ status, headers }: OpenAnswer, { bytesMax }: DocumentLimits): number | null {
  const type = headers['content-type'] ?? ''
  if (status !== 200) throw new NoPdf(`the storage answered ${status}`)
  if (!/^application\/pdf\s*(?:;|$)/i.test(type)) throw new NoPdf('the storage sent another type than PDF')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new NoPdf('the storage sent an encoded body')
  const length = /^\d{1,15}$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : null
  if (length !== null && length > bytesMax) throw new NoPdf('the document is too large')
  return length
}

/** A PDF begins with these bytes; readers allow for some others before them. */
const MARK = '%PDF-'
const MARK_WITHIN = 1_024

/** Reads until the mark has come. Throws when it does not. */
async function readFirst({ body }: OpenAnswer): Promise<Buffer> {
  let first = Buffer.alloc(0)
  while (first.length < MARK_WITHIN) {
    const next = await body.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
    if (first.subarray(0, MARK_WITHIN).includes(MARK)) return first
  }
  throw new NoPdf('the storage sent no PDF')
}

/** Ends the connection to the storage as soon as its reader leaves, also while nothing comes. */
function toStream({ first, rest }: BegunPdf, session: WebSession): Readable {
  let begin: Buffer | null = first
  const readNext = async () => {
    const next = begin ? { value: begin, done: false } : await rest.next()
    begin = null
    return next.done ? null : next.value
  }
  return new Readable({
    read() {
      readNext().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      )
    },
    destroy: (error, done) => void endSession(session, () => done(error)),
  })
}

async function endSession(session: WebSession, done: () => void): Promise<void> {
  await session.close()
  done()
}

function nameFile(companyNumber: string, { type, date }: Filing): string {
  const form = type?.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || null
  return `${[companyNumber, form, date].filter((part) => part !== null).join('-')}.pdf`
}
