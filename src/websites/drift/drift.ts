/** How a verified site changes: what a check observes, what follows from it, and the signal. Pure. */
import { toLondonDate } from '../../lib/clock.ts'
import type { CheckResult, VerifiedSite, WebsiteCheck } from '../../resolution/index.ts'
import { type Resolution, sharedKindOf } from '../../resolver/index.ts'
import { keyOfFact, type NewSignal } from '../../signals/index.ts'

/** The state of a verified site at a check. */
export type Observation =
  | { kind: 'same' }
  /** It leads to another domain; `isProven` where that names the same company beyond doubt. */
  | { kind: 'moved'; to: string; isProven: boolean }
  /** For sale, or the default page of a host. */
  | { kind: 'parked' }
  | { kind: 'other_company'; number: string; name: string; to: string | null }
  /** It can be read and names the company nowhere, neither by number nor by name. */
  | { kind: 'unnamed' }
  /** The domain does not exist any more. */
  | { kind: 'gone' }
  /** It could not be read, which says nothing about whose it is. */
  | { kind: 'unread' }

/**
 * Compares a fresh answer for the domain with the verified one. In doubt the site is the same: one that still prints the
 * company, though it is no proof any more (it was dissolved, another is named beside it, the number is gone), is the same.
 */
export function observeDrift(before: VerifiedSite, resolution: Resolution): Observation {
  const { outcome, company, crawl } = resolution
  if (outcome === 'scrape_failed') return { kind: hasLapsed(crawl.attempts) ? 'gone' : 'unread' }
  const to = crawl.redirectedTo === before.leadsTo ? null : crawl.redirectedTo
  if (company && company.number !== before.companyNumber) {
    return { kind: 'other_company', number: company.number, name: company.name, to }
  }
  if (company) return to === null ? { kind: 'same' } : { kind: 'moved', to, isProven: true }
  if (to !== null && sharedKindOf(to) === 'domain dealer') return { kind: 'parked' }
  // Before the words of a parked page: a small site may say "coming soon" and still be the company's.
  const isNamed = names(resolution, before.companyNumber)
  if (!isNamed && resolution.placeholder !== null) return { kind: 'parked' }
  if (to !== null) return { kind: 'moved', to, isProven: false }
  return { kind: isNamed ? 'same' : 'unnamed' }
}

/** Returns the stored form, by which an observation is reported once. An unproven move may lead elsewhere every day. */
export function wordOf(observation: Observation): string {
  return observation.kind === 'other_company' ? `other_company:${observation.number}` : observation.kind
}

/** Every name server said so, for the bare name and with `www.`; one that fails or is silent proves nothing. */
function hasLapsed(attempts: Resolution['crawl']['attempts']): boolean {
  return attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'name_not_found')
}

function names({ candidates, considered }: Resolution, companyNumber: string): boolean {
  return (
    considered.some((one) => one.companyNumber === companyNumber) ||
    candidates.some(({ company }) => company.number === companyNumber)
  )
}

export interface Step extends CheckResult {
  isNews: boolean
}

/**
 * Bad news is reported when a second check, so many days after the first, does not find the site well either. A server
 * that is moved shows the host's page or a neighbour's site for some hours, and a bill paid late has a domain suspended for
 * as long: a day is enough for both. A site that is rebuilt, or redirects for a while, gets a week.
 */
const BELIEVED_AFTER_DAYS = { other_company: 1, parked: 1, gone: 1, moved: 7, unnamed: 7 }

/** These mean only that the site is not as it was, which is no news after a worse report. */
const VAGUE: ReadonlySet<Observation['kind']> = new Set(['moved', 'unnamed'])

/**
 * A site that cannot be read is checked again the next day, and after so many days at the usual time. That is never
 * reported: sites refuse programs, or ours, for years while people see them.
 */
const FAILURES_MAX = 3
const AFTER_FAILURE_DAYS = 1

/** Returns what follows from an observation: whether to report it, the state to store, and when to check again. */
export function takeStep(check: WebsiteCheck, observation: Observation): Step {
  const { domain, leadsTo, state, doubt } = check
  if (observation.kind === 'unread') {
    const failures = (check.failures + 1) % FAILURES_MAX
    const lookAgainDays = failures === 0 ? null : AFTER_FAILURE_DAYS
    return { next: { domain, leadsTo, state, doubt, failures }, isNews: false, lookAgainDays }
  }
  const settle = (next: Partial<Step['next']>, isNews: boolean): Step => ({
    next: { domain, leadsTo, state, doubt: null, failures: 0, ...next },
    isNews,
    lookAgainDays: null,
  })
  // From then on the new domain is the verified one.
  if (isProvenMove(observation)) return settle({ domain: observation.to, leadsTo: null, state: 'same' }, true)
  // Silently, so that the next change is reported again.
  if (observation.kind === 'same') return settle({ state: 'same' }, false)
  const word = wordOf(observation)
  if (word === state || (state !== 'same' && VAGUE.has(observation.kind))) return settle({}, false)
  if (doubt !== null) return settle({ state: word }, true)
  const next = { domain, leadsTo, state, doubt: word, failures: 0 }
  return { next, isNews: false, lookAgainDays: BELIEVED_AFTER_DAYS[observation.kind] }
}

function isProvenMove(observation: Observation): observation is Extract<Observation, { kind: 'moved' }> {
  return observation.kind === 'moved' && observation.isProven
}

/** An observation that raises a signal. */
export type Change = Exclude<Observation, { kind: 'same' | 'unread' }>

type Words = Pick<NewSignal, 'severity' | 'summary' | 'changes'>

export function toWebsiteSignal(
  check: WebsiteCheck,
  change: Change,
  { companyName, at }: { companyName: string; at: Date },
): NewSignal {
  const { companyNumber, domain, checkedAt } = check
  return {
    companyNumber,
    companyName,
    signalType: 'website_changed',
    ...describe(check, change, `The web site of ${companyName}, ${domain},`),
    occurredOn: toLondonDate(at),
    sourceKind: 'website',
    sourceReference: domain,
    // The time of the previous check is part of the key: the same change may come again once the site has been well.
    dedupe: keyOfFact(domain, wordOf(change), String(checkedAt.getTime())),
  }
}

function describe({ companyNumber, domain, state }: WebsiteCheck, change: Change, site: string): Words {
  const from = state === 'same' ? 'verified' : (state.split(':')[0] ?? state)
  const status = (to: string) => [{ field: 'website_status', from, to }]
  const company = (to: string | null) => ({ field: 'website_company', from: companyNumber, to })
  switch (change.kind) {
    case 'moved':
      return {
        severity: change.isProven ? 'info' : 'notice',
        summary: change.isProven
          ? `${site} moved to ${change.to}, which names the same company.`
          : `${site} now leads to ${change.to}, which does not prove to be the company’s.`,
        changes: [{ field: 'website', from: domain, to: change.to }],
      }
    case 'other_company':
      return {
        severity: 'warning',
        summary: `${site} now ${change.to === null ? '' : `leads to ${change.to} and `}names another company, ${change.name} (${change.number}).`,
        changes: [
          company(change.number),
          ...(change.to === null ? [] : [{ field: 'website', from: domain, to: change.to }]),
        ],
      }
    case 'parked':
      return {
        severity: 'warning',
        summary: `${site} is parked: it shows a placeholder or offers the domain for sale.`,
        changes: status('parked'),
      }
    case 'gone':
      return {
        severity: 'warning',
        summary: `${site} is gone: the domain does not exist any more.`,
        changes: status('gone'),
      }
    case 'unnamed':
      return {
        severity: 'notice',
        summary: `${site} does not name the company any more.`,
        changes: [company(null)],
      }
  }
}
