/** The domains that an account asked for in this tab, the newest first. The tab forgets them when it closes or the person signs out. */
import type { Resolution } from '../../api/bodies.ts'

export interface Recent {
  domain: string
  outcome: string
  company: string | null
  /** Until then the account can ask again for nothing; null where we did not see it pay. */
  paidUntil: number | null
}

const PREFIX = 'nameplate-recent-'
const KEPT_MAX = 8
const PAID_MS = 30 * 86_400_000

const keyOf = (accountId: string) => `${PREFIX}${accountId}`

export function readRecents(accountId: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(accountId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, KEPT_MAX) : []
  } catch {
    return []
  }
}

function isRecent(one: unknown): one is Recent {
  return typeof one === 'object' && one !== null && 'domain' in one && typeof one.domain === 'string'
}

export function addRecent(accountId: string, resolution: Resolution): void {
  const { domain, outcome, company } = resolution
  const recents = readRecents(accountId)
  const before = recents.find((one) => one.domain === domain)
  const added = { domain, outcome, company: company?.company_name ?? null, paidUntil: paidUntilOf(resolution, before) }
  const others = recents.filter((one) => one !== before)
  sessionStorage.setItem(keyOf(accountId), JSON.stringify([added, ...others].slice(0, KEPT_MAX)))
}

/** A match that this tab saw paid for is free for 30 days. */
function paidUntilOf({ charged, charge_reason: reason }: Resolution, before: Recent | undefined): number | null {
  if (charged) return Date.now() + PAID_MS
  return reason === 'already_paid' ? (before?.paidUntil ?? null) : null
}

/** Whether the account can ask for the domain again without a charge, whatever the answer is by now. */
export function isFreeAgain(accountId: string, domain: string): boolean {
  return readRecents(accountId).some((one) => one.domain === domain && (one.paidUntil ?? 0) > Date.now())
}

/** Removes what the tab keeps of any account. */
export function forgetRecents(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
