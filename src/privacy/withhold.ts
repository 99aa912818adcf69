import type { App } from '../app.ts'
import { addWithheld, removeWithheld, type WithheldRequest } from '../register/index.ts'
import { queueRemovals, removeQueuedPeople } from '../signals/index.ts'

export interface Withheld {
  personId: string
  /** Records of the register that named the person, and no longer do. */
  records: number
  companies: number
}

/** Puts a person on the list and removes the name from all that is stored. A run that broke off is repeated. */
export async function withholdPerson(app: App, request: WithheldRequest): Promise<Withheld> {
  // On the list first: what arrives while stored names are removed is withheld already.
  const personId = await app.db.transaction((tx) => addWithheld(tx, request, app.clock.now()))
  const { name, companyNumber } = request
  // Signals may name a person whose record is gone.
  if (companyNumber) await app.db.transaction((tx) => queueRemovals(tx, [{ companyNumber, name }]))
  const removed = await removeNames(app)
  const companies = new Set(removed.map(({ companyNumber }) => companyNumber))
  return { personId, records: removed.length, companies: companies.size }
}

/** Removes the names of all people on the list, and of those whose records the register deleted, wherever they are stored. */
export async function removeNames(app: App): ReturnType<typeof removeWithheld> {
  const removed = await removeWithheld(app)
  await app.db.transaction((tx) => queueRemovals(tx, removed))
  await removeQueuedPeople(app)
  return removed
}
