/**
 * Companies House, simulated over real sockets: the REST API, the streaming API, the documents and the monthly file of one register.
 *
 * It promises the behaviour that integrators met in reality, quirks included: limits, odd paging, empty lists for
 * companies that do not exist, streams that forget, repeat and hang up. Call `changes` to change a
 * company: it shows in all of them at once. Call `faults` to make something fail on the way.
 *
 * It never invents a change by itself, and with the same seed and the same calls it does the same things again.
 */
import { type Clock, systemClock, toLondonDate } from '../../src/lib/clock.ts'
import type { SicTexts } from './bulk-row.ts'
import { type Company, createCompany, type NewCompany } from './company.ts'
import * as companyChanges from './company-changes.ts'
import { Documents } from './documents.ts'
import type { Retention, StreamName } from './event-log.ts'
import { createFaults, type Faults } from './faults.ts'
import { type Answer, listenOnLoopback } from './loopback-server.ts'
import { monthlyDownload } from './monthly-file.ts'
import * as partChanges from './part-changes.ts'
import * as peopleChanges from './people-changes.ts'
import { pscDownload } from './psc-file.ts'
import { Register } from './register.ts'
import { type RestOptions, restApi } from './rest-server.ts'
import { Stats } from './stats.ts'
import { StreamApi, type StreamOptions } from './stream-server.ts'
import { loadWorld } from './world.ts'

export type { NewCompany } from './company.ts'
export { STORAGE_HOST } from './documents.ts'
export type { StreamName } from './event-log.ts'

export const SIMULATED_REST_KEY = 'simulated-rest-key'
export const SIMULATED_STREAM_KEY = 'simulated-stream-key'

export interface CompaniesHouseOptions {
  clock?: Clock
  /** Decides the faults that strike by chance. */
  seed?: number
  rest?: Partial<RestOptions>
  stream?: Partial<StreamOptions>
  /** How much of a stream can be replayed. */
  retention?: Partial<Retention>
  /** How long after a filing its document appears, with a second event; null for never. */
  imageDelayMs?: number | null
}

export interface CompaniesHouseUrls {
  restUrl: string
  documentUrl: string
  streamUrl: string
  bulkUrl: string
}

const REST_DEFAULTS: RestOptions = {
  keys: [SIMULATED_REST_KEY],
  limit: { requests: 600, windowMs: 300_000 },
}

const STREAM_DEFAULTS: StreamOptions = {
  keys: [SIMULATED_STREAM_KEY],
  heartbeatMs: 30_000,
  connectionLifeMs: 86_400_000,
  connectionsPerKeyMax: 2,
}

const RETENTION_DEFAULTS: Retention = { ms: 72 * 3_600_000, eventsMax: 200_000 }

const CHANGES = { ...companyChanges, ...partChanges, ...peopleChanges }

/** The same functions without their first parameter. */
type Changes = {
  [Name in keyof typeof CHANGES]: (typeof CHANGES)[Name] extends (
    register: Register,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

function bindChanges(register: Register): Changes {
  const bound = Object.entries(CHANGES).map(([name, change]) => {
    const call = change as (register: Register, ...rest: unknown[]) => unknown
    return [name, (...rest: unknown[]) => call(register, ...rest)]
  })
  return Object.fromEntries(bound) as Changes
}

export class SimulatedCompaniesHouse {
  readonly changes: Changes
  readonly faults: Faults
  readonly stats = new Stats()
  readonly documents: Documents
  readonly #register: Register
  readonly #rest: Answer
  readonly #streams: StreamApi
  readonly #bulk: Answer
  #servers: { url: string; close(): Promise<void> }[] = []

  private constructor(companies: Company[], sicTexts: SicTexts | null, options: CompaniesHouseOptions) {
    this.faults = createFaults(options.seed ?? 1)
    this.#register = new Register(companies, {
      clock: options.clock ?? systemClock,
      faults: this.faults,
      retention: { ...RETENTION_DEFAULTS, ...options.retention },
      imageDelayMs: options.imageDelayMs === undefined ? 1_000 : options.imageDelayMs,
      ...(sicTexts ? { sicTexts } : {}),
    })
    this.changes = bindChanges(this.#register)
    const watch = <Channel extends 'rest' | 'stream' | 'document'>(channel: Channel) => ({
      faults: this.faults[channel],
      stats: this.stats[channel],
    })
    this.#rest = restApi(this.#register, { ...REST_DEFAULTS, ...options.rest }, watch('rest'))
    this.documents = new Documents(this.#register, { ...REST_DEFAULTS, ...options.rest }, watch('document'))
    this.#streams = new StreamApi(this.#register, { ...STREAM_DEFAULTS, ...options.stream }, watch('stream'))
    const [companiesFile, pscsFile] = [monthlyDownload(this.#register), pscDownload(this.#register)]
    this.#bulk = (request, response) => (/psc/.test(request.url ?? '') ? pscsFile : companiesFile)(request, response)
  }

  /** The register of a world folder. */
  static fromWorld(directory: string, options: CompaniesHouseOptions = {}): SimulatedCompaniesHouse {
    const { companies, sicTexts } = loadWorld(directory, todayOf(options))
    return new SimulatedCompaniesHouse(companies, sicTexts, options)
  }

  /** A register of made-up companies; what they leave unsaid follows by the rules of company law. */
  static fromCompanies(companies: Iterable<NewCompany>, options: CompaniesHouseOptions = {}): SimulatedCompaniesHouse {
    const today = todayOf(options)
    const created = Array.from(companies, (facts) => createCompany(structuredClone(facts), today))
    return new SimulatedCompaniesHouse(created, null, options)
  }

  /** May be called again after `close`, with the ports of before, to end an outage: the register lives on. */
  async listen(
    ports: { rest?: number; stream?: number; bulk?: number; document?: number } = {},
  ): Promise<CompaniesHouseUrls> {
    const [restServer, streamServer, bulkServer, documentServer] = await Promise.all([
      listenOnLoopback(this.#rest, ports.rest ?? 0),
      listenOnLoopback((request, response) => this.#streams.answer(request, response), ports.stream ?? 0),
      listenOnLoopback(this.#bulk, ports.bulk ?? 0),
      listenOnLoopback(this.documents.host, ports.document ?? 0),
    ])
    this.#servers = [restServer, streamServer, bulkServer, documentServer]
    return {
      restUrl: restServer.url,
      documentUrl: documentServer.url,
      streamUrl: streamServer.url,
      bulkUrl: bulkServer.url,
    }
  }

  /** As the register holds it now, for assertions; null when there is none. */
  findCompany(number: string): Readonly<Company> | null {
    return this.#register.find(number)
  }

  companyNumbers(): string[] {
    return Array.from(this.#register.companies(), ({ number }) => number)
  }

  /** The timepoint of a stream's newest event. */
  headOf(stream: StreamName): number {
    return this.#register.logs[stream].head
  }

  /** Makes every timepoint seen so far too old, as three days of silence would. */
  forgetEvents(stream: StreamName): void {
    this.#register.logs[stream].forgetAll()
  }

  async close(): Promise<void> {
    this.#streams.cut()
    this.#register.close()
    await Promise.all(this.#servers.map((server) => server.close()))
    this.#servers = []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

function todayOf({ clock = systemClock }: CompaniesHouseOptions): string {
  return toLondonDate(clock.now())
}
