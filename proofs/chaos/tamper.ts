/**
 * Real records of real answers, sealed by the service. Then everything that can be changed is changed, in files and in the database,
 * and the check or `evidence verify` must find each change and name it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccounts } from '../../rig/accounts.ts'
import { createCall } from '../../rig/call.ts'
import { makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { openOutsideStage } from '../../rig/stage.ts'
import { SimulatedAuthority } from '../../rig/time-stamps/index.ts'
import type { App } from '../../src/app.ts'
import {
  type Bundle,
  checkBundle,
  type PublishedKeys,
  parsePublishedKeys,
  publishHead,
  readPublishedKeys,
  verifyLog,
} from '../../src/evidence/index.ts'
import type { Tx } from '../../src/lib/db/db.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import { BUNDLE_KINDS } from './tamper/bundle-kinds.ts'
import { DATABASE_KINDS } from './tamper/database-kinds.ts'

const FULL = { records: 60 }
const SHORT = { records: 5 }
const TABLES = ['evidence_key', 'evidence_record', 'evidence_log', 'evidence_leaf', 'evidence_node', 'evidence_head']

export async function chaosTamper(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  const { records } = options.short ? SHORT : FULL
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-tamper-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const authority = opened.adopt(await SimulatedAuthority.create(), (each) => each.close())
  const settings = { TIME_STAMP_URL: await authority.listen(), TIME_STAMP_CA_FILE: join(folder, 'authorities.pem') }
  writeFileSync(settings.TIME_STAMP_CA_FILE, authority.certificate)
  const stage = opened.use(await openOutsideStage({ settings }))
  const { app } = stage
  await registerCompanies(app.db, records)
  const [account] = await openAccounts(app, { count: 1, plan: 'growth' })
  const service = opened.use(await stage.start('all'))
  const call = createCall(service.url)
  const makeOne = async (index: number): Promise<Bundle> => {
    const { domain, site } = makeSite(index)
    stage.web.setSite(domain, site)
    const asked = { key: account?.key ?? '', body: { domain }, headers: { prefer: 'wait=60' } }
    const { resolution_id: id } = (await call('POST', '/v1/resolve/domain', asked)).body
    return (await call('POST', `/v1/resolutions/${id}/evidence/record`, { key: account?.key ?? '' })).body
  }
  const bundles: Bundle[] = []
  for (let index = 0; index < records; index += 1) bundles.push(await makeOne(index))
  await publishHead(app)
  options.say(`${bundles.length} records made`)
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const missed = [
    ...listBroken(bundles, published),
    ...missedInBundles(bundles, published),
    ...(await missedInDatabase(app, options.say)),
  ]
  const kinds = BUNDLE_KINDS.length + DATABASE_KINDS.length
  return {
    records: bundles.length,
    kinds,
    found: kinds - missed.length,
    missed,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    ok: missed.length === 0 && bundles.length === records,
  }
}

/** A check that refuses everything would find every change, too. */
function listBroken(bundles: readonly Bundle[], published: PublishedKeys): string[] {
  const isWhole = (bundle: Bundle) => {
    const { intact, steps } = checkBundle(JSON.stringify(bundle), published)
    return intact && steps.every(({ result }) => result === 'ok')
  }
  return bundles.filter((bundle) => !isWhole(bundle)).map(({ id }) => `untouched: ${id}`)
}

function missedInBundles(bundles: readonly Bundle[], published: PublishedKeys): string[] {
  const [bundle, other] = bundles.filter(({ record }) => /"outcome":"matched"/.test(record) && /"sha256"/.test(record))
  if (!bundle || !other) return ['there are no two matches']
  return BUNDLE_KINDS.flatMap(({ name, expected, change }) => {
    const { intact, steps } = checkBundle(JSON.stringify(change(bundle, other)), published)
    const isNamed = steps.some(({ step, problem }) => step === expected[0] && problem === expected[1])
    return !intact && isNamed ? [] : [name]
  })
}

async function missedInDatabase(app: App, say: (line: string) => void): Promise<string[]> {
  const verify = () => verifyLog(app, () => {})
  const before = await verify()
  if (!before.ok) return [`untouched: ${JSON.stringify(before.problems)}`]
  for (const table of TABLES) await app.db.query(`create table kept_${table} as table ${table}`)
  const missed: string[] = []
  for (const { name, expected, change } of DATABASE_KINDS) {
    await withoutTriggers(app, change)
    const { ok, problems } = await verify()
    if (ok || !problems.some(({ kind }) => kind === expected)) missed.push(name)
    say(`${name}: ${[...new Set(problems.map(({ kind }) => kind))].join(', ')}`)
    await withoutTriggers(app, restore)
  }
  return (await verify()).ok ? missed : [...missed, 'restored']
}

async function restore(tx: Tx): Promise<void> {
  for (const table of TABLES) {
    await tx.query(`delete from ${table}`)
    await tx.query(`insert into ${table} select * from kept_${table}`)
  }
}

/** One who owns the database can switch its triggers off. */
async function withoutTriggers({ db }: App, change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await change(tx)
  })
}
