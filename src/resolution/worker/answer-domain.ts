/** The answer for a domain: its site is read, compared with other sites that claim the same company, and stored. */
import type { App } from '../../app.ts'
import { findInStores } from '../../lib/crawl/find-in-stores.ts'
import { type CrawlReading } from '../../lib/crawl/readings.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { keepPages, type PageSources } from '../../page-archive/index.ts'
import type { Company } from '../../register/index.ts'
import {
  contestMatch,
  listQuoted,
  type Outcome,
  type Resolution,
  resolveDomain,
  type SecondReader,
  type SiteClaim,
  WEIGHTS_VERSION,
} from '../../resolver/index.ts'
import { openSecondReader } from '../../second-reader/index.ts'
import {
  expiryOf,
  type Findings,
  findNewest,
  findResolution,
  type KnownResolution,
  type ResolutionRecord,
} from '../answers/known.ts'
import { isReaderRefused } from '../request/job-store.ts'
import { contestKnown, describeContest, describeOutdone, proofOf } from '../rivals/contested.ts'
import {
  type Claimant,
  type Contest,
  findRivals,
  lockClaims,
  putClaim,
  removeClaims,
  type StoredClaim,
} from '../rivals/rivals.ts'
import { reportLostWebsite } from '../website/website-checks.ts'
import type { WorkResult } from './settle.ts'
import { ProgressWriter, runWork } from './work.ts'

/** Longer than a crawl and its answer take. The job of a worker that died may lease the work again at once. */
const LEASE_SECONDS = 60

/** Reads a domain's site and gives the answer to all who wait for it. */
export async function answerDomain(app: App, { domain }: { domain: string }, run: JobRun): Promise<void> {
  const work = { kind: 'domain', subject: domain } as const
  await runWork(app, work, run, LEASE_SECONDS, async ({ isBackground, readAfter }) => {
    // A reading that could not be stored is not tried twice.
    const kept = run.attempt === 1 ? await findKept(app, domain, readAfter) : null
    if (kept) return async (tx) => storeKept(app, tx, kept)
    using progress = new ProgressWriter(app, { ...work, jobId: run.id, startedAt: app.clock.now() })
    // Background work has no caller who would see progress.
    const reading = { ...app, secondReader: await chooseReader(app, domain) }
    const resolution = await resolveDomain(reading, domain, isBackground ? {} : progress)
    return async (tx) => toResults(await storeAnswer(app, tx, resolution), resolution)
  })
}

type KeptReading = CrawlReading<Resolution>

/**
 * Returns a reading that a sweep made before, if it satisfies all who wait. Crawl stores are asked within a moment or not at
 * all: then the site is read.
 */
async function findKept(app: App, domain: string, readAfter: Date | null): Promise<KeptReading | null> {
  const kept = await findInStores<Resolution>(app.crawl, domain)
  if (!kept || kept.modelVersion !== WEIGHTS_VERSION || kept.expiresAt <= app.clock.now()) return null
  if (readAfter && kept.resolvedAt < readAfter) return null
  if (kept.answer.isSecondReaderDue && app.config.secondReader !== null) return null
  const newer = await app.db.query(
    `select from known_domain where domain = $1 and resolved_at >= $2 union all select from resolution where id = $3`,
    [domain, kept.resolvedAt, kept.id],
  )
  return newer.length > 0 ? null : kept
}

/** Stores it under its own id. A caller who joined meanwhile and wants a newer one has the site read by the next run. */
async function storeKept(app: App, tx: Tx, { id, domain, resolvedAt, answer }: KeptReading): Promise<WorkResult> {
  // No request joins from here on: it would lock the same row first.
  const [work] = await tx.query<{ readAfter: Date | null }>(
    `select read_after as "readAfter" from resolution_work where kind = 'domain' and subject = $1 for update`,
    [domain],
  )
  if (work?.readAfter && work.readAfter > resolvedAt) {
    throw new Error(`the reading of ${domain} is older than a caller accepts`)
  }
  return toResults(await storeAnswer(app, tx, answer, id), answer)
}

function toResults(stored: StoredAnswer, resolution: Resolution): WorkResult {
  return { ...toResult(stored, resolution), rules: stored.rules && toResult(stored.rules, resolution.ruled) }
}

/** No second reader is asked for people who refuse it. One that has no task asks nothing. */
async function chooseReader(app: App, domain: string): Promise<SecondReader | null> {
  if (app.config.secondReader === null || (await isReaderRefused(app.db, domain))) return null
  return openSecondReader(app)
}

/** Another site that claims the company may have made a match a question for a person. */
function toResult(
  { id: resolutionId, domain, outcome, confidence }: Omit<StoredAnswer, 'rules'>,
  resolved: Pick<Resolution, 'company'> | null,
) {
  const company = outcome === 'matched' ? resolved?.company : null
  return { outcome, confidence, fact: company ? { domain, companyNumber: company.number } : null, resolutionId }
}

/** The stored answer. Its outcome may differ from what the site alone proves. */
export interface StoredAnswer {
  id: string
  domain: string
  outcome: Outcome
  confidence: number | null
  /** The answer of the rules, where the second reader's replaced it. */
  rules: Omit<StoredAnswer, 'rules'> | null
}

/**
 * Stores a domain's answer. Where other sites claim the same company, the one that fits worse goes to a person: this one,
 * or the others, whose known answers are replaced. All in the transaction of the answer. A reading of a crawl store has its id.
 */
export async function storeAnswer(
  app: App,
  tx: Tx,
  resolution: Resolution,
  readingId = newId('res'),
): Promise<StoredAnswer> {
  const { domain, ruled } = resolution
  const rules = ruled && (await storeOne(app, tx, { ...resolution, ...ruled, ruled: null }, newId('res')))
  const stored = await storeOne(app, tx, resolution, readingId)
  await makeKnown(tx, stored, rules)
  const { id, record } = stored
  const { outcome, confidence } = record
  const other = rules && { id: rules.id, domain, outcome: rules.record.outcome, confidence: rules.record.confidence }
  return { id, domain, outcome, confidence, rules: other }
}

interface StoredOne {
  id: string
  record: ResolutionRecord
}

/** Stores one answer. Only the rules claim a company for a site, or withdraw a claim. */
async function storeOne(app: App, tx: Tx, resolution: Resolution, id: string): Promise<StoredOne> {
  const { domain, outcome, company, claim } = resolution
  const isByReader = resolution.ruled !== null
  // A site that cannot be read withdraws no claim.
  if (!isByReader && outcome !== 'scrape_failed') await removeClaims(tx, domain, company?.number ?? null)
  const match = company && claim && { resolution, company, claim }
  if (!match) return insertOne(tx, resolution, id)
  if (!isByReader) return storeMatch(app, tx, match, id)
  const rivals = await findRivals(tx, { domain, company, claim }, app.clock.now())
  return insertOne(tx, describeFinal(resolution, company, rivals), id, rivals.others)
}

/** Words of rivals, if it has any, are on pages of their answers. */
async function insertOne(
  tx: Tx,
  resolution: Resolution,
  id: string,
  rivals: readonly StoredClaim[] = [],
): Promise<StoredOne> {
  const record = toRecord(resolution)
  const from = rivals.map(({ resolutionId }) => resolutionId)
  await insertResolution(tx, record, id, { captures: resolution.captures ?? [], from })
  return { id, record }
}

interface Match {
  resolution: Resolution
  company: Company
  claim: SiteClaim
}

async function storeMatch(app: App, tx: Tx, match: Match, id: string): Promise<StoredOne> {
  const { resolution, company, claim } = match
  await lockClaims(tx, company.number)
  const rivals = await findRivals(tx, { domain: resolution.domain, company, claim }, app.clock.now())
  const { subject, others, lostTo, lost, at } = rivals
  const stored = await insertOne(tx, describeFinal(resolution, company, rivals), id, others)
  const state = lostTo === null ? 'held' : 'contested'
  await putClaim(tx, { companyNumber: company.number, claim: subject, state, resolutionId: stored.id, seenAt: at })
  if (lostTo) await reportLostWebsite(app, tx, { company, domain: subject.domain, rival: lostTo.rival.domain, at })
  const proof = resolution.evidence[0] ?? null
  for (const { rival, isClear } of lost) {
    const contest = { rival: { ...subject, state }, isClear } as const
    await contestRival(app, tx, { company, loser: rival, contest, proof, winnerId: stored.id, others, at })
  }
  return stored
}

interface Ending {
  subject: Claimant
  lostTo: Contest | null
  outdone: Claimant | null
  others: readonly StoredClaim[]
  at: Date
}

function describeFinal(resolution: Resolution, company: Company, ending: Ending): Resolution {
  const { subject, lostTo, outdone, others, at } = ending
  const proofFrom = ({ domain }: Claimant) => {
    const stored = others.find((other) => other.domain === domain)
    return stored ? proofOf(stored) : null
  }
  if (lostTo) {
    const words = describeContest(subject, lostTo, company, proofFrom(lostTo.rival), at)
    return contestMatch(resolution, words)
  }
  const evidence = outdone && describeOutdone(outdone, company, proofFrom(outdone))
  return evidence ? { ...resolution, evidence: [...resolution.evidence, evidence] } : resolution
}

interface Lost {
  company: Company
  loser: Claimant
  contest: Contest
  proof: Resolution['evidence'][number] | null
  winnerId: string
  others: readonly StoredClaim[]
  at: Date
}

/** Replaces the known answer of a site that was believed until now, and notifies the watchers of the company. */
async function contestRival(app: App, tx: Tx, lost: Lost): Promise<void> {
  const { company, loser, contest, proof, winnerId, others, at } = lost
  const stored = others.find(({ domain }) => domain === loser.domain)
  const known = stored && (await findResolution(tx, stored.resolutionId))
  if (!known) return
  const record = contestKnown(known, company, describeContest(loser, contest, company, proof, at), at)
  const resolutionId = newId('res')
  await insertResolution(tx, record, resolutionId, { captures: [], from: [known.id, winnerId] })
  const seenAt = known.resolvedAt
  await putClaim(tx, { companyNumber: company.number, claim: loser, state: 'contested', resolutionId, seenAt })
  await replaceKnown(tx, known.id, { id: resolutionId, record })
  await reportLostWebsite(app, tx, { company, domain: loser.domain, rival: contest.rival.domain, at })
}

/** Returns the domain's answer if its site was read in the last minutes, too soon to read it again. */
export async function findFresh(
  app: { db: Db; clock: App['clock'] },
  { domain, isByRules }: { domain: string; isByRules: boolean },
): Promise<KnownResolution | null> {
  return findNewest(app.db, domain, { at: app.clock.now(), maxAgeDays: 0, isByRules })
}

/**
 * Reads the site again, unless that was done in the last minutes, and stores the answer for all accounts. With `isByRules`
 * no second reader is asked.
 */
export async function readAgain(
  app: App,
  { domain, isByRules }: { domain: string; isByRules: boolean },
  signal: AbortSignal,
): Promise<KnownResolution> {
  const fresh = await findFresh(app, { domain, isByRules })
  if (fresh) return fresh
  const reading = { ...app, secondReader: isByRules ? null : await openSecondReader(app) }
  const resolution = await resolveDomain(reading, domain)
  signal.throwIfAborted()
  await app.db.transaction((tx) => storeAnswer(app, tx, resolution))
  const stored = await findFresh(app, { domain, isByRules })
  if (!stored) throw new Error(`the answer for ${domain} was stored and is not there`)
  return stored
}

/** Stores the answer and makes it the domain's known answer unless a newer one is. Claims nothing. Returns its id. */
export async function storeResolution(tx: Tx, resolution: Resolution): Promise<string> {
  const stored = await insertOne(tx, resolution, newId('res'))
  await makeKnown(tx, stored, null)
  return stored.id
}

function toRecord(resolution: Resolution): ResolutionRecord {
  const { domain, outcome, situation, confidence, company, reason, resolvedAt, explanation } = resolution
  return {
    domain,
    outcome,
    situation,
    confidence,
    companyNumber: company?.number ?? null,
    reason,
    findings: toFindings(resolution),
    modelVersion: explanation.version,
    resolvedAt,
    isSecondReaderDue: resolution.isSecondReaderDue,
  }
}

/** Stores an answer with the pages that it quotes. The domain's known answer stays as it is. */
async function insertResolution(tx: Tx, record: ResolutionRecord, id: string, pages: PageSources): Promise<void> {
  await tx.query(
    `insert into resolution
       (id, domain, outcome, situation, confidence, company_number, reason, findings, model_version, resolved_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      record.domain,
      record.outcome,
      record.situation,
      record.confidence,
      record.companyNumber,
      record.reason,
      JSON.stringify(record.findings),
      record.modelVersion,
      record.resolvedAt,
    ],
  )
  await keepPages(tx, { ...record, resolutionId: id, quoted: listQuoted(record.findings) }, pages)
}

/** Makes a stored answer its domain's known answer, unless a newer one is. `rules` has that of the rules, if it is another. */
async function makeKnown(tx: Tx, { id, record }: StoredOne, rules: StoredOne | null): Promise<void> {
  const { domain, outcome, companyNumber, resolvedAt, isSecondReaderDue } = record
  // Both answers expire with the one that is worth less.
  const expiries = [record, ...(rules ? [rules.record] : [])].map((one) => expiryOf(one.outcome, resolvedAt).getTime())
  await tx.query(
    `insert into known_domain as known (domain, resolution_id, outcome, company_number, resolved_at, expires_at,
       rules_resolution_id, rules_outcome, rules_company_number, rules_resolved_at, is_second_reader_due)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (domain) do update
       set resolution_id = excluded.resolution_id, outcome = excluded.outcome,
         company_number = excluded.company_number, resolved_at = excluded.resolved_at, expires_at = excluded.expires_at,
         rules_resolution_id = excluded.rules_resolution_id, rules_outcome = excluded.rules_outcome,
         rules_company_number = excluded.rules_company_number, rules_resolved_at = excluded.rules_resolved_at,
         is_second_reader_due = excluded.is_second_reader_due
       where known.resolved_at <= excluded.resolved_at`,
    [
      domain,
      id,
      outcome,
      companyNumber,
      resolvedAt,
      new Date(Math.min(...expiries)),
      rules?.id ?? null,
      rules?.record.outcome ?? null,
      rules?.record.companyNumber ?? null,
      rules ? resolvedAt : null,
      isSecondReaderDue,
    ],
  )
}

/** Replaces a known answer, whether it is the shared one or that of the rules beside it. */
async function replaceKnown(tx: Tx, replacedId: string, { id, record }: StoredOne): Promise<void> {
  const { domain, outcome, companyNumber, resolvedAt } = record
  const ruled = await tx.query(
    `update known_domain set rules_resolution_id = $3, rules_outcome = $4, rules_company_number = $5
     where domain = $1 and rules_resolution_id = $2 and rules_resolved_at = resolved_at returning domain`,
    [domain, replacedId, id, outcome, companyNumber],
  )
  if (ruled.length > 0) return
  await tx.query(
    `update known_domain set resolution_id = $3, outcome = $4, company_number = $5, resolved_at = $6, expires_at = $7,
       rules_resolved_at = case when rules_resolved_at = resolved_at then $6 else rules_resolved_at end
     where domain = $1 and resolved_at <= $6 and resolution_id = $2`,
    [domain, replacedId, id, outcome, companyNumber, resolvedAt, expiryOf(outcome, resolvedAt)],
  )
}

function toFindings(resolution: Resolution): Findings {
  const { evidence, explanation, candidates, considered, claim, secondReading, crawl, company } = resolution
  return {
    evidence: evidence.map((item) => ({ ...item, fetchedAt: item.fetchedAt.toISOString() })),
    explanation,
    candidates: candidates.map(({ company: { number, name }, confidence, reasons, against }) => ({
      companyNumber: number,
      companyName: name,
      confidence,
      reasons,
      against,
    })),
    considered: considered.map(({ companyNumber, companyName, says, quote, url }) => {
      return { companyNumber, companyName, says, quote, url }
    }),
    claim,
    secondReading,
    crawl: { ...crawl, pages: crawl.pages.map((page) => ({ ...page, fetchedAt: page.fetchedAt.toISOString() })) },
    registered: company && {
      name: company.name,
      number: company.number,
      status: company.status,
      postcode: company.address.postcode,
      changedAt: company.changedAt.toISOString(),
    },
  }
}
