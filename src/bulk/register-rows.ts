import type { App } from '../app.ts'
import { isPassingFailure } from '../lib/db/failures.ts'
import { matchByName, type NameMatch } from '../register/index.ts'
import { freeCharge, REGISTER_CHARGE } from '../resolution/index.ts'
import type { Sought } from './classify.ts'
import { type EndedRow, storeEnded } from './collect.ts'
import type { LeasedBulk } from './lease.ts'

/** As many as the matching takes at once; about a second of work. */
const BATCH_MAX = 100

interface WaitingRow {
  row: number
  sought: Sought
}

/** Matches the next rows of names and numbers with the register. Returns how many; none while the job is cancelled. */
export async function matchRows(app: App, bulk: LeasedBulk): Promise<number> {
  const waiting = await app.db.query<WaitingRow>(
    `select bulk_row.row, sought from bulk_row join bulk on bulk.id = bulk_id
     where bulk_id = $1 and kind = 'register' and state = 'waiting' and status = 'running'
     order by bulk_row.row limit ${BATCH_MAX}`,
    [bulk.id],
  )
  if (waiting.length === 0) return 0
  const matches = await matchEach(app, bulk, waiting)
  const at = app.clock.now()
  const ended = waiting.map(({ row }, index) => toEnded(row, matches[index], at))
  return storeEnded(app.db, bulk.id, 'waiting', ended)
}

/** Together; one by one where that fails, so that a row that cannot be matched stops no other. */
async function matchEach(app: App, bulk: LeasedBulk, waiting: readonly WaitingRow[]) {
  const soughts = waiting.map(({ sought }) => sought)
  try {
    return await matchByName(app.db, soughts)
  } catch (error) {
    if (isPassingFailure(error)) throw error
    app.log.error({ event: 'bulk.match_failed', bulkId: bulk.id, error })
  }
  const matches: Array<NameMatch | undefined> = []
  for (const sought of soughts) matches.push(await matchOne(app, sought))
  return matches
}

async function matchOne(app: App, sought: Sought): Promise<NameMatch | undefined> {
  try {
    return (await matchByName(app.db, [sought]))[0]
  } catch (error) {
    if (isPassingFailure(error)) throw error
    return undefined
  }
}

function toEnded(row: number, match: NameMatch | undefined, endedAt: Date): EndedRow {
  if (!match) return { ...UNMATCHED, row, endedAt }
  return {
    row,
    state: match.verdict,
    resolutionId: null,
    companyNumber: match.companyNumber,
    confidence: match.confidence,
    reason: match.reason,
    charge: REGISTER_CHARGE,
    endedAt,
    candidates: match.candidates,
  }
}

const UNMATCHED = {
  state: 'failed',
  resolutionId: null,
  companyNumber: null,
  confidence: null,
  reason: 'We could not match this row with the register. Nothing was charged; resume the job to try it again.',
  charge: freeCharge('failed'),
} as const
