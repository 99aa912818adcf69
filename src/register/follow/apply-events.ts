/** The events of the register's streams: how a line is parsed, and what a batch of them changes. */

import type { Tx } from '../../lib/db/db.ts'
import { type LooseRecord, stableText, toRecord, withoutNested } from '../../lib/text/loose-json.ts'
import { applyCompanies, type IncomingCompany, type QueuedChange, queueChanges } from '../apply-companies.ts'
import { parseProfile } from '../details/company-from-profile.ts'
import { NEVER_STORED } from '../details/part-items.ts'
import { findRegistrarForm } from '../details/registrar-filings.ts'
import type { PersonOfCompany } from '../people/person-key.ts'
import { peopleIn } from '../people/redact.ts'
import { queueRemovals } from '../people/removals.ts'
import { withholdInItems } from '../people/withhold-items.ts'
import { PSC_STREAMS, type PscStream } from '../pscs/psc-streams.ts'
import { applyPscEvents } from './apply-psc-events.ts'
import { type ChangeKind, STREAMS, type StreamEvent, type StreamName } from './streams.ts'

/** Parses a line of a stream; null when it is no event. Unknown members are kept, and members may be absent. */
export function parseEvent(line: string): StreamEvent | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return null
  }
  const { resource_uri: uri, resource_id: id, data, event } = (parsed ?? {}) as Record<string, unknown>
  const { timepoint, published_at: published, type } = (event ?? {}) as Record<string, unknown>
  if (typeof uri !== 'string') return null
  const number = /^\/?company\/([A-Za-z0-9]{6,8})/.exec(uri)?.[1]
  if (!number || typeof timepoint !== 'number' || !Number.isSafeInteger(timepoint)) return null
  return {
    timepoint,
    publishedAt: parsePublished(published),
    companyNumber: number.toUpperCase().padStart(8, '0'),
    resourceId: typeof id === 'string' && id !== '' ? id : uri.slice(uri.lastIndexOf('/') + 1),
    isDeletion: type === 'deleted',
    data: typeof data === 'object' && data !== null ? withoutNested(data as Record<string, unknown>, NEVER_STORED) : {},
  }
}

/** Times are UTC without a zone; older events carry one. */
function parsePublished(text: unknown): Date {
  const withZone = typeof text === 'string' ? (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`) : ''
  const at = new Date(withZone)
  return Number.isNaN(at.getTime()) ? new Date(0) : at
}

export function isPscStream(stream: StreamName): stream is PscStream {
  return PSC_STREAMS.some((name) => name === stream)
}

/** Applies a batch of one stream's events, in order. Events without news change nothing. */
export async function applyEvents(tx: Tx, stream: StreamName, events: readonly StreamEvent[], at: Date): Promise<void> {
  for (const group of inOrderWithoutRepeats(events)) {
    if (stream === 'companies') await applyProfiles(tx, group, at)
    else if (isPscStream(stream)) await applyPscEvents(tx, stream, group)
    else await applyItems(tx, STREAMS[stream], group, stream)
  }
}

/**
 * Consecutive events of different resources go together; a second event of the same one begins a new group, so that
 * each change is seen by itself and none is swallowed.
 */
function* inOrderWithoutRepeats(events: readonly StreamEvent[]): Generator<StreamEvent[]> {
  let group: StreamEvent[] = []
  let seen = new Set<string>()
  for (const event of events) {
    const key = `${event.companyNumber}/${event.resourceId}`
    if (seen.has(key)) {
      yield group
      group = []
      seen = new Set()
    }
    seen.add(key)
    group.push(event)
  }
  if (group.length > 0) yield group
}

async function applyProfiles(tx: Tx, events: readonly StreamEvent[], at: Date): Promise<void> {
  const incoming = events.flatMap((event): IncomingCompany[] => {
    const facts = event.isDeletion ? null : parseProfile(event.data)
    return facts ? [{ facts, rowHash: null, timepoint: event.timepoint }] : []
  })
  if (incoming.length === 0) return
  await applyCompanies(tx, incoming, {
    source: 'stream',
    reference: `companies ${events[0]?.timepoint}`,
    at: events.at(-1)?.publishedAt ?? at,
    isStale: (known, { timepoint }) => known.timepoint >= timepoint,
  })
}

interface ItemRow {
  company_number: string
  item_id: string
  data: Record<string, unknown>
  timepoint: number
}

interface ItemChange {
  number: string
  id: string
  timepoint: number
  at: Date
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

async function applyItems(tx: Tx, kind: ChangeKind, events: readonly StreamEvent[], stream: StreamName): Promise<void> {
  const received = kind === 'filing' ? await onlyFollowedFilings(tx, events) : events
  if (received.length === 0) return
  const data = await withholdInItems(
    tx,
    received.map((event) => ({ companyNumber: event.companyNumber, kind, data: event.data })),
    'incoming',
  )
  const wanted = received.map((event, index) => ({ ...event, data: data[index] ?? {} }))
  const rows = await tx.query<ItemRow>(
    `select company_number, item_id, data, timepoint from company_item
     where kind = $1 and (company_number, item_id) in (select * from unnest($2::text[], $3::text[]))
     order by company_number, item_id for update`,
    [kind, wanted.map((event) => event.companyNumber), wanted.map((event) => event.resourceId)],
  )
  const before = await withholdInItems(
    tx,
    rows.map((row) => ({ companyNumber: row.company_number, kind, data: row.data })),
    'stored',
  )
  const known = new Map(
    rows.map((row, index) => [`${row.company_number}/${row.item_id}`, { ...row, data: before[index] ?? {} }]),
  )
  const changes = wanted.flatMap((event): ItemChange[] => {
    const row = known.get(`${event.companyNumber}/${event.resourceId}`)
    if (row && row.timepoint >= event.timepoint) return []
    const { companyNumber: number, resourceId: id, timepoint, publishedAt: at } = event
    return [
      {
        number,
        id,
        timepoint,
        at,
        before: row?.data ?? null,
        after: event.isDeletion ? null : keepOfficerLink(event.data, row?.data),
      },
    ]
  })
  await writeItems(tx, kind, changes)
  if (kind === 'officer') await queueRemovals(tx, changes.flatMap(personDeleted), 'deleted')
  const news = kind === 'filing' ? changes.filter(isNewsItself) : changes.filter(isDifferent)
  const queued = news.map(({ number, timepoint, at, before, after }): QueuedChange => {
    return { number, kind, before, after, source: 'stream', reference: `${stream} ${timepoint}`, at }
  })
  await queueChanges(tx, queued)
}

function personDeleted({ number, before, after }: ItemChange): PersonOfCompany[] {
  return before && after === null ? peopleIn('officer', number, before) : []
}

/** The stream leaves out the link to the officer, which REST had and which never changes. */
function keepOfficerLink(data: LooseRecord, before: LooseRecord = {}): LooseRecord {
  const [links, { officer }] = [toRecord(data['links']), toRecord(before['links'])]
  return officer === undefined || 'officer' in links || data['name_withheld'] === true
    ? data
    : { ...data, links: { ...links, officer } }
}

/**
 * Filings are many and wanted by few: only those of companies whose list was fetched are kept. A list that was forgotten because
 * the stream missed something has left its items.
 */
async function onlyFollowedFilings(tx: Tx, events: readonly StreamEvent[]): Promise<StreamEvent[]> {
  const rows = await tx.query<{ company_number: string }>(
    `select company_number from company_part where kind = 'filing' and company_number = any ($1)
     union select company_number from company_item where kind = 'filing' and company_number = any ($1)`,
    [events.map((event) => event.companyNumber)],
  )
  const followed = new Set(rows.map((row) => row.company_number))
  return events.filter((event) => followed.has(event.companyNumber))
}

/** A filing that changes something is announced by the change. These say what the change does not: why it happened. */
function isNewsItself({ before, after }: ItemChange): boolean {
  return before === null && after !== null && findRegistrarForm(after) !== null
}

/** A re-emitted resource differs in its etag alone. */
function isDifferent({ before, after }: ItemChange): boolean {
  return stableText(before) !== stableText(after)
}

async function writeItems(tx: Tx, kind: ChangeKind, changes: readonly ItemChange[]): Promise<void> {
  const kept = changes.filter((change) => change.after !== null)
  const deleted = changes.filter((change) => change.after === null)
  if (kept.length > 0) {
    await tx.query(
      `insert into company_item (company_number, kind, item_id, data, timepoint, changed_at)
       select number, $2, id, after, timepoint, at
       from jsonb_to_recordset($1::jsonb) as change (number text, id text, after jsonb, timepoint bigint, at timestamptz)
       on conflict (company_number, kind, item_id)
       do update set data = excluded.data, timepoint = excluded.timepoint, changed_at = excluded.changed_at`,
      [JSON.stringify(kept), kind],
    )
  }
  if (deleted.length > 0) {
    await tx.query(
      `delete from company_item where kind = $1 and (company_number, item_id) in (select * from unnest($2::text[], $3::text[]))`,
      [kind, deleted.map((change) => change.number), deleted.map((change) => change.id)],
    )
  }
}
