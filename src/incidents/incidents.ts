import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'

export interface Incident {
  id: string
  title: string
  startedAt: Date
  endedAt: Date | null
  /** The newest first. */
  updates: Array<{ says: string; createdAt: Date }>
}

export async function openIncident(app: App, { title, says }: { title: string; says: string }): Promise<string> {
  const at = app.clock.now()
  const id = newId('inc')
  await app.db.transaction(async (tx) => {
    await tx.query('insert into incident (id, title, started_at) values ($1, $2, $3)', [id, title, at])
    await putUpdate(tx, { id, says, at })
  })
  return id
}

export async function addUpdate(app: App, { id, says }: { id: string; says: string }): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockIncident(tx, id)
    await putUpdate(tx, { id, says, at: app.clock.now() })
  })
}

/** An incident that has ended stays ended; what is said of it now is added. */
export async function endIncident(app: App, { id, says }: { id: string; says: string }): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await lockIncident(tx, id)
    await tx.query('update incident set ended_at = coalesce(ended_at, $2) where id = $1', [id, at])
    await putUpdate(tx, { id, says, at })
  })
}

/** One that is locked gets its updates one after the other. */
async function lockIncident(tx: Tx, id: string): Promise<void> {
  const [row] = await tx.query('select id from incident where id = $1 for update', [id])
  if (!row) throw new DomainError('not_found', `There is no incident ${id}. nameplated incident list shows them.`)
}

async function putUpdate(tx: Tx, { id, says, at }: { id: string; says: string; at: Date }): Promise<void> {
  await tx.query(
    `insert into incident_update (incident_id, number, says, created_at)
     select $1, coalesce(max(number), 0) + 1, $2, $3 from incident_update where incident_id = $1`,
    [id, says, at],
  )
}

const DAYS_SHOWN = 90
const SHOWN_MAX = 50

/** Returns the incidents of the last 90 days and those that last, the newest first. */
export async function listIncidents({ db, clock }: { db: Db; clock: App['clock'] }): Promise<Incident[]> {
  const since = addSeconds(clock.now(), -DAYS_SHOWN * 86_400)
  const rows = await db.query<Incident>(
    `select incident.id, title, started_at as "startedAt", ended_at as "endedAt",
       (select coalesce(json_agg(json_build_object('says', says, 'createdAt', created_at) order by number desc), '[]')
        from incident_update where incident_id = incident.id) as updates
     from incident where started_at > $1 or ended_at is null order by started_at desc limit $2`,
    [since, SHOWN_MAX],
  )
  return rows.map((row) => ({
    ...row,
    updates: row.updates.map(({ says, createdAt }) => ({ says, createdAt: new Date(createdAt) })),
  }))
}
