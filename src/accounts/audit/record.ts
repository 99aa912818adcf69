import type { Db } from '../../lib/db/db.ts'
import type { Admission, BucketPolicy } from '../../lib/limits/leased-limiter.ts'
import type { Act } from './acts.ts'
import { shortenUserAgent } from './user-agent.ts'

/** `unknown`: the credential was wrong, or none was given. `service`: a rule of the service, without a person. */
export const ACTOR_KINDS = ['person', 'api_key', 'program', 'operator', 'service', 'unknown'] as const

export interface Actor {
  kind: (typeof ACTOR_KINDS)[number]
  /** The id of the API key or of the connection; null for the others. */
  id: string | null
}

/** Where a request came from, for the audit log and the throttles. */
export interface Origin {
  ip: string
  requestId: string
  /** As it was sent. */
  userAgent?: string | undefined
  /** The holder of the credential; without one, the person of the account. */
  actor?: Actor | undefined
  /** Is called with what is left of each limit of this address, so that the answer can say so. */
  reportLimit?: ((policy: BucketPolicy, admission: Admission) => void) | undefined
}

/** Whole numbers only, as the database refuses others: their written form would not be unique. */
export type Facts = Record<string, string | number | boolean | null>

export interface AuditEvent {
  at: Date
  accountId: string | null
  action: Act
  /** A success unless said. */
  outcome?: 'success' | 'failure'
  /** Null for acts without a request. */
  origin: Origin | null
  /** The actor or its kind, where the origin does not show it. Without an origin it is the operator. */
  by?: Actor | Actor['kind']
  /** The request of an act whose origin has no address of a person. */
  requestId?: string
  /** The mode of the thing that changed; live unless said. */
  mode?: 'live' | 'test'
  details?: Facts
  /** The members that changed, before and after. */
  before?: Facts
  after?: Facts
}

/**
 * Adds an entry to the audit log, in the transaction of the act. The database puts it at the end of the account's chain
 * and refuses changes. Never put a secret or a text that a person wrote into an entry.
 */
export async function recordAudit(db: Db, event: AuditEvent): Promise<void> {
  const { at, accountId, action, outcome = 'success', origin, mode = 'live', details = {} } = event
  const actor = actorOf(event)
  const { userAgent } = origin ?? {}
  await db.query(
    `insert into audit_event (at, account_id, action, outcome, ip, request_id, details, mode, actor_kind, actor_id,
       user_agent, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      at,
      accountId,
      action,
      outcome,
      origin?.ip ?? null,
      origin?.requestId ?? event.requestId ?? null,
      JSON.stringify(details),
      mode,
      actor.kind,
      actor.id,
      userAgent === undefined ? null : shortenUserAgent(userAgent),
      event.before ? JSON.stringify(event.before) : null,
      event.after ? JSON.stringify(event.after) : null,
    ],
  )
}

function actorOf({ by, origin }: AuditEvent): Actor {
  if (typeof by === 'string') return { kind: by, id: null }
  if (by !== undefined) return by
  if (origin === null) return { kind: 'operator', id: null }
  return origin.actor ?? { kind: 'person', id: null }
}
