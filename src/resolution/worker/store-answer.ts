import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { Company } from '../../register/index.ts'
import { type Outcome, type Resolution, resolveDomain, type SiteClaim } from '../../resolver/index.ts'
import { findNewest, findResolution, type KnownResolution } from '../answers/known.ts'
import { insertResolution, makeKnown, storeResolution, toRecord } from '../answers/record.ts'
import { contestKnown, contestResolution, describeContest, describeOutdone, proofOf } from '../rivals/contested.ts'
import { type Claimant, type Contest, compareRivals } from '../rivals/rivals.ts'
import {
  isImportedLink,
  listClaims,
  lockClaims,
  putClaim,
  removeClaims,
  type StoredClaim,
} from '../rivals/site-claims.ts'
import { reportLostWebsite } from '../website/website-checks.ts'

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
    const record = toRecord(resolution)
    const id = await insertResolution(tx, record)
    await makeKnown(tx, id, record)
    return { id, outcome, confidence: resolution.confidence }
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
    return contestResolution(resolution, company, words)
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
