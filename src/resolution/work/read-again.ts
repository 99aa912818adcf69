import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { resolveDomain } from '../../resolver/index.ts'
import { findNewest, type KnownResolution } from '../answers/known.ts'
import { storeResolution } from '../answers/record.ts'

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
