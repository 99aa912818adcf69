/** Open reviews to which the decision on one of them applies too, with what a person must know before deciding them together. */
import type { App } from '../app.ts'
import { findReview, listByBestCandidate, listByDoubt, type ReviewEntry, reviewNotFound } from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import type { Db } from '../lib/db/db.ts'
import { type Company, findCompanies, findCompany, readGroupOf } from '../register/index.ts'
import { type KnownResolution, listResolutions } from '../resolution/index.ts'
import { getLooked } from './decide.ts'
import { type Comparison, compareWithRegister } from './differences.ts'
import { describeDoubt, findDoubt } from './doubts.ts'

export const ALIKE_BY = ['company', 'group', 'doubt'] as const
export type AlikeBy = (typeof ALIKE_BY)[number]

/** Reviews of each kind: with the review itself, as many as one request decides. */
export const ALIKE_MAX = 99
/** Companies of a group that are looked for, on each side. */
const GROUP_MAX = 100

export interface AlikeItem extends Comparison {
  id: string
  domain: string
  confidence: number | null
  reason: string
  by: AlikeBy
  /** The candidate that would be accepted; null where all would be rejected. */
  company: Company | null
}

export interface AlikeReviews {
  /** A sentence for each kind that there is, with what the reviews have in common. */
  kinds: Array<{ by: AlikeBy; says: string; count: number; hasMore: boolean }>
  items: AlikeItem[]
}

interface AlikeAsk {
  accountId: string
  id: string
  action: 'accept' | 'reject'
  /** The candidate that is accepted; by default the best one. */
  companyNumber: string | null
}

/** A review is listed once, by the closest of the three kinds: the same company, a company of its group, the same doubt. */
export async function listAlike({ db }: App, ask: AlikeAsk): Promise<AlikeReviews> {
  const { accountId, id, action } = ask
  const entry = await findReview(db, { accountId, id })
  if (!entry) throw reviewNotFound()
  const company = await findChosen(db, await getLooked(db, entry.resolutionId), ask.companyNumber)
  const sets = await findSets(db, { accountId, entry, company })
  const listed = new Set<string>()
  const kinds: AlikeReviews['kinds'] = []
  const items: AlikeItem[] = []
  for (const { by, says, entries } of sets) {
    const fresh = entries.filter((one) => !listed.has(one.id))
    const shown = fresh.slice(0, ALIKE_MAX)
    if (shown.length === 0) continue
    for (const one of shown) listed.add(one.id)
    kinds.push({ by, says, count: shown.length, hasMore: fresh.length > ALIKE_MAX })
    items.push(...(await preview(db, { by, entries: shown, isAccepted: action === 'accept' })))
  }
  return { kinds, items }
}

async function findChosen(db: Db, { findings }: KnownResolution, number: string | null): Promise<Company | null> {
  const candidates = findings.candidates.map((candidate) => candidate.companyNumber)
  if (number !== null && !candidates.includes(number)) {
    const message = 'is none of the candidates'
    throw new DomainError('invalid_request', `company_number ${message}.`, {
      errors: [{ field: 'company_number', message }],
    })
  }
  const chosen = number ?? candidates[0]
  return chosen === undefined ? null : findCompany(db, chosen)
}

interface AlikeSet {
  by: AlikeBy
  says: string
  entries: ReviewEntry[]
}

async function findSets(
  db: Db,
  { accountId, entry, company }: { accountId: string; entry: ReviewEntry; company: Company | null },
): Promise<AlikeSet[]> {
  // One more shows that there are more.
  const ask = { accountId, exceptId: entry.id, limit: ALIKE_MAX + 1 }
  const sets: AlikeSet[] = []
  if (company) {
    const same = await listByBestCandidate(db, { ...ask, numbers: [company.number] })
    sets.push({ by: 'company', says: `Their best candidate is ${company.name} too.`, entries: same })
    sets.push(await findOfGroup(db, ask, company))
  }
  const doubt = findDoubt(entry.situation)
  if (doubt !== null) {
    const entries = await listByDoubt(db, { ...ask, limit: 3 * ALIKE_MAX, situation: doubt })
    sets.push({ by: 'doubt', says: `The doubt is the same: ${lowerFirst(describeDoubt(doubt))}.`, entries })
  }
  return sets
}

async function findOfGroup(
  db: Db,
  ask: { accountId: string; exceptId: string; limit: number },
  company: Company,
): Promise<AlikeSet> {
  const group = await readGroupOf(db, company, { limit: GROUP_MAX, children: null, siblings: null })
  const [parent] = group.ancestors
  const numbers = [
    ...group.ancestors.flatMap((owner) => owner.companyNumber ?? []),
    ...[...group.children.companies, ...group.siblings.companies].map((one) => one.companyNumber),
  ]
  const entries = numbers.length === 0 ? [] : await listByBestCandidate(db, { ...ask, numbers })
  const of = parent?.name ? `the group of ${parent.name}` : `the group of ${company.name}`
  return { by: 'group', says: `Their best candidate belongs to ${of}.`, entries }
}

async function preview(
  db: Db,
  { by, entries, isAccepted }: { by: AlikeBy; entries: readonly ReviewEntry[]; isAccepted: boolean },
): Promise<AlikeItem[]> {
  const answers = new Map(
    (
      await listResolutions(
        db,
        entries.map(({ resolutionId }) => resolutionId),
      )
    ).map((answer) => [answer.id, answer]),
  )
  const bestOf = (answer: KnownResolution) => answer.findings.candidates[0]?.companyNumber
  const numbers = [...new Set([...answers.values()].flatMap((answer) => bestOf(answer) ?? []))]
  const companies = new Map((await findCompanies(db, numbers)).map((company) => [company.number, company]))
  return entries.flatMap(({ id, domain, resolutionId }) => {
    const answer = answers.get(resolutionId)
    if (!answer) return []
    const best = companies.get(bestOf(answer) ?? '') ?? null
    // Without a candidate there is nothing to accept.
    if (isAccepted && best === null) return []
    const { confidence, reason } = answer
    const comparison = best
      ? compareWithRegister(best, quotesAbout(answer, best.number))
      : { compared: [], differences: [] }
    return [{ id, domain, confidence, reason, by, company: isAccepted ? best : null, ...comparison }]
  })
}

/** Returns the words on the site about a company. */
export function quotesAbout({ findings }: KnownResolution, number: string): string[] {
  return findings.evidence.filter(({ supports }) => supports === number).map(({ quote }) => quote)
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
