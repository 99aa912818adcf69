import type { Db } from '../../lib/db/db.ts'
import { nameAct } from './acts.ts'
import { CHAINED_COLUMNS, type ChainedEntry } from './chain.ts'
import type { Actor, Facts } from './record.ts'

/** An entry with the name of its actor, as far as we know one. */
export interface AuditEntry extends ChainedEntry {
  actorName: string | null
}

export interface AuditFilter {
  /** Null for both. */
  mode: 'live' | 'test' | null
  act?: string | undefined
  actor?: Actor['kind'] | undefined
  outcome?: 'success' | 'failure' | undefined
  /** Days of London, both included. */
  from?: string | undefined
  to?: string | undefined
}

/** Returns a page of an account's log: the newest first before an entry, or the oldest first after one. */
export async function listAuditEntries(
  db: Db,
  asked: { accountId: string; limit: number; before?: number | undefined; after?: number } & AuditFilter,
): Promise<AuditEntry[]> {
  const { accountId, limit, mode, act, actor, outcome, from, to } = asked
  const isForward = asked.after !== undefined
  return db.query<AuditEntry>(
    `select ${CHAINED_COLUMNS},
       case event.actor_kind when 'person' then account.email when 'api_key' then key.prefix || '…' || key.last4 end
         as "actorName"
     from audit_event event
       left join account on account.id = event.account_id
       left join api_key key on key.id = event.actor_id and key.account_id = event.account_id
     where event.account_id = $1 and ${isForward ? 'seq > $2' : 'seq < $2'}
       and ($4::text is null or coalesce(event.mode, 'live') = $4)
       and ($5::text is null or action = $5)
       and ($6::text is null or actor_kind = $6)
       and ($7::text is null or outcome = $7)
       and ($8::date is null or at >= $8::date::timestamp at time zone 'Europe/London')
       and ($9::date is null or at < ($9::date + 1)::timestamp at time zone 'Europe/London')
     order by seq ${isForward ? '' : 'desc'} limit $3`,
    [
      accountId,
      isForward ? asked.after : (asked.before ?? Number.MAX_SAFE_INTEGER),
      limit,
      mode,
      act ?? null,
      actor ?? null,
      outcome ?? null,
      from ?? null,
      to ?? null,
    ],
  )
}

/** Returns the number of entries of each account. */
export async function listAuditHeads(db: Db, accountIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; entries: number }>(
    'select account_id as id, entries::integer from audit_chain where account_id = any ($1)',
    [accountIds],
  )
  return new Map(rows.map(({ id, entries }) => [id, entries]))
}

/** Returns an entry as people and programs get it. With its hashes and salts a program can make the chain again. */
export function presentAuditEntry(entry: AuditEntry) {
  const { originSalt, contentSalt } = entry
  const actorKind = (entry.actorKind ?? 'unknown') as Actor['kind']
  return {
    sequence: entry.seq,
    at: new Date(entry.at).toISOString(),
    act: entry.action,
    act_name: nameAct(entry.action, entry.outcome),
    outcome: entry.outcome as 'success' | 'failure',
    mode: (entry.mode ?? 'live') as 'live' | 'test',
    actor: { kind: actorKind, id: entry.actorId, name: entry.actorName },
    ip: entry.ip,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
    details: entry.details as Facts,
    before: entry.before as Facts | null,
    after: entry.after as Facts | null,
    proof: {
      previous_hash: entry.previousHash.toString('hex'),
      hash: entry.entryHash.toString('hex'),
      origin_hash: entry.originHash.toString('hex'),
      origin_salt: originSalt && originSalt.toString('hex'),
      content_hash: entry.contentHash.toString('hex'),
      content_salt: contentSalt && contentSalt.toString('hex'),
    },
  }
}
