import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
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
const TRIES_MAX = 80
const TRY_AGAIN_MS = 1_000
const KEY_FORMAT = /^[\x21-\x7e]{1,255}$/

/**
 * Runs `work` once per account, mode and `Idempotency-Key`: a repeated request gets the first response without what is
 * shown once, another request with the same key is refused, and one still running gets 409. Without the header it just
 * runs. Errors are not stored, so a refused request may be corrected and sent again with its key. `replay` sets the
 * headers of a repeat, may update its response, and throws when what the first request created is gone.
 *
 * The app that `work` gets marks the key as done at the end of a transaction, which is the only one that it allows. Work done
 * in it never happens twice: if its process dies before the response is stored, a repeat gets `idempotency_response_lost`,
 * and a request that lost its lease is rolled back. Work that changes nothing when it is repeated uses the app from outside:
 * after the death of its process it runs again, when the lease has ended.
 */
export async function respondOnce(
  app: App,
  { request, reply, caller }: RequestContext,
  work: (once: App) => Promise<StoredResponse>,
  replay: (stored: StoredResponse) => Promise<StoredResponse> = async (stored) => stored,
): Promise<FastifyReply> {
  const key = readKey(request)
  if (key === null) return send(reply, await work(app))
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
  const response = await work(marking(app, lease)).catch(async (error: unknown) => {
    await endLease(app, lease).catch(() => void tryAgain(() => endLease(app, lease)))
    throw error
  })
  await storeResponse(app, lease, response).catch((error: unknown) => {
    app.log.warn({ event: 'http.response_not_stored', error })
    void tryAgain(() => storeResponse(app, lease, response))
  })
  return send(reply, response)
}

/** Returns the app with a database whose transaction marks the key as done, or is rolled back where the lease is lost. */
function marking(app: App, lease: KeyLease): App {
  return { ...app, db: app.db.endingWith((tx) => markDone(tx, lease)) }
}

function stillRunning(): DomainError {
  const message = 'The first request with this Idempotency-Key is still running. Try again in a moment.'
  return new DomainError('idempotency_key_in_use', message, { retryAfterSeconds: 2 })
}

function responseLost(): DomainError {
  return new DomainError(
    'idempotency_response_lost',
    'The first request with this Idempotency-Key was carried out, and its response is lost. Look at what it did, and use a new key for a new request.',
  )
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
    void tryAgain(() => endLease(app, lease))
    throw error
  })
  if (isOurs) return null
  const [stored] = await app.db.query<{
    fingerprint: Buffer
    status: number | null
    answer_sealed: string | null
    is_lost: boolean
  }>(
    `select fingerprint, status, answer_sealed, status is null and is_done and claimed_until <= $3 as is_lost
     from idempotency_key where account_id = $1 and key = $2`,
    [lease.accountId, lease.key, app.clock.now()],
  )
  if (stored && !stored.fingerprint.equals(lease.fingerprint)) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    )
  }
  if (stored?.is_lost) throw responseLost()
  if (!stored?.status || !stored.answer_sealed) throw stillRunning()
  const opened = unsealOrNull(app.secrets, stored.answer_sealed, sealContext(lease))
  if (opened === null) throw responseLost()
  return { status: stored.status, body: JSON.parse(opened) as object }
}

/** Returns false where another request has the key. Work that was done is not taken over. */
async function storeLease(app: App, lease: KeyLease): Promise<boolean> {
  const now = app.clock.now()
  const taken = await app.db.query(
    `insert into idempotency_key as kept (account_id, key, fingerprint, claimed_until, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
         expires_at = excluded.expires_at, is_done = false, status = null, answer_sealed = null
       where kept.expires_at <= $6
         or (kept.status is null and not kept.is_done and kept.claimed_until <= $6 and kept.fingerprint = $3)
     returning key`,
    [lease.accountId, lease.key, lease.fingerprint, lease.until, addSeconds(now, KEPT_SECONDS), now],
  )
  return taken.length > 0
}

/** Throws where another request has the key by now, and where the work is done. */
async function markDone(tx: Tx, lease: KeyLease): Promise<void> {
  const marked = await tx.query(
    `update idempotency_key set is_done = true
     where account_id = $1 and key = $2 and claimed_until = $3 and status is null and not is_done returning key`,
    [lease.accountId, lease.key, lease.until],
  )
  if (marked.length === 0) throw stillRunning()
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

/** After work that failed. A key is free again if nothing was committed; else its response is lost from now on. */
async function endLease(app: App, lease: KeyLease): Promise<void> {
  await app.db.query(
    `with freed as (
       delete from idempotency_key
       where account_id = $1 and key = $2 and claimed_until = $3 and status is null and not is_done
     )
     update idempotency_key set claimed_until = $4
     where account_id = $1 and key = $2 and claimed_until = $3 and status is null and is_done`,
    [lease.accountId, lease.key, lease.until, app.clock.now()],
  )
}

/** Repeats while the database is away, so that the caller need not wait for the end of the lease. */
async function tryAgain(write: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await sleep(TRY_AGAIN_MS, undefined, { ref: false })
    const isWritten = await write().then(
      () => true,
      () => false,
    )
    if (isWritten) return
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
