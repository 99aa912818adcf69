/** The answer for a domain: its site is read, compared with other sites that claim the same company, and stored. */
import type { App } from '../../app.ts'
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
import { findReading } from './sweep-reading.ts'
import { ProgressWriter, runWork } from './work.ts'

/** Longer than a crawl and its answer take. The job of a worker that died may lease the work again at once. */
const LEASE_SECONDS = 60

/** Reads a domain's site and gives the answer to all who wait for it. */
export async function answerDomain(app: App, { domain }: { domain: string }, run: JobRun): Promise<void> {
  const work = { kind: 'domain', subject: domain } as const
  await runWork(app, work, run, LEASE_SECONDS, async ({ isBackground, readAfter }) => {
    // A reading of a list that could not be stored is not tried twice.
    const kept = run.attempt === 1 ? await findReading(app.db, { domain, readAfter, at: app.clock.now() }) : null
    if (kept) {
      return async (tx) => {
        await assertAccepted(tx, kept)
        return toResult(await storeAnswer(app, tx, kept), kept)
      }
    }
    using progress = new ProgressWriter(app, { ...work, jobId: run.id, startedAt: app.clock.now() })
    // Background work has no caller who would see progress.
    const reading = { ...app, secondReader: await chooseReader(app, domain) }
    const resolution = await resolveDomain(reading, domain, isBackground ? {} : progress)
    return async (tx) => toResult(await storeAnswer(app, tx, resolution), resolution)
  })
}

/** A caller who joined meanwhile and wants a newer answer than a list's reading has the site read by the next run. */
async function assertAccepted(tx: Tx, { domain, resolvedAt }: Resolution): Promise<void> {
  // No request joins from here on: it would lock the same row first.
  const [work] = await tx.query<{ readAfter: Date | null }>(
    `select read_after as "readAfter" from resolution_work where kind = 'domain' and subject = $1 for update`,
    [domain],
  )
  if (work?.readAfter && work.readAfter > resolvedAt) {
    throw new Error(`the reading of ${domain} is older than a caller accepts`)
  }
}

/** No second reader is asked where all who wait refuse it. One that has no task asks nothing. */
async function chooseReader(app: App, domain: string): Promise<SecondReader | null> {
  if (app.config.secondReader === null || (await isReaderRefused(app.db, domain))) return null
  return openSecondReader(app)
}

/** Another site that claims the company may have made a match a question for a person. */
function toResult(
  { id: resolutionId, domain, outcome, confidence }: StoredAnswer,
  resolved: Pick<Resolution, 'company'>,
): WorkResult {
  const company = outcome === 'matched' ? resolved.company : null
  return { outcome, confidence, fact: company ? { domain, companyNumber: company.number } : null, resolutionId }
}

/** The stored answer. Its outcome may differ from what the site alone proves. */
export interface StoredAnswer {
  id: string
  domain: string
  outcome: Outcome
  confidence: number | null
}

/**
 * Stores a domain's answer. Where other sites claim the same company, the one that fits worse goes to a person: this one,
 * or the others, whose known answers are replaced. All in the transaction of the answer.
 */
export async function storeAnswer(app: App, tx: Tx, resolution: Resolution): Promise<StoredAnswer> {
  const { domain } = resolution
  const stored = await storeCompared(app, tx, resolution, newId('res'))
  await makeKnown(tx, stored)
  const { outcome, confidence } = stored.record
  return { id: stored.id, domain, outcome, confidence }
}

interface StoredOne {
  id: string
  record: ResolutionRecord
}

/**
 * Stores one answer. Only the rules claim a company for a site, or withdraw a claim: a match that the second reader found
 * claims nothing, and one that it objects to still claims its company.
 */
async function storeCompared(app: App, tx: Tx, resolution: Resolution, id: string): Promise<StoredOne> {
  const { domain, company, claim } = resolution
  const byRules = resolution.ruled ?? resolution
  // A site that cannot be read withdraws no claim.
  if (byRules.outcome !== 'scrape_failed') await removeClaims(tx, domain, byRules.company?.number ?? null)
  if (byRules.company && byRules.claim) {
    return storeMatch(app, tx, { resolution, company: byRules.company, claim: byRules.claim }, id)
  }
  if (!company || !claim) return insertOne(tx, resolution, id)
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
  await insertResolution(tx, record, id, { captures: resolution.captures, from })
  return { id, record }
}

/** The company that the rules matched, and what the site claims. The second reader may have objected since. */
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
  const final = resolution.company ? describeFinal(resolution, company, rivals) : resolution
  const stored = await insertOne(tx, final, id, others)
  const state = lostTo === null ? 'held' : 'contested'
  await putClaim(tx, { companyNumber: company.number, claim: subject, state, resolutionId: stored.id, seenAt: at })
  if (lostTo) await reportLostWebsite(app, tx, { company, domain: subject.domain, rival: lostTo.rival.domain, at })
  const proof = (resolution.ruled ?? resolution).evidence[0] ?? null
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

/**
 * Replaces the known answer of a site that was believed until now, and notifies the watchers of the company. One that the
 * second reader objects to is with a person already.
 */
async function contestRival(app: App, tx: Tx, lost: Lost): Promise<void> {
  const { company, loser, contest, proof, winnerId, others, at } = lost
  const stored = others.find(({ domain }) => domain === loser.domain)
  const known = stored && (await findResolution(tx, stored.resolutionId))
  if (!known) return
  const contested = {
    companyNumber: company.number,
    claim: loser,
    state: 'contested',
    seenAt: known.resolvedAt,
  } as const
  if (known.outcome !== 'matched') {
    await putClaim(tx, { ...contested, resolutionId: known.id })
  } else {
    const record = contestKnown(known, company, describeContest(loser, contest, company, proof, at), at)
    const resolutionId = newId('res')
    await insertResolution(tx, record, resolutionId, { captures: [], from: [known.id, winnerId] })
    await putClaim(tx, { ...contested, resolutionId })
    await replaceKnown(tx, known.id, { id: resolutionId, record })
  }
  await reportLostWebsite(app, tx, { company, domain: loser.domain, rival: contest.rival.domain, at })
}

/** Returns the domain's answer if its site was read in the last minutes, too soon to read it again. */
export async function findFresh(app: { db: Db; clock: App['clock'] }, domain: string): Promise<KnownResolution | null> {
  return findNewest(app.db, domain, { at: app.clock.now(), maxAgeDays: 0 })
}

/** Reads the site again, unless that was done in the last minutes, and stores the answer for all accounts. */
export async function readAgain(
  app: App,
  { domain, asksReader }: { domain: string; asksReader: boolean },
  signal: AbortSignal,
): Promise<KnownResolution> {
  const fresh = await findFresh(app, domain)
  if (fresh) return fresh
  const reading = { ...app, secondReader: asksReader ? await openSecondReader(app) : null }
  const resolution = await resolveDomain(reading, domain)
  signal.throwIfAborted()
  await app.db.transaction((tx) => storeAnswer(app, tx, resolution))
  const stored = await findFresh(app, domain)
  if (!stored) throw new Error(`the answer for ${domain} was stored and is not there`)
  return stored
}

/** Stores the answer and makes it the domain's known answer unless a newer one is. Claims nothing. Returns its id. */
export async function storeResolution(tx: Tx, resolution: Resolution): Promise<string> {
  const stored = await insertOne(tx, resolution, newId('res'))
  await makeKnown(tx, stored)
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

/** Makes a stored answer its domain's known answer, unless a newer one is. */
async function makeKnown(tx: Tx, { id, record }: StoredOne): Promise<void> {
  const { domain, outcome, companyNumber, resolvedAt } = record
  await tx.query(
    `insert into known_domain as known (domain, resolution_id, outcome, company_number, resolved_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (domain) do update
       set resolution_id = excluded.resolution_id, outcome = excluded.outcome, company_number = excluded.company_number,
         resolved_at = excluded.resolved_at, expires_at = excluded.expires_at
       where known.resolved_at <= excluded.resolved_at`,
    [domain, id, outcome, companyNumber, resolvedAt, expiryOf(record)],
  )
}

async function replaceKnown(tx: Tx, replacedId: string, { id, record }: StoredOne): Promise<void> {
  const { domain, outcome, companyNumber, resolvedAt } = record
  await tx.query(
    `update known_domain set resolution_id = $3, outcome = $4, company_number = $5, resolved_at = $6, expires_at = $7
     where domain = $1 and resolved_at <= $6 and resolution_id = $2`,
    [domain, replacedId, id, outcome, companyNumber, resolvedAt, expiryOf(record)],
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
