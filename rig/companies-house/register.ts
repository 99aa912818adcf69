/** The register: every company, and the streams that announce their changes. */
import { type Clock, toLondonDate } from '../../src/lib/clock.ts'
import type { SicTexts } from './bulk-row.ts'
import type { Company } from './company.ts'
import { EventLog, type RegisterEvent, type Retention, STREAM_STARTS, type StreamName } from './event-log.ts'
import type { Faults } from './faults.ts'
import type { FiledForm } from './forms.ts'
import { describeCharges, describeFilings, newestFirst, toFiling, withImage } from './history.ts'
import { Identifiers } from './identifiers.ts'
import { presentStreamedProfile } from './profile.ts'
import {
  type Charge,
  type Filing,
  idOf,
  isExemptions,
  isStatement,
  type NaturalDisqualification,
  type Officer,
  type Psc,
} from './resources.ts'

export interface RegisterOptions {
  clock: Clock
  faults: Faults
  retention: Retention
  /** How long after a filing its document appears, with a second event; null for never. */
  imageDelayMs: number | null
  sicTexts?: SicTexts
}

const PSC_RESOURCE_KINDS: [kindPrefix: string, resourceKind: string][] = [
  ['individual-person', 'company-psc-individual'],
  ['corporate-entity-person', 'company-psc-corporate'],
  ['legal-person-person', 'company-psc-legal'],
  ['super-secure-person', 'company-psc-supersecure'],
]

export class Register {
  readonly clock: Clock
  readonly ids: Identifiers
  readonly sicTexts: SicTexts
  readonly logs: Record<StreamName, EventLog>
  readonly disqualified: NaturalDisqualification[] = []
  readonly #companies = new Map<string, Company>()
  readonly #faults: Faults
  readonly #imageDelayMs: number | null
  readonly #imageTimers = new Set<NodeJS.Timeout>()

  constructor(companies: Iterable<Company>, options: RegisterOptions) {
    this.clock = options.clock
    this.ids = new Identifiers(options.clock.now().toISOString())
    this.sicTexts = options.sicTexts ?? new Map()
    this.#faults = options.faults
    this.#imageDelayMs = options.imageDelayMs
    const logs = Object.entries(STREAM_STARTS).map(([stream, start]) => [stream, new EventLog({ start, ...options })])
    this.logs = Object.fromEntries(logs) as Record<StreamName, EventLog>
    for (const company of companies) this.add(company)
  }

  today(): string {
    return toLondonDate(this.clock.now())
  }

  companies(): IterableIterator<Company> {
    return this.#companies.values()
  }

  find(number: string): Company | null {
    return this.#companies.get(number) ?? null
  }

  add(company: Company): void {
    if (this.#companies.has(company.number)) throw new Error(`company ${company.number} is registered already`)
    company.etag ||= this.ids.etag()
    this.#companies.set(company.number, company)
  }

  /** The company for a change. Its history is written out first, or it would be derived from the changed facts. */
  edit(number: string): Company {
    const company = this.find(number)
    if (!company) throw new Error(`no company has the number ${number}`)
    this.filingsOf(company)
    return company
  }

  filingsOf(company: Company): Filing[] {
    return describeFilings(company, this.today())
  }

  chargesOf(company: Company): Charge[] {
    return describeCharges(company)
  }

  file(company: Company, form: FiledForm): Filing {
    const filing = toFiling(company.number, form, this.ids)
    company.filings = [filing, ...this.filingsOf(company)].sort(newestFirst)
    this.#announceFiling(filing)
    if (this.#imageDelayMs !== null) this.#publishImageLater(company, filing, this.#imageDelayMs)
    return filing
  }

  announceProfile(company: Company): void {
    company.etag = this.ids.etag()
    const { number } = company
    const data = presentStreamedProfile(company, this.today())
    this.emit('companies', { kind: 'company-profile', uri: `/company/${number}`, id: number, data })
  }

  announceOfficer(officer: Officer): void {
    // The stream rarely carries the officer's own link, so no client may count on it.
    const data = { ...officer, links: { self: officer.links.self } }
    this.emit('officers', { kind: 'company-officers', uri: officer.links.self, id: idOf(officer), data })
  }

  announceCharge(charge: Charge): void {
    this.emit('charges', { kind: 'company-charges', uri: charge.links.self, id: idOf(charge), data: charge })
  }

  announceInsolvency(company: Company): void {
    const { number, insolvency: data } = company
    const uri = `/company/${number}/insolvency`
    this.emit('insolvency-cases', { kind: 'company-insolvency', uri, id: number, data })
  }

  /** People, statements and exemptions have a stream each. */
  announcePsc(psc: Psc): void {
    const { stream, ...event } = describePsc(psc)
    this.emit(stream, { ...event, data: psc })
  }

  /** A deletion carries no data. */
  withdrawPsc(psc: Psc): void {
    const { stream, ...event } = describePsc(psc)
    this.emit(stream, { ...event, data: null, isDeletion: true })
  }

  emit(stream: StreamName, event: RegisterEvent): void {
    this.logs[stream].append(event)
    if (this.#faults.stream.strikes('repeat')) this.logs[stream].append(event)
  }

  close(): void {
    for (const timer of this.#imageTimers) clearTimeout(timer)
    this.#imageTimers.clear()
  }

  #announceFiling(filing: Filing, fieldsChanged?: string[]): void {
    this.emit('filings', {
      kind: 'filing-history',
      uri: filing.links.self,
      id: filing.transaction_id,
      data: filing,
      ...(fieldsChanged ? { fieldsChanged } : {}),
    })
  }

  #publishImageLater(company: Company, filing: Filing, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#imageTimers.delete(timer)
      const position = company.filings?.indexOf(filing) ?? -1
      if (position === -1) return
      const complete = withImage(filing)
      company.filings?.splice(position, 1, complete)
      this.#announceFiling(complete, ['links.document_metadata'])
    }, delayMs)
    timer.unref()
    this.#imageTimers.add(timer)
  }
}

/** Returns the stream of a record of owners, and how the stream names it. */
function describePsc(psc: Psc): { stream: StreamName; kind: string; uri: string; id: string } {
  const uri = psc.links.self
  if (isStatement(psc)) {
    return { stream: 'persons-with-significant-control-statements', kind: psc.kind, uri, id: idOf(psc) }
  }
  if (isExemptions(psc)) {
    // The one address without a slash before it, and the company's number as the id.
    const [, , number = ''] = uri.split('/')
    return { stream: 'company-exemptions', kind: 'company-exemptions', uri: uri.slice(1), id: number }
  }
  const kind = PSC_RESOURCE_KINDS.find(([prefix]) => psc.kind.startsWith(prefix))?.[1] ?? psc.kind
  return { stream: 'persons-with-significant-control', kind, uri, id: idOf(psc) }
}
