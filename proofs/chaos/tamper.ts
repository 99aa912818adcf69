/**
 * Real records of real answers, sealed by the service. Then everything that can be changed is changed, in files and in the database,
 * and the check or `evidence verify` must find each change and name it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Bundle,
  checkBundle,
  checkPdf,
  type PublishedKeys,
  parsePublishedKeys,
} from '../../packages/evidence-check/index.ts'
import { openAccounts } from '../../rig/accounts.ts'
import { createCall } from '../../rig/call.ts'
import { makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { openOutsideStage } from '../../rig/stage.ts'
import { SimulatedAuthority } from '../../rig/time-stamps/index.ts'
import { verifyAudit } from '../../src/accounts/index.ts'
import type { App } from '../../src/app.ts'
import { readPublishedKeys, stampLate, verifyRecords } from '../../src/evidence/index.ts'
import type { Tx } from '../../src/lib/db/db.ts'
import { verifyBodies } from '../../src/page-archive/index.ts'
import { verifyCaptures } from '../../src/resolution/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { ARCHIVE_KINDS, type ArchiveKind } from './tamper/archive-kinds.ts'
import { BUNDLE_KINDS } from './tamper/bundle-kinds.ts'
import { DATABASE_KINDS } from './tamper/database-kinds.ts'
import { DOCUMENT_KINDS, type MadeDocument } from './tamper/document-kinds.ts'

const FULL = { records: 60 }
const SHORT = { records: 5 }
const DOCUMENTS_MAX = 20
const ASKED_AGAIN_MAX = 5
const TABLES = [
  'account',
  'evidence_key',
  'evidence_record',
  'evidence_certificate',
  'audit_event',
  'page_body',
  'page_capture',
]

export const chaosTamper: NamedRun = {
  about: 'sealed evidence changed in every part, in files and in the database: each change is found and named',
  proof: {
    title: 'Evidence that someone changes',
    about:
      'Real answers are sealed as evidence records, time-stamped and made into signed documents. Then one ' +
      'thing at a time is changed: in bundles and documents, and by a person with all rights on the ' +
      'database in records, the audit log, keys, stamps and kept pages. A check must find each change and ' +
      'name it.',
    figures: {
      records: { label: 'evidence records' },
      documents: { label: 'of them made into documents' },
      kinds: { label: 'kinds of change', atLeast: 12 },
      not_found: { label: 'of them not found, or found as something else', atMost: 0 },
      seconds: { label: 'time', unit: 's' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
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
    let answer = (await call('POST', '/v1/resolve/domain', asked)).body
    // On a busy machine a request may end before the answer is there.
    for (let more = 0; more < ASKED_AGAIN_MAX && answer.resolution_id === undefined; more += 1) {
      answer = (await call('POST', '/v1/resolve/domain', asked)).body
    }
    const made = await call('POST', `/v1/resolutions/${answer.resolution_id}/evidence/record`, {
      key: account?.key ?? '',
    })
    if (made.status !== 201) throw new Error(`no record was made: ${JSON.stringify(made.body)}`)
    return made.body
  }
  const bundles: Bundle[] = []
  for (let index = 0; index < records; index += 1) bundles.push(await makeOne(index))
  const fetchDocument = async (bundle: Bundle): Promise<MadeDocument> => {
    const headers = { 'x-api-key': account?.key ?? '', accept: 'application/pdf' }
    const response = await fetch(new URL(`/v1/evidence/${bundle.id}`, service.url), { headers })
    if (!response.ok) throw new Error(`a document was refused: ${await response.text()}`)
    return { bundle, pdf: Buffer.from(await response.arrayBuffer()) }
  }
  await stampLate(app)
  const documents: MadeDocument[] = []
  for (const bundle of bundles.slice(0, DOCUMENTS_MAX)) documents.push(await fetchDocument(bundle))
  options.say(`${bundles.length} records made`)
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const missed = [
    ...listBroken(bundles, published),
    ...(await missedInBundles(bundles, published)),
    ...(await missedInDocuments(app, documents, published)),
    ...(await missedInDatabase(app, options.say)),
  ]
  const kinds = BUNDLE_KINDS.length + DOCUMENT_KINDS.length + DATABASE_KINDS.length + ARCHIVE_KINDS.length
  return {
    records: bundles.length,
    documents: documents.length,
    kinds,
    found: kinds - missed.length,
    missed,
    not_found: missed.length,
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

async function missedInBundles(bundles: readonly Bundle[], published: PublishedKeys): Promise<string[]> {
  const [bundle, other] = bundles.filter(({ record }) => /"outcome":"matched"/.test(record) && /"sha256"/.test(record))
  if (!bundle || !other) return ['there are no two matches']
  const missed: string[] = []
  for (const { name, expected, change } of BUNDLE_KINDS) {
    const { intact, steps } = checkBundle(JSON.stringify(await change(bundle, other)), published)
    const isNamed = steps.some(({ step, problem }) => step === expected[0] && problem === expected[1])
    if (intact || !isNamed) missed.push(name)
  }
  return missed
}

async function missedInDocuments(
  app: App,
  documents: readonly MadeDocument[],
  published: PublishedKeys,
): Promise<string[]> {
  const missed: string[] = []
  for (const { bundle, pdf } of documents) {
    const { intact, steps } = checkPdf(pdf, published)
    if (!intact || steps.some(({ result }) => result !== 'ok')) missed.push(`untouched document: ${bundle.id}`)
  }
  const [document, other] = documents
  if (!document || !other) return ['there are no two documents']
  for (const { name, expected, change } of DOCUMENT_KINDS) {
    const { intact, steps } = checkPdf(await change(document, other, app), published)
    const isNamed = steps.some(({ step, problem }) => step === expected[0] && problem === expected[1])
    if (intact || !isNamed) missed.push(`${name}: ${steps.flatMap(({ problem }) => problem ?? []).join(', ')}`)
  }
  return missed
}

async function missedInDatabase(app: App, say: (line: string) => void): Promise<string[]> {
  // Two days later every stamp must be there.
  const clock = { now: () => new Date(app.clock.now().getTime() + 2 * 86_400_000) }
  const verify = async (): Promise<string[]> => {
    const records = await verifyRecords({ ...app, clock }, () => {})
    const audit = await verifyAudit(app.db, { accountId: null, addressesBefore: new Date(0), onProgress: () => {} })
    return [...new Set([...records.problems, ...audit.problems].map(({ kind }) => kind))]
  }
  const before = await verify()
  if (before.length > 0) return [`untouched: ${before.join(', ')}`]
  for (const table of TABLES) await app.db.query(`create table kept_${table} as table ${table}`)
  const missed: string[] = []
  for (const { name, expected, change } of DATABASE_KINDS) {
    await withoutTriggers(app, change)
    const found = await verify()
    if (!found.includes(expected)) missed.push(name)
    say(`${name}: ${found.join(', ')}`)
    await withoutTriggers(app, restore)
  }
  for (const { name, expected, change } of ARCHIVE_KINDS) {
    await withoutTriggers(app, change)
    const report = await verifyPages(app)
    if (report[expected] === 0) missed.push(name)
    say(`${name}: ${JSON.stringify(report)}`)
    await withoutTriggers(app, restore)
  }
  const after = await verifyPages(app)
  const left = after.damaged + after.unquoted + after.altered + after.unanswered
  return (await verify()).length === 0 && left === 0 ? missed : [...missed, 'restored']
}

async function verifyPages(app: App): Promise<Record<ArchiveKind['expected'], number>> {
  const { damaged } = await verifyBodies(app, () => {})
  const { unquoted, altered, unanswered } = await verifyCaptures(app.db, () => {})
  return { damaged, unquoted, altered, unanswered }
}

async function restore(tx: Tx): Promise<void> {
  for (const table of TABLES) {
    await tx.query(`delete from ${table}`)
    await tx.query(`insert into ${table} overriding system value select * from kept_${table}`)
  }
}

/** One who owns the database can switch its triggers off. */
async function withoutTriggers({ db }: App, change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await change(tx)
  })
}
