import type { App } from '../app.ts'
import { addWithheld, queueRemovals, removeWithheld, type WithheldRequest } from '../register/index.ts'
import { removeQueuedPeople } from '../signals/index.ts'

export interface Withheld {
  personId: string
  /** Stored records that named the person, and no longer do. */
  records: number
}

/** Puts a person on the list and removes the name from all that is stored. A run that broke off is repeated. */
export async function withholdPerson(
  app: App,
  request: WithheldRequest,
  say: (step: string) => void,
): Promise<Withheld> {
  // On the list first: what arrives while stored names are removed is withheld already.
  const personId = await app.db.transaction(async (tx) => {
    const { name, companyNumber } = request
    // Signals may name a person whose record is gone.
    if (companyNumber) await queueRemovals(tx, [{ companyNumber, name }], 'withheld')
    return addWithheld(tx, request, app.clock.now())
  })
  return { personId, records: await removeNames(app, say) }
}

/** Removes the names of all people on the list from records, and queued names from signals and events. */
export async function removeNames(app: App, say: (step: string) => void = () => {}): Promise<number> {
  const removed = await removeWithheld(app, say)
  say('signals and webhook events')
  await removeQueuedPeople(app)
  return removed
}
