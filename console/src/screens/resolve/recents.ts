/** The domains that were asked for in this browser, the newest first. They are stored in the browser alone. */
import type { Resolution } from '../../api/bodies.ts'

export interface Recent {
  domain: string
  outcome: string
  company: string | null
  /** Until then the same request shows the same answer, free of charge. */
  freeUntil: string
}

const KEY = 'nameplate-recent'
const KEPT_MAX = 8

export function readRecents(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, KEPT_MAX) : []
  } catch {
    return []
  }
}

function isRecent(one: unknown): one is Recent {
  return typeof one === 'object' && one !== null && 'domain' in one && typeof one.domain === 'string'
}

export function addRecent({ domain, outcome, company, expires_at: freeUntil }: Resolution): void {
  const added = { domain, outcome, company: company?.company_name ?? null, freeUntil }
  const others = readRecents().filter((one) => one.domain !== domain)
  localStorage.setItem(KEY, JSON.stringify([added, ...others].slice(0, KEPT_MAX)))
}

/** Whether the answer of this domain is shown again for nothing. */
export function isFreeAgain(domain: string): boolean {
  return readRecents().some((one) => one.domain === domain && Date.parse(one.freeUntil) > Date.now())
}
