/**
 * Checks everything that is stored, from the records up to the published heads: each record against its signature, stamp and
 * entry, the entries against the tree, the tree against the heads. It reads in batches, so a log of any size takes little memory.
 */
import {
  CLOCKS_MS,
  isActiveAt,
  openHead,
  parsePublishedKeys,
  sealOfHead,
} from '../../../packages/evidence-check/index.ts'
import { listErasedAccounts } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { listDocumentCertificates } from '../document/certificates.ts'
import { listEvidenceKeys, readPublishedKeys } from '../keys.ts'
import type { LogHead } from '../log/heads.ts'
import { readSize } from '../log/heads.ts'
import { findNodes } from '../log/nodes.ts'
import { checkEnds } from './check-ends.ts'
import { type Checking, checkEntry, checkStampOf, type Entry } from './check-entry.ts'
import { compareWithAudit } from './compare-with-audit.ts'
import { GrowingTree } from './growing-tree.ts'
import type { LogProblem, Say } from './log-problem.ts'

export interface LogReport {
  ok: boolean
  entries: number
  records: number
  /** Records that were erased with their account; the log still has their hashes. */
  erased: number
  heads: number
  problems: LogProblem[]
  problems_total: number
}

const BATCH_ENTRIES = 500
/** A removed entry changes every hash after it: many problems of one kind must not hide another kind. */
const PROBLEMS_OF_KIND_MAX = 20
/** A job asks for late stamps every ten minutes. */
const STAMP_WITHIN_MS = 86_400_000

export async function verifyLog(app: App, onProgress: (entries: number) => void): Promise<LogReport> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const size = await readSize(app.db)
  const report: LogReport = { ok: true, entries: 0, records: 0, erased: 0, heads: 0, problems: [], problems_total: 0 }
  const say: Say = (kind, where, says) => {
    report.ok = false
    report.problems_total += 1
    const same = report.problems.filter((problem) => problem.kind === kind).length
    if (same < PROBLEMS_OF_KIND_MAX) report.problems.push({ kind, where, says })
  }
  const stampedBefore = app.config.timeStamp && new Date(app.clock.now().getTime() - STAMP_WITHIN_MS)
  const checking = { published, say, stampedBefore }
  await checkKeys(app, say)
  const tree = new GrowingTree()
  let earlier: Entry | null = null
  for (let from = 0; from < size; from += BATCH_ENTRIES) {
    const end = Math.min(size, from + BATCH_ENTRIES)
    const batch = await readBatch(app, from, end)
    const erased = await listErasedAccounts(
      app.db,
      [...batch.entries.values()].filter(({ record }) => record === null).map(({ accountId }) => accountId),
    )
    for (let index = from; index < end; index += 1) {
      const entry = batch.entries.get(index)
      if (!entry) {
        say('entry_removed', `entry ${index}`, `The log has no entry ${index}, though it has later ones.`)
        tree.append(Buffer.alloc(32))
        continue
      }
      report.entries += 1
      if (entry.record === null && wasErased(entry, erased)) report.erased += 1
      else if (checkEntry(entry, earlier, checking)) report.records += 1
      earlier = entry
      tree.append(entry.hash)
      const head = batch.heads.get(index + 1)
      if (head) checkHead(head, tree.root(), checking)
    }
    report.heads += batch.heads.size
    await compareNodes(app, tree, say)
    onProgress(end)
  }
  await checkEnds(app, { size, entries: report.entries }, say)
  await compareWithAudit(app, say)
  return report
}

/** An account that was erased before the entry was made has no records to erase. */
function wasErased({ accountId, appendedAt }: Entry, erased: ReadonlyMap<string, Date>): boolean {
  const at = erased.get(accountId)
  return at !== undefined && appendedAt.getTime() <= at.getTime() + CLOCKS_MS
}

async function checkKeys(app: App, say: Say): Promise<void> {
  for (const { id, isOurs } of await listEvidenceKeys(app)) {
    if (!isOurs) say('key_planted', `key ${id}`, 'Its sealed private half does not prove that we made it.')
  }
  for (const { id, isOurs } of await listDocumentCertificates(app)) {
    if (!isOurs) say('certificate_planted', `certificate ${id}`, 'Its sealed key does not prove that it signed for us.')
  }
}

async function readBatch({ db }: App, from: number, end: number) {
  const entries = await db.query<Entry>(
    `select leaf.index, leaf.record_id as "recordId", leaf.account_id as "accountId", leaf.hash, leaf.appended_at as "appendedAt",
       record.record, record.jws, record.stamp, record.made_at as "madeAt", case when record.id is not null then
         jsonb_build_object('accountId', record.account_id, 'mode', record.mode, 'resolutionId', record.resolution_id) end as row
     from evidence_leaf leaf left join evidence_record record on record.id = leaf.record_id
     where leaf.index >= $1 and leaf.index < $2`,
    [from, end],
  )
  const heads = await db.query<LogHead>(
    'select size, root, made_at as "madeAt", checkpoint, stamp from evidence_head where size > $1 and size <= $2',
    [from, end],
  )
  return {
    entries: new Map(entries.map((entry) => [entry.index, entry])),
    heads: new Map(heads.map((head) => [head.size, head])),
  }
}

/** The signature decides what the head said; then the log must still lead to it. */
function checkHead(head: LogHead, root: Buffer, checking: Checking): void {
  const { published, say } = checking
  const where = `head of ${head.size}`
  const opened = openHead(head.checkpoint, published.keys)
  const isAsSigned = opened?.size === head.size && opened.root.equals(head.root)
  if (!opened || !isAsSigned || opened.madeAt.getTime() !== head.madeAt.getTime()) {
    return say('head_changed', where, 'This head is not the one that was signed.')
  }
  if (!isActiveAt(opened.by, opened.madeAt)) say('head_changed', where, 'Its key did not sign at the time it gives.')
  if (!opened.root.equals(root)) {
    say('log_changed', where, `The first ${head.size} entries are not those of which this head was published.`)
  }
  checkStampOf(head.stamp, { ...checking, seal: sealOfHead(head.checkpoint), where, at: head.madeAt })
}

async function compareNodes({ db }: App, tree: GrowingTree, say: Say): Promise<void> {
  const nodes = tree.takeCompleted()
  const find = await findNodes(db, nodes)
  for (const { level, index, hash } of nodes) {
    if (find({ level, index })?.equals(hash)) continue
    say('tree_changed', `node ${level}:${index}`, 'A stored hash of the tree is not that of the entries below it.')
  }
}
