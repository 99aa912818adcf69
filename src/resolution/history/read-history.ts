/** One answer of an account's history, and two of them beside each other. */
import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { findResolution, type KnownResolution } from '../answers/known.ts'
import { findTestResolution } from '../test-mode/test-answers.ts'
import { type Comparison, compareReadings } from './compare.ts'
import { findEntry, type HistoryEntry, listReadings } from './list-answers.ts'

interface EntryAsk {
  resolutionId: string
  accountId: string
  mode: KeyMode
}

/** Throws `not_found` for answers of other accounts and of the other mode. Test mode has the test domains, and no history. */
export async function getEntry(app: App, ask: EntryAsk): Promise<HistoryEntry> {
  const entry = ask.mode === 'test' ? findTestEntry(app, ask.resolutionId) : await findEntry(app.db, ask)
  if (!entry) throw notInHistory()
  return entry
}

function findTestEntry({ clock }: App, resolutionId: string): HistoryEntry | null {
  const known = findTestResolution(resolutionId, clock.now())
  if (!known) return null
  const { domain, outcome, companyNumber, confidence, resolvedAt, findings } = known
  const companyName = findings.registered?.name ?? null
  const answer = { resolutionId, domain, outcome, companyNumber, companyName, confidence, answeredAt: resolvedAt }
  return { ...answer, origin: 'api', isRefunded: false, decision: null }
}

/** Returns the answers about the same domain, the given one among them, newest first. */
export async function listReadingsOf(app: App, ask: EntryAsk, entry: HistoryEntry): Promise<HistoryEntry[]> {
  return ask.mode === 'test' ? [entry] : listReadings(app.db, { accountId: ask.accountId, domain: entry.domain })
}

export interface ComparedReadings {
  before: HistoryEntry
  after: HistoryEntry
  beforeReadAt: Date
  afterReadAt: Date
  comparison: Comparison
}

/** Compares an answer with an earlier one about its domain: the given one, or the one that the account got before it. */
export async function compareWith(app: App, ask: EntryAsk & { since?: string | undefined }): Promise<ComparedReadings> {
  const after = await getOpenEntry(app, ask)
  const before =
    ask.since === undefined
      ? await getBefore(app, ask, after)
      : await getOpenEntry(app, { ...ask, resolutionId: ask.since })
  if (before.domain !== after.domain) {
    throw new DomainError(
      'invalid_request',
      'The two answers are about different domains. Choose two about the same domain.',
    )
  }
  const [one, other] = [await getAnswer(app, before), await getAnswer(app, after)]
  const comparison = compareReadings(one, other)
  return { before, after, beforeReadAt: one.resolvedAt, afterReadAt: other.resolvedAt, comparison }
}

/** A refunded match is not shown any more, as in its evidence pack. */
async function getOpenEntry(app: App, ask: EntryAsk): Promise<HistoryEntry> {
  const entry = await getEntry(app, ask)
  if (!entry.isRefunded) return entry
  throw new DomainError(
    'not_found',
    'Your account disputed this match and got a refund, so it is closed. Withdraw the dispute and resolve the domain again to open it.',
  )
}

async function getBefore(app: App, ask: EntryAsk, after: HistoryEntry): Promise<HistoryEntry> {
  const readings = await listReadingsOf(app, ask, after)
  const index = readings.findIndex(({ resolutionId }) => resolutionId === after.resolutionId)
  const before = readings.slice(index + 1).find(({ isRefunded }) => !isRefunded)
  if (index !== -1 && before) return before
  throw new DomainError(
    'not_found',
    'Your account has no earlier answer about this domain. Send `max_age_days: 0` to have the site read again, then compare.',
  )
}

async function getAnswer(app: App, { resolutionId }: HistoryEntry): Promise<KnownResolution> {
  const known = (await findResolution(app.db, resolutionId)) ?? findTestResolution(resolutionId, app.clock.now())
  if (!known) throw notInHistory()
  return known
}

export function notInHistory(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such answer in your history. Its id is `resolution_id` of a resolution.',
  )
}
