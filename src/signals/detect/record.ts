/** Turns the changes that the register has queued into signals. */
import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { toRecord } from '../../lib/text/loose-json.ts'
import { type CompanyFacts, type RegisterChange, takeChanges } from '../../register/index.ts'
import { type NewSignal, raiseSignals } from '../raise.ts'
import type { Signal } from '../signals.ts'
import { detectArrivedLate } from './arrived-late.ts'
import { detectCharge } from './charge.ts'
import { detectCompany } from './company.ts'
import type { ChangeContext, DetectedSignal, PartDetector } from './detected-signal.ts'
import { detectFiling } from './filing.ts'
import { detectInsolvency } from './insolvency.ts'
import { detectAllLateByChange } from './last-on-time.ts'
import { detectOfficer } from './officer.ts'
import { detectParent } from './parent.ts'
import { detectPsc } from './psc.ts'

export interface Recorded {
  /** Changes taken from the queue; fewer than the limit when it is empty. */
  changes: number
  /** The signals that are new, in the order they were written. */
  signals: Signal[]
  /** Changes that could not be read. They are gone from the queue, or they would hold up all that come after them. */
  unread: { companyNumber: string; kind: string; reference: string; error: unknown }[]
}

// Changes of one company must become signals in their order: the feed shows it and the keys of steps count on it. So only
// one process records at a time: the register has some 200,000 events a day, and one was measured at 7,000 changes a second.
const LOCK_ID = 7_302_651_190

/** Takes changes from the register's queue and writes their signals: all of it when `tx` commits, or nothing. */
export async function recordSignals(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  { limit, at }: { limit: number; at: Date },
): Promise<Recorded> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID])
  const changes = await takeChanges(tx, limit)
  const recorded: Recorded = { changes: changes.length, signals: [], unread: [] }
  const people = changes.filter(({ kind }) => kind === 'officer' || kind === 'psc')
  const rounds = [...toRounds(changes, recorded), people.length === 0 ? [] : await detectLate(tx, people, at)]
  for (const round of rounds) recorded.signals.push(...(await raiseSignals(app, tx, round, at)))
  return recorded
}

async function detectLate(tx: Tx, people: readonly RegisterChange[], at: Date): Promise<NewSignal[]> {
  return [...(await detectArrivedLate(tx, people, at)), ...(await detectAllLateByChange(tx, people, at))]
}

const BATCH_CHANGES = 500
const BATCHES_MAX = 10_000

/** Empties the queue of changes, batch by batch, and returns the number of new signals. */
export async function recordQueuedChanges(app: App): Promise<number> {
  const startedAt = performance.now()
  let [changes, signals] = [0, 0]
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const recorded = await app.db.transaction((tx) =>
      recordSignals(app, tx, { limit: BATCH_CHANGES, at: app.clock.now() }),
    )
    for (const change of recorded.unread) app.log.error({ event: 'signals.change_unread', ...change })
    changes += recorded.changes
    signals += recorded.signals.length
    if (recorded.changes < BATCH_CHANGES) break
  }
  const durationMs = Math.round(performance.now() - startedAt)
  if (changes > 0) app.log.info({ event: 'signals.recorded', changes, signals, duration_ms: durationMs })
  return signals
}

/** The first change of every company in the first round, the second in the second: a step counts those before it. */
function toRounds(changes: readonly RegisterChange[], recorded: Recorded): NewSignal[][] {
  const rounds: NewSignal[][] = []
  const roundOf = new Map<string, number>()
  for (const change of changes) {
    const signals = readChange(change, recorded)
    if (signals.length === 0) continue
    const round = roundOf.get(change.companyNumber) ?? 0
    roundOf.set(change.companyNumber, round + 1)
    ;(rounds[round] ??= []).push(...signals)
  }
  return rounds
}

function readChange(change: RegisterChange, recorded: Recorded): NewSignal[] {
  const { companyNumber, kind, reference } = change
  try {
    const source = { sourceKind: change.source, sourceReference: reference }
    const companyName = change.companyName ?? companyNumber
    return detectSignals(change).map((detected) => ({ ...detected, companyNumber, companyName, ...source }))
  } catch (error) {
    recorded.unread.push({ companyNumber, kind, reference, error })
    return []
  }
}

/** The detectors of parts. */
const DETECTORS: Partial<Record<string, PartDetector>> = {
  officer: detectOfficer,
  charge: detectCharge,
  insolvency: detectInsolvency,
  psc: detectPsc,
  filing: detectFiling,
  parent: detectParent,
}

type Known = 'areOwnersKnown' | 'areOfficersKnown'
type DetectableChange = Omit<RegisterChange, Known> & Partial<Pick<RegisterChange, Known>>

/** Returns the signals of a change. Pure: the same change always has the same signals. */
export function detectSignals(change: DetectableChange): DetectedSignal[] {
  const { kind, before, after } = change
  const context: ChangeContext = {
    company: change.companyName ?? `Company ${change.companyNumber}`,
    incorporatedOn: change.incorporatedOn,
    areOwnersKnown: change.areOwnersKnown ?? false,
    day: toLondonDate(change.occurredAt),
  }
  if (kind === 'company') return detectCompany(before as CompanyFacts | null, after as CompanyFacts | null, context)
  const toPart = (part: unknown) => (part === null ? null : toRecord(part))
  return [DETECTORS[kind]?.(toPart(before), toPart(after), context) ?? []].flat()
}
