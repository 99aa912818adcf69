/** The answer for a domain: its site is read, compared with other sites that claim the same company, and stored. */
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import type { Company } from '../../register/index.ts'
import { contestMatch, type Outcome, type Resolution, resolveDomain, type SiteClaim } from '../../resolver/index.ts'
import {
  expiryOf,
  type Findings,
  findNewest,
  findResolution,
  type KnownResolution,
  type ResolutionRecord,
} from '../answers/known.ts'
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
    const resolution = await resolveDomain(app, domain, isBackground ? {} : progress)
    return async (tx) => {
      const { id: resolutionId, outcome, confidence } = await storeAnswer(app, tx, resolution)
      // Another site that claims the company may have made it a question for a person.
      const { company } = resolution
      const fact = outcome === 'matched' && company ? { domain, companyNumber: company.number } : null
      return { outcome, confidence, fact, resolutionId }
    }
  })
}

/** The stored answer. Its outcome may differ from what the site alone proves. */
export interface StoredAnswer {
  id: string
  outcome: Outcome
  confidence: number | null
}

/**
 * Stores a domain's answer. Where other sites claim the same company, the one that fits worse goes to a person: this one,
 * or the others, whose known answers are replaced. All in the transaction of the answer.
 */
export async function storeAnswer(app: App, tx: Tx, resolution: Resolution): Promise<StoredAnswer> {
  const { domain, outcome, company, claim } = resolution
  // A site that cannot be read withdraws no claim.
  if (outcome !== 'scrape_failed') await removeClaims(tx, domain, company?.number ?? null)
  if (company === null || claim === null) {
    return { id: await storeResolution(tx, resolution), outcome, confidence: resolution.confidence }
  }
  return storeMatch(app, tx, { resolution, company, claim })
}

interface Match {
  resolution: Resolution
  company: Company
  claim: SiteClaim
}

async function storeMatch(app: App, tx: Tx, { resolution, company, claim }: Match): Promise<StoredAnswer> {
  const at = app.clock.now()
  await lockClaims(tx, company.number)
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
  const { lostTo, lost, outdone } = compareRivals(subject, others, at)
  const final = describeFinal(resolution, company, { subject, lostTo, outdone, others, at })
  const record = toRecord(final)
  const id = await insertResolution(tx, record)
  const state = lostTo === null ? 'held' : 'contested'
  await putClaim(tx, { companyNumber: company.number, claim: subject, state, resolutionId: id, seenAt: at })
  await makeKnown(tx, id, record)
  if (lostTo) await reportLostWebsite(app, tx, { company, domain: subject.domain, rival: lostTo.rival.domain, at })
  const proof = resolution.evidence[0] ?? null
  for (const { rival, isClear } of lost) {
    const contest = { rival: { ...subject, state }, isClear } as const
    await contestRival(app, tx, { company, loser: rival, contest, proof, others, at })
  }
  return { id, outcome: final.outcome, confidence: final.confidence }
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
  await makeKnown(tx, resolutionId, record)
  await reportLostWebsite(app, tx, { company, domain: loser.domain, rival: contest.rival.domain, at })
}

/** Returns the domain's answer if its site was read in the last minutes, too soon to read it again. */
export async function findFresh(app: { db: Db; clock: App['clock'] }, domain: string): Promise<KnownResolution | null> {
  return findNewest(app.db, domain, { at: app.clock.now(), maxAgeDays: 0 })
}

/** Reads the site again, unless that was done in the last minutes, and stores the answer for all accounts. */
export async function readAgain(app: App, domain: string, signal: AbortSignal): Promise<KnownResolution> {
  const fresh = await findFresh(app, domain)
  if (fresh) return fresh
  const resolution = await resolveDomain(app, domain)
  signal.throwIfAborted()
  await app.db.transaction((tx) => storeResolution(tx, resolution))
  const stored = await findFresh(app, domain)
  if (!stored) throw new Error(`the answer for ${domain} was stored and is not there`)
  return stored
}

/** Stores the answer and makes it the domain's known answer unless a newer one is. Returns its id. */
export async function storeResolution(tx: Tx, resolution: Resolution): Promise<string> {
  const record = toRecord(resolution)
  const id = await insertResolution(tx, record)
  await makeKnown(tx, id, record)
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
  { domain, outcome, companyNumber, resolvedAt }: ResolutionRecord,
): Promise<void> {
  await tx.query(
    `insert into known_domain as known (domain, resolution_id, outcome, company_number, resolved_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (domain) do update
       set resolution_id = excluded.resolution_id, outcome = excluded.outcome,
         company_number = excluded.company_number, resolved_at = excluded.resolved_at, expires_at = excluded.expires_at
       where known.resolved_at <= excluded.resolved_at`,
    [domain, id, outcome, companyNumber, resolvedAt, expiryOf(outcome, resolvedAt)],
  )
}

function toFindings({ evidence, explanation, candidates, considered, claim, crawl, company }: Resolution): Findings {
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
