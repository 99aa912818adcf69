import { readFile } from 'node:fs/promises'
import type { CryptoKey } from 'jose'
import type { Config } from './config.ts'
import type { BlobStore } from './lib/blobs/blob-store.ts'
import { FolderStore } from './lib/blobs/folder-store.ts'
import { ObjectStore } from './lib/blobs/object-store.ts'
import { ChatModel } from './lib/chat-model.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { Batcher } from './lib/db/batcher.ts'
import { Database } from './lib/db/db.ts'
import type { IsolatedThreads } from './lib/isolated-threads.ts'
import { JobEngine } from './lib/jobs/jobs.ts'
import { LeasedLimiter } from './lib/limits/leased-limiter.ts'
import { Semaphore } from './lib/limits/semaphore.ts'
import { createLog, type Log } from './lib/log.ts'
import { LongPoll } from './lib/long-poll.ts'
import { LoopLag } from './lib/loop-lag.ts'
import { createMailer, type Mailer } from './lib/mail.ts'
import { createSecrets, type Secrets } from './lib/secrets.ts'
import { GuardedClient } from './lib/web/guarded-client.ts'
import { Pace } from './lib/web/pace.ts'
import { SharedSessions } from './lib/web/shared-sessions.ts'
import { VERSION } from './version.ts'

/** The foundations of the service, built once here and passed as an argument. It contains no feature. */
export interface App {
  config: Config
  db: Database
  jobs: JobEngine
  mailer: Mailer
  secrets: Secrets
  limiter: LeasedLimiter
  /** Requests that come at the same time have their keys looked up together: the hashes of each key, its row or null. */
  keyLookups: Batcher<readonly Buffer[], object | null>
  /** Each hash takes 19 MiB and a core: without a bound, a flood of logins would take the machine. */
  passwordSlots: Semaphore
  /** A key never changes under its id, so processes need not agree; a short life bounds how long a deleted one verifies. */
  verifyKeys: Map<string, { key: CryptoKey; readUntilMs: number }>
  /** The last change under way of each watchlist; the next one waits for it. */
  watchlistChanges: Map<string, Promise<unknown>>
  /** This process's knowledge of the register's request budget. It saves queries; the database decides. */
  registerBudget: KnownBudget
  /** The same of the register's document host, which counts apart. */
  documentBudget: KnownBudget
  /** The requests to the register under way, by company and parts: readers of the same ones share them. */
  registerFetches: Map<string, Promise<unknown>>
  /** The only way to addresses that others name. */
  web: GuardedClient
  /** How fast all processes together send to one host. */
  pace: Pace
  /** They parse what sites send. */
  readerThreads: IsolatedThreads
  /** They set evidence documents, whose words come from sites. */
  typesetters: IsolatedThreads
  /** A timeout while this process stalls is not the fault of a site. */
  loopLag: LoopLag
  /** Rows of accepted webhook deliveries, to be written together; the result says whether the destination was still leased. */
  acceptedDeliveries: Batcher<{ destination_id: number }, boolean>
  /** Statements of jobs that send webhooks, to be sent together: leases of destinations, looks for what is due, releases. */
  webhookBatches: {
    leases: Batcher<{ destinationId: number; jobId: string; attempt: number }, object | 'locked' | null>
    looks: Batcher<{ destination_id: number; except: readonly number[] }, readonly object[]>
    releases: Batcher<
      { id: number; holder: string; lastSuccessAt: Date | null; waitUntil: Date | null },
      'released' | 'lost' | 'locked'
    >
  }
  /** Connections to receivers of webhooks, by origin. */
  webhookSessions: SharedSessions
  /** Receivers that hang time out together: recording that must not take all connections to the database. */
  failedDeliverySlots: Semaphore
  /** The language model, and what this process knows of it. */
  languageModel: {
    /** Null where none is configured. */
    chatModel: ChatModel | null
    slots: Semaphore
    /** In a row. */
    failures: number
    pauses: number
    pausedUntilMs: number
    measures: { rows: readonly object[]; readUntilMs: number } | null
  }
  /** Where kept pages are outside the database; null where there is none. */
  pageStores: Record<'folder' | 's3', BlobStore | null>
  /** Callers that wait for the end of a resolution job. */
  jobPoll: LongPoll<string>
  /** Listeners that wait for events. */
  listenerPoll: LongPoll<number>
  clock: Clock
  log: Log
}

/** A process's knowledge of a budget: until when each kind of demand finds nothing, and what the register stated. */
export interface KnownBudget {
  spentUntilMs: Map<string, number>
  pausedUntilMs: number
  statedLimit: number
}

/** The threads run programs of features; the app closes them. */
interface AppOptions extends Pick<App, 'readerThreads' | 'typesetters'> {
  /** True where jobs run: such a process also finds the jobs of dead workers and starts scheduled ones. */
  runsJobs: boolean
  /**
   * True where nothing but requests are served. Their statements find few rows by keys, so one plan suits all values. Jobs
   * sweep tables whose best plan depends on how much is due.
   */
  plansOnce?: boolean
  clock?: Clock
  log?: Log
}

export async function openApp(config: Config, options: AppOptions): Promise<App> {
  const log = options.log ?? createLog({ level: config.logLevel })
  const web = await openWeb(config)
  const db = openDatabase(config, log, options)
  try {
    if (config.databasePooler !== 'none') await db.assertBounded()
    const jobs = await JobEngine.open(db, { supervise: options.runsJobs, log })
    const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    const secrets = createSecrets(config)
    const limiter = new LeasedLimiter(db)
    const warn = (event: string) => (error: unknown) => log.warn({ event, error })
    return {
      config,
      db,
      jobs,
      mailer,
      secrets,
      limiter,
      keyLookups: new Batcher({ slots: 4, itemsMax: 64 }),
      passwordSlots: new Semaphore({ slots: 4, queueMax: 64 }),
      verifyKeys: new Map(),
      watchlistChanges: new Map(),
      registerBudget: { spentUntilMs: new Map(), pausedUntilMs: 0, statedLimit: 0 },
      documentBudget: { spentUntilMs: new Map(), pausedUntilMs: 0, statedLimit: 0 },
      registerFetches: new Map(),
      web,
      pace: new Pace(limiter),
      readerThreads: options.readerThreads,
      typesetters: options.typesetters,
      loopLag: new LoopLag(),
      acceptedDeliveries: new Batcher({ slots: 1, itemsMax: 500 }),
      webhookBatches: {
        leases: new Batcher({ slots: 1, itemsMax: 100 }),
        // A look returns up to fifty events of up to 20 kB each.
        looks: new Batcher({ slots: 1, itemsMax: 50 }),
        releases: new Batcher({ slots: 2, itemsMax: 100 }),
      },
      webhookSessions: new SharedSessions(),
      failedDeliverySlots: new Semaphore({ slots: 4, queueMax: Number.POSITIVE_INFINITY }),
      languageModel: openLanguageModel(config),
      pageStores: openPageStores(config),
      jobPoll: new LongPoll({ everyMs: 150, onError: warn('resolution.watch_failed') }),
      listenerPoll: new LongPoll({ everyMs: 500, onError: warn('webhooks.watch_failed') }),
      clock: options.clock ?? systemClock,
      log,
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

type Planning = Pick<AppOptions, 'plansOnce'>

export function openDatabase(config: Config, log: Log, { plansOnce = false }: Planning = {}): Database {
  return new Database({
    plansOnce,
    url: config.databaseUrl,
    pooler: config.databasePooler,
    connectionsMax: config.databaseConnectionsMax,
    applicationName: 'nameplate',
    onIdleError: (error) => log.warn({ event: 'database.connection_lost', error }),
  })
}

/** More than the crawls and disputes that a worker reads at once, so that none waits. */
function openLanguageModel({ secondReader: config }: Config): App['languageModel'] {
  return {
    chatModel: config && new ChatModel({ ...config, timeoutMs: config.timeoutSeconds * 1_000 }),
    slots: new Semaphore({ slots: 40, queueMax: 64 }),
    failures: 0,
    pauses: 0,
    pausedUntilMs: 0,
    measures: null,
  }
}

/** A page is read up to 2 MB. */
const PAGE_BYTES_MAX = 4_000_000

function openPageStores({ pageArchive: { directory, s3 } }: Config): App['pageStores'] {
  return {
    folder: directory === null ? null : new FolderStore({ directory, bytesMax: PAGE_BYTES_MAX }),
    s3: s3 && new ObjectStore({ ...s3, bytesMax: PAGE_BYTES_MAX }),
  }
}

async function openWeb({ simulatedWeb, dnsServers, baseUrl, siteUrl }: Config): Promise<GuardedClient> {
  const simulated = simulatedWeb && {
    ...simulatedWeb,
    certificateAuthority: await readFile(simulatedWeb.certificateAuthorityFile, 'utf8'),
  }
  return new GuardedClient({
    userAgent: `Mozilla/5.0 (compatible; NameplateBot/${VERSION}; +${siteUrl.origin}/bot)`,
    dnsServers,
    simulated,
    deniedHosts: [baseUrl.hostname, siteUrl.hostname],
  })
}

export async function closeApp(app: App): Promise<void> {
  await app.jobs.close()
  await app.webhookSessions.close()
  await app.web.close()
  await app.languageModel.chatModel?.close()
  for (const store of Object.values(app.pageStores)) await store?.close()
  await app.readerThreads.close()
  await app.typesetters.close()
  app.loopLag.close()
  app.mailer.close()
  await app.db.close()
}
