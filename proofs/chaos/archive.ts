/**
 * Customers ask for domains while the workers that read the sites and move their pages are killed with `kill -9`, and the object
 * store refuses, hangs up and forgets for a while. Afterwards every page that an answer quotes is there, with its hash, and none
 * is left in the database.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { SimulatedObjectStore } from '../../rig/object-store.ts'
import { toPageSettings } from '../../rig/settings.ts'
import { type OutsideStage, openOutsideStage } from '../../rig/stage.ts'
import { isSoInTime } from '../../rig/until.ts'
import type { App } from '../../src/app.ts'
import { moveBodiesJob, verifyBodies } from '../../src/page-archive/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'
import { ask, untilEnded } from './resolution/asking.ts'
import { DyingWorkers } from './resolution/workers.ts'

const FULL = { sites: 400, kills: 24, troubleMs: 60_000 }
const SHORT = { sites: 60, kills: 5, troubleMs: 6_000 }
const ACCOUNTS = { count: 4, plan: 'growth' } as const
const WORKERS = 3
const KILL_PAUSE_MS = 1_500
const MOVE_PAUSE_MS = 400
const MOVED_MS_MAX = 120_000

export const ARCHIVE_PROOF: Proof = {
  title: 'Kept pages',
  about:
    'Customers ask for domains while the workers that read sites and move pages are killed, and the object store refuses for a minute, ' +
    'then hangs up, then takes pages without saying so. Afterwards each page that an answer quotes is looked for, and each body is ' +
    'read from the store and compared with its hash.',
  figures: {
    answers: { label: 'answers that quote pages' },
    pages: { label: 'pages that they quote' },
    bodies: { label: 'bodies in the store' },
    kills: { label: 'deaths of workers', atLeast: 1 },
    refused: { label: 'requests that the store refused', atLeast: 1 },
    lost: { label: 'quoted pages that are missing or damaged', atMost: 0 },
    left_in_database: { label: 'bodies left in the database', atMost: 0 },
    seconds: { label: 'time', unit: 's' },
  },
}

export async function chaosArchive(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  await using store = await new SimulatedObjectStore().listen()
  const settings = toPageSettings({ keepsIn: 's3', directory: null, s3: store.config, browser: null })
  await using stage = await openOutsideStage({ settings })
  const kills = await runOver(stage, store, options)
  const audit = await auditPages(stage.app)
  const refused = store.requests.filter(({ status }) => status === 503).length
  return {
    ...audit,
    kills,
    refused,
    objects: store.objects.size,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    ok: audit.lost === 0 && audit.left_in_database === 0 && audit.pages > 0 && refused > 0 && kills > 0,
  }
}

async function runOver(stage: OutsideStage, store: SimulatedObjectStore, options: RunOptions): Promise<number> {
  const { app, web, start } = stage
  const size = options.short ? SHORT : FULL
  await registerCompanies(app.db, size.sites)
  const accounts = await openAccounts(app, ACCOUNTS)
  await using api = await start('serve')
  await using workers = new DyingWorkers(() => start('work'))
  await workers.start(WORKERS)
  const over = new AbortController()
  const moving = moveOften(app, over.signal)
  const troubled = makeTrouble(store, size.troubleMs)
  const dying = workers.killSome(size.kills, KILL_PAUSE_MS)
  for (let index = 0; index < size.sites; index += 1) {
    const made = makeSite(index)
    web.setSite(made.domain, made.site)
    const account = accounts[index % accounts.length]
    if (account) await ask(api.url, account, made.domain)
    if (index % 50 === 0) options.say(`${index} sites, ${workers.kills} deaths, ${store.objects.size} objects`)
    await sleep((KILL_PAUSE_MS * size.kills) / size.sites)
  }
  await Promise.all([dying, troubled])
  await untilEnded(app)
  await isSoInTime(async () => (await countLeft(app)) === 0, { timeoutMs: MOVED_MS_MAX, everyMs: 250 })
  over.abort()
  await moving
  return workers.kills
}

/** The clock starts the job once a minute; here it is always wanted, so that every death meets it. */
async function moveOften(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await app.db.transaction((tx) => app.jobs.enqueue(tx, moveBodiesJob, {}))
    await sleep(MOVE_PAUSE_MS)
  }
}

/** A trouble that met nothing would have tried nothing, so each lasts until some requests have met it. */
const MET_MIN = 3
const MET_MS_MAX = 60_000

/** It refuses for most of the time, and is well at the end. */
async function makeTrouble(store: SimulatedObjectStore, totalMs: number): Promise<void> {
  for (const [trouble, share] of [
    ['refuse', 1],
    [null, 0.1],
    ['forget', 0.2],
    ['hang_up', 0.2],
  ] as const) {
    store.trouble = trouble
    const before = store.requests.length
    await sleep(totalMs * share)
    const hasMet = async () => trouble === null || store.requests.length >= before + MET_MIN
    await isSoInTime(hasMet, { timeoutMs: MET_MS_MAX, everyMs: 50 })
  }
  store.trouble = null
}

async function countLeft({ db }: App): Promise<number> {
  return (await db.query(`select from page_body where stored_in = 'postgres' limit 1000`)).length
}

/** Compares what answers quote with what is kept of them. */
async function auditPages(app: App) {
  const [counts] = await app.db.query<{ answers: number; pages: number; without: number }>(
    `select count(distinct resolution_id)::int as answers, count(*)::int as pages,
       (count(*) filter (where not is_kept))::int as without
     from (
       select distinct resolution.id as resolution_id, item ->> 'url', item ->> 'contentSha256', exists (
           select from page_capture where resolution_id = resolution.id and url = item ->> 'url'
             and encode(sha256, 'hex') = item ->> 'contentSha256') as is_kept
       from resolution cross join lateral jsonb_array_elements(findings -> 'evidence') item
     ) quoted`,
  )
  const { bodies, missing, damaged, unreachable, examples } = await verifyBodies(app, () => undefined)
  return {
    answers: counts?.answers ?? 0,
    pages: counts?.pages ?? 0,
    bodies,
    lost: (counts?.without ?? 0) + missing + damaged + unreachable,
    left_in_database: await countLeft(app),
    examples: examples.join('; ') || 'none',
  }
}
