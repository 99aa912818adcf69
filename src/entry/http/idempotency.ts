import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { describeSealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { forgetIdleBuckets } from '../../lib/limits/leased-limiter.ts'
import type { Caller, RequestContext } from './caller.ts'
import { invalidRequest } from './errors.ts'

export interface StoredResponse {
  status: number
  body: object
  /** A member of the body that a repeated request does not get again, and the sentence that says how to get another. */
  shownOnce?: { member: string; note: string }
}

const KEPT_SECONDS = 24 * 3_600
/** Longer than any request runs; the lease of a process that died ends here. */
const LEASE_SECONDS = 300
/** Together a little less than a lease lasts. */
const DROP_TRIES_MAX = 80
const DROP_AGAIN_MS = 1_000
const KEY_FORMAT = /^[\x21-\x7e]{1,255}$/

/**
 * Runs `work` once per account, mode and `Idempotency-Key`: a repeated request gets the first response without what is
 * shown once, another request with the same key is refused, and one still running gets 409. Without the header it just
 * runs. Errors are not stored, so a refused request may be corrected and sent again with its key. `replay` sets the
 * headers of a repeat, may update its response, and throws when what the first request created is gone.
 */
export async function respondOnce(
  app: App,
  { request, reply, caller }: RequestContext,
  work: () => Promise<StoredResponse>,
  replay: (stored: StoredResponse) => Promise<StoredResponse> = async (stored) => stored,
): Promise<FastifyReply> {
  const key = readKey(request)
  if (key === null) return send(reply, await work())
  const lease: KeyLease = {
    accountId: caller.accountId,
    key: keyInMode(caller, key),
    fingerprint: fingerprint(request),
    until: addSeconds(app.clock.now(), LEASE_SECONDS),
  }
  const earlier = await takeLease(app, lease)
  if (earlier) {
    const response = await replay(earlier)
    return send(reply.header('idempotency-replayed', 'true'), response)
  }
  try {
    const response = await work()
    await storeResponse(app, lease, response)
    return await send(reply, response)
  } catch (error) {
    await dropLease(app.db, lease).catch(() => void dropLeaseLater(app.db, lease))
    throw error
  }
}

interface KeyLease {
  accountId: string
  key: string
  fingerprint: Buffer
  until: Date
}

function readKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  // The draft makes it a quoted string; plain ones are as common.
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!KEY_FORMAT.test(key)) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }])
  }
  return key
}

/** The table has no column for the mode. A key from a header contains no space, so the two never collide. */
function keyInMode({ mode }: Caller, key: string): string {
  return mode === 'test' ? `test ${key}` : key
}

function fingerprint(request: FastifyRequest): Buffer {
  // Left out, as a plain hash of a password is soon guessed.
  const body = JSON.stringify(request.body ?? null, (name, value: unknown) =>
    name === 'current_password' ? undefined : value,
  )
  return createHash('sha256')
    .update(`[${JSON.stringify(request.method)},${JSON.stringify(request.url)},${body}]`)
    .digest()
}

/** Returns null when the lease is ours, else the stored response of an earlier request. */
async function takeLease(app: App, lease: KeyLease): Promise<StoredResponse | null> {
  const isOurs = await storeLease(app, lease).catch((error: unknown) => {
    // The database may have stored it although the connection broke before it said so.
    void dropLeaseLater(app.db, lease)
    throw error
  })
  if (isOurs) return null
  const [stored] = await app.db.query<{ fingerprint: Buffer; status: number | null; answer_sealed: string | null }>(
    'select fingerprint, status, answer_sealed from idempotency_key where account_id = $1 and key = $2',
    [lease.accountId, lease.key],
  )
  if (stored && !stored.fingerprint.equals(lease.fingerprint)) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    )
  }
  if (!stored?.status || !stored.answer_sealed) {
    throw new DomainError(
      'idempotency_key_in_use',
      'The first request with this Idempotency-Key is still running. Try again in a moment.',
      {
        retryAfterSeconds: 2,
      },
    )
  }
  const opened = unsealOrNull(app.secrets, stored.answer_sealed, sealContext(lease))
  if (opened === null) {
    throw new DomainError(
      'idempotency_key_reused',
      'The response stored for this Idempotency-Key can no longer be read. Use a new key.',
    )
  }
  return { status: stored.status, body: JSON.parse(opened) as object }
}

/** Returns false where another request has the key. */
async function storeLease(app: App, lease: KeyLease): Promise<boolean> {
  const now = app.clock.now()
  const taken = await app.db.query(
    `insert into idempotency_key as kept (account_id, key, fingerprint, claimed_until, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
         expires_at = excluded.expires_at, status = null, answer_sealed = null
       where kept.expires_at <= $6 or (kept.status is null and kept.claimed_until <= $6 and kept.fingerprint = $3)
     returning key`,
    [lease.accountId, lease.key, lease.fingerprint, lease.until, addSeconds(now, KEPT_SECONDS), now],
  )
  return taken.length > 0
}

/** Stores nothing where the lease is lost. */
async function storeResponse(app: App, lease: KeyLease, response: StoredResponse): Promise<void> {
  await app.db.query(
    `update idempotency_key set status = $4, answer_sealed = $5
     where account_id = $1 and key = $2 and claimed_until = $3 and status is null`,
    [
      lease.accountId,
      lease.key,
      lease.until,
      response.status,
      app.secrets.seal(JSON.stringify(withoutShown(response)), sealContext(lease)),
    ],
  )
}

function withoutShown({ body, shownOnce }: StoredResponse): object {
  return shownOnce ? { ...body, [shownOnce.member]: null, note: shownOnce.note } : body
}

async function dropLease(db: Db, lease: KeyLease): Promise<void> {
  await db.query(
    'delete from idempotency_key where account_id = $1 and key = $2 and status is null and claimed_until = $3',
    [lease.accountId, lease.key, lease.until],
  )
}

/** Retries while the database is away, so that the caller need not wait for the end of the lease. */
async function dropLeaseLater(db: Db, lease: KeyLease): Promise<void> {
  for (let tries = 0; tries < DROP_TRIES_MAX; tries += 1) {
    await sleep(DROP_AGAIN_MS, undefined, { ref: false })
    const isDropped = await dropLease(db, lease).then(
      () => true,
      () => false,
    )
    if (isDropped) return
  }
}

export const SEALED_ANSWER = describeSealedColumn({
  table: 'idempotency_key',
  column: 'answer_sealed',
  key: ['account_id', 'key'],
  start: ['', ''],
  sealedFor: ['account_id', 'key'],
})

function sealContext(lease: KeyLease): string {
  return `idempotency_key:${lease.accountId}:${lease.key}`
}

async function send(reply: FastifyReply, { status, body }: StoredResponse): Promise<FastifyReply> {
  return reply.code(status).send(body)
}

/** Deletes stored responses after a day, and rate limit buckets that have long been full. */
export const forgetAnswersJob = defineJob({
  name: 'http.forget_answers',
  timeoutSeconds: 300,
  schedule: '*/10 * * * *',
  async run(app: App) {
    await app.db.query(
      `delete from idempotency_key where (account_id, key) in (
         select account_id, key from idempotency_key where expires_at < $1 limit 10000
       )`,
      [app.clock.now()],
    )
    await forgetIdleBuckets(app.db)
  },
})
