/** The answer for a domain: its site is read, compared with other sites that claim the same company, and stored. */
import { acceptsSecondReader } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import type { Company } from '../../register/index.ts'
import {
  contestMatch,
  type Decision,
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
  compareRivals,
  isImportedLink,
  listClaims,
  lockClaims,
  putClaim,
  removeClaims,
  type StoredClaim,
} from '../rivals/rivals.ts'
import { reportLostWebsite } from '../website/website-checks.ts'
import { ProgressWriter, runWork } from './work.ts'

/** Longer than a crawl and its answer take. The job of a worker that died may lease the work again at once. */
const LEASE_SECONDS = 60

/** Reads a domain's site and gives the answer to all who wait for it. */
export async function answerDomain(app: App, { domain }: { domain: string }, run: JobRun): Promise<void> {
  const work = { kind: 'domain', subject: domain } as const
  await runWork(app, work, run, LEASE_SECONDS, async ({ isBackground }) => {
    using progress = new ProgressWriter(app, { ...work, jobId: run.id, startedAt: app.clock.now() })
    // Background work has no caller who would see progress.
    const reading = { ...app, secondReader: await chooseReader(app, domain) }
    const resolution = await resolveDomain(reading, domain, isBackground ? {} : progress)
    return async (tx) => {
      const stored = await storeAnswer(app, tx, resolution)
      return { ...toResult(stored, resolution), rules: stored.rules && toResult(stored.rules, resolution.ruled) }
    }
  })
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
 * or the others, whose known answers are replaced. All in the transaction of the answer.
 */
export async function storeAnswer(app: App, tx: Tx, resolution: Resolution): Promise<StoredAnswer> {
  const { domain, outcome, confidence, company, claim } = resolution
  const rules = resolution.ruled && (await storeRuled(app, tx, resolution, resolution.ruled))
  // A site that cannot be read withdraws no claim.
  if (outcome !== 'scrape_failed') await removeClaims(tx, domain, company?.number ?? null)
  if (company === null || claim === null) {
    return { id: await storeResolution(tx, resolution, rules), domain, outcome, confidence, rules }
  }
  return storeMatch(app, tx, { resolution, company, claim }, rules)
}

/** The answer of the rules beside that of a second reader. */
type StoredRules = NonNullable<StoredAnswer['rules']> & { companyNumber: string | null }

/** Stores the answer of the rules that the second reader's replaced, for accounts that refuse one. It claims nothing. */
async function storeRuled(app: App, tx: Tx, resolution: Resolution, ruled: Decision): Promise<StoredRules> {
  const alone: Resolution = { ...resolution, ...ruled, ruled: null }
  const { company, claim } = ruled
  const match = company && claim && { resolution: alone, company, claim }
  const record = toRecord(match ? describeFinal(alone, match.company, await findRivals(app, tx, match)) : alone)
  const { domain, outcome, confidence, companyNumber } = record
  return { id: await insertResolution(tx, record), domain, outcome, confidence, companyNumber }
}

interface Match {
  resolution: Resolution
  company: Company
  claim: SiteClaim
}

/** Compares a match with the other sites that claim its company. */
async function findRivals(app: App, tx: Tx, { resolution, company, claim }: Match) {
  const at = app.clock.now()
  const claims = await listClaims(tx, company, at)
  const before = claims.find(({ domain }) => domain === resolution.domain)
  const others = claims.filter((other) => other !== before)
  const subject: Claimant = {
    ...claim,
    domain: resolution.domain,
    state: before?.state ?? 'new',
    firstSeenAt: before?.firstSeenAt ?? at,
    isVerified: before?.isVerified ?? false,
    isImported: before?.isImported ?? (await isImportedLink(tx, company.number, [resolution.domain, claim.site])),
  }
  return { ...compareRivals(subject, others, at), subject, others, at }
}

async function storeMatch(app: App, tx: Tx, match: Match, rules: StoredRules | null): Promise<StoredAnswer> {
  const { resolution, company } = match
  await lockClaims(tx, company.number)
  const rivals = await findRivals(app, tx, match)
  const { subject, others, lostTo, lost, at } = rivals
  const final = describeFinal(resolution, company, rivals)
  const record = toRecord(final)
  const id = await insertResolution(tx, record)
  const state = lostTo === null ? 'held' : 'contested'
  await putClaim(tx, { companyNumber: company.number, claim: subject, state, resolutionId: id, seenAt: at })
  await makeKnown(tx, id, record, rules)
  if (lostTo) await reportLostWebsite(app, tx, { company, domain: subject.domain, rival: lostTo.rival.domain, at })
  const proof = resolution.evidence[0] ?? null
  for (const { rival, isClear } of lost) {
    const contest = { rival: { ...subject, state }, isClear } as const
    await contestRival(app, tx, { company, loser: rival, contest, proof, others, at })
  }
  return { id, domain: final.domain, outcome: final.outcome, confidence: final.confidence, rules }
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
  others: readonly StoredClaim[]
  at: Date
}

/** Replaces the known answer of a site that was believed until now, and notifies the watchers of the company. */
async function contestRival(app: App, tx: Tx, { company, loser, contest, proof, others, at }: Lost): Promise<void> {
  const stored = others.find(({ domain }) => domain === loser.domain)
  const known = stored && (await findResolution(tx, stored.resolutionId))
  if (!known) return
  const record = contestKnown(known, company, describeContest(loser, contest, company, proof, at), at)
  const resolutionId = await insertResolution(tx, record)
  const seenAt = known.resolvedAt
  await putClaim(tx, { companyNumber: company.number, claim: loser, state: 'contested', resolutionId, seenAt })
  await makeKnown(tx, resolutionId, record, 'as before')
  await reportLostWebsite(app, tx, { company, domain: loser.domain, rival: contest.rival.domain, at })
}

/** Returns the domain's answer if its site was read in the last minutes, too soon to read it again. */
export async function findFresh(
  app: { db: Db; clock: App['clock'] },
  { domain, accountId }: { domain: string; accountId: string },
): Promise<KnownResolution | null> {
  return findNewest(app.db, domain, { at: app.clock.now(), maxAgeDays: 0, accountId })
}

/** Reads the site again, unless that was done in the last minutes, and stores the answer for all accounts. */
export async function readAgain(
  app: App,
  { domain, accountId }: { domain: string; accountId: string },
  signal: AbortSignal,
): Promise<KnownResolution> {
  const fresh = await findFresh(app, { domain, accountId })
  if (fresh) return fresh
  const isAccepted = await acceptsSecondReader(app.db, accountId)
  const reading = { ...app, secondReader: isAccepted ? await openSecondReader(app) : null }
  const resolution = await resolveDomain(reading, domain)
  signal.throwIfAborted()
  await app.db.transaction((tx) => storeAnswer(app, tx, resolution))
  const stored = await findFresh(app, { domain, accountId })
  if (!stored) throw new Error(`the answer for ${domain} was stored and is not there`)
  return stored
}

/** Stores the answer and makes it the domain's known answer unless a newer one is. Returns its id. */
export async function storeResolution(tx: Tx, resolution: Resolution, rules: StoredRules | null): Promise<string> {
  const record = toRecord(resolution)
  const id = await insertResolution(tx, record)
  await makeKnown(tx, id, record, rules)
  return id
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

/** Returns its id. The domain's known answer stays as it is. */
async function insertResolution(tx: Tx, record: ResolutionRecord): Promise<string> {
  const id = newId('res')
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
  return id
}

/** Makes a stored answer its domain's known answer, unless a newer one is. */
async function makeKnown(
  tx: Tx,
  id: string,
  { domain, outcome, companyNumber, resolvedAt, isSecondReaderDue }: ResolutionRecord,
  rules: StoredRules | null | 'as before',
): Promise<void> {
  const ruled = rules === 'as before' ? null : rules
  const expiresAt = expiryOf(outcome, resolvedAt)
  await tx.query(
    `insert into known_domain as known (domain, resolution_id, outcome, company_number, resolved_at, expires_at,
       rules_resolution_id, rules_outcome, rules_company_number, is_second_reader_due)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (domain) do update
       set resolution_id = excluded.resolution_id, outcome = excluded.outcome,
         company_number = excluded.company_number, resolved_at = excluded.resolved_at, expires_at = excluded.expires_at,
         is_second_reader_due = excluded.is_second_reader_due,
         rules_resolution_id = case when $11 then known.rules_resolution_id else excluded.rules_resolution_id end,
         rules_outcome = case when $11 then known.rules_outcome else excluded.rules_outcome end,
         rules_company_number = case when $11 then known.rules_company_number else excluded.rules_company_number end
       where known.resolved_at <= excluded.resolved_at`,
    [
      domain,
      id,
      outcome,
      companyNumber,
      resolvedAt,
      expiresAt,
      ruled?.id ?? null,
      ruled?.outcome ?? null,
      ruled?.companyNumber ?? null,
      isSecondReaderDue,
      rules === 'as before',
    ],
  )
}

function toFindings(resolution: Resolution): Findings {
  const { evidence, explanation, candidates, considered, claim, secondReading, crawl, company } = resolution
  return {
    evidence: evidence.map((item) => ({ ...item, fetchedAt: item.fetchedAt.toISOString() })),
    explanation,
    candidates: candidates.map(({ company: { number, name }, confidence, reasons }) => ({
      companyNumber: number,
      companyName: name,
      confidence,
      reasons,
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
