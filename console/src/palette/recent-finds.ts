/** The things that a person opened in this browser, the newest first. Signing out removes them. */
import type { Found } from './found.ts'

const PREFIX = 'nameplate-found-'
const KEPT_MAX = 6

const keyOf = (accountId: string) => `${PREFIX}${accountId}`

export function readFinds(accountId: string): Found[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(accountId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isFound).slice(0, KEPT_MAX) : []
  } catch {
    return []
  }
}

/** Only addresses of this site: the store of a browser is no proof of who wrote it. */
function isFound(one: unknown): one is Found {
  if (typeof one !== 'object' || one === null || !('title' in one) || !('href' in one)) return false
  return typeof one.title === 'string' && typeof one.href === 'string' && /^\/(?!\/)/.test(one.href)
}

export function addFind(accountId: string, found: Found): void {
  const others = readFinds(accountId).filter(({ href }) => href !== found.href)
  try {
    localStorage.setItem(keyOf(accountId), JSON.stringify([found, ...others].slice(0, KEPT_MAX)))
  } catch {
    // A full or closed store only means that nothing recent is shown.
  }
}

/** Removes what the browser keeps of any account. */
export function forgetFinds(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}
