/**
 * The document host and the storage behind it. The host answers for the key, counts apart from REST and redirects to an
 * address in the storage that is good for a minute; the storage refuses a request that shows a key.
 */
import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DocumentFault, type FaultSwitch, faultAnswer } from './faults.ts'
import { type Answer, authenticate } from './loopback-server.ts'
import { writePdf } from './pdf.ts'
import type { Register } from './register.ts'
import type { Filing } from './resources.ts'
import { RequestLimit, type RestOptions } from './rest-server.ts'
import type { ChannelStats } from './stats.ts'

/** Put the storage into the simulated web under this name. */
export const STORAGE_HOST = 'filed-documents.co.uk'

const ADDRESS_LIFE_MS = 60_000
const ANSWERED: readonly DocumentFault[] = ['answer404', 'answer500', 'answer502', 'answer503', 'answer504']
const FILLING = Buffer.alloc(65_536, 'x')
const KEPT_MAX = 10_000

export class Documents {
  /** Where the host leads instead of to the storage; null for the storage. */
  leadsTo: string | null = null
  /** The headers of every request to the storage, oldest first. */
  readonly storageHeaders: IncomingMessage['headers'][] = []
  readonly #register: Register
  readonly #options: RestOptions
  readonly #limit: RequestLimit
  readonly #faults: FaultSwitch<DocumentFault>
  readonly #stats: ChannelStats

  constructor(
    register: Register,
    options: RestOptions,
    watch: { faults: FaultSwitch<DocumentFault>; stats: ChannelStats },
  ) {
    this.#register = register
    this.#options = options
    this.#limit = new RequestLimit(options.limit, register.clock)
    this.#faults = watch.faults
    this.#stats = watch.stats
  }

  /** The document host. */
  readonly host: Answer = (request, response) => {
    const at = this.#register.clock.now().getTime()
    const key = authenticate(request, response, this.#options.keys)
    const status = key === null ? 401 : this.#answerHost(request, response, key)
    this.#stats.record({ at, key, path: request.url ?? '', status })
  }

  #answerHost(request: IncomingMessage, response: ServerResponse, key: string): number {
    const { isRefused, headers } = this.#limit.take(key, this.#faults.strikes('answer429'), 'Remaining')
    const send = (status: number, more: Record<string, string> = {}, body = '') => {
      response.writeHead(status, { ...headers, ...more, 'Content-Length': Buffer.byteLength(body) }).end(body)
      return status
    }
    if (isRefused) return send(429)
    const trouble = faultAnswer(this.#faults, ANSWERED)
    if (trouble) return send(trouble.status, { 'Content-Type': trouble.contentType }, trouble.body)
    const [, id = '', content] = /^\/document\/([\w-]+)(\/content)?$/.exec(request.url ?? '') ?? []
    const found = this.#find(id)
    if (!found) return send(404)
    if (content === undefined) {
      return send(200, { 'Content-Type': 'application/json' }, JSON.stringify(this.#describe(id, found)))
    }
    if (request.headers.accept !== 'application/pdf') return send(406)
    if (this.#faults.strikes('noLocation')) return send(302)
    return send(302, { Location: this.leadsTo ?? this.#sign(id) })
  }

  /** The storage, at `STORAGE_HOST`. */
  readonly storage = (request: IncomingMessage, response: ServerResponse): void => {
    this.storageHeaders.push(request.headers)
    if (this.storageHeaders.length > KEPT_MAX) this.storageHeaders.shift()
    const refuse = (status: number, code: string) =>
      void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    if (request.headers.authorization !== undefined) return refuse(400, 'InvalidArgument')
    const [, id = ''] = /^\/docs\/([\w-]+)\/application-pdf\?/.exec(request.url ?? '') ?? []
    const found = this.#find(id)
    if (!found || !this.#isSigned(id, request.url ?? '')) return refuse(403, 'AccessDenied')
    this.#sendDocument(response, writePdf(`${found.number} ${found.filing.type} ${found.filing.date}`))
  }

  #sendDocument(response: ServerResponse, pdf: Buffer): void {
    const faults = this.#faults
    const half = pdf.subarray(0, Math.floor(pdf.length / 2))
    if (faults.strikes('storageSilent')) return
    if (faults.strikes('storageHtml')) return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    response.setHeader('content-type', 'application/pdf')
    if (faults.strikes('storageFalsePdf')) return void response.end(PAGE)
    if (faults.strikes('storageEndless')) return writeEndlessly(response, pdf)
    response.setHeader('content-length', pdf.length)
    if (faults.strikes('storageStalls')) return void response.write(half)
    if (faults.strikes('storageBreaks')) return void response.write(half, () => response.destroy())
    response.end(pdf)
  }

  #find(id: string): { number: string; filing: Filing } | null {
    const transactionId = Buffer.from(id, 'base64url').toString()
    for (const { number, filings } of this.#register.companies()) {
      const filing = filings?.find((each) => each.transaction_id === transactionId)
      if (filing) return { number, filing }
    }
    return null
  }

  #describe(id: string, { number, filing }: { number: string; filing: Filing }) {
    const self = `https://document-api.company-information.service.gov.uk/document/${id}`
    return {
      company_number: number,
      barcode: filing.barcode,
      significant_date: null,
      significant_date_type: '',
      category: filing.category,
      pages: filing.pages,
      filename: `${number}_${filing.type.toLowerCase()}_${filing.date}`,
      created_at: `${filing.date}T11:28:02.012299615Z`,
      etag: '',
      links: { self, document: `${self}/content` },
      resources: { 'application/pdf': { content_length: 2_000 } },
    }
  }

  #sign(id: string): string {
    const at = this.#register.clock.now().getTime()
    return `https://${STORAGE_HOST}/docs/${id}/application-pdf?X-Amz-Date=${at}&X-Amz-Signature=${signatureOf(id, at)}`
  }

  #isSigned(id: string, target: string): boolean {
    const query = new URLSearchParams(target.split('?')[1])
    const at = Number(query.get('X-Amz-Date'))
    const isFresh = this.#register.clock.now().getTime() - at <= ADDRESS_LIFE_MS
    return isFresh && query.get('X-Amz-Signature') === signatureOf(id, at)
  }
}

const PAGE = '<html><body><h1>Sorry, there is a problem with the service</h1></body></html>'

function signatureOf(id: string, at: number): string {
  return createHmac('sha256', 'simulated').update(`${id} ${at}`).digest('hex')
}

function writeEndlessly(response: ServerResponse, pdf: Buffer): void {
  response.write(pdf)
  const fill = () => {
    while (!response.destroyed) if (!response.write(FILLING)) return
  }
  response.on('drain', fill)
  fill()
}
