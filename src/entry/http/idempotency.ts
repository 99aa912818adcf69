import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { type SealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { forgetIdleBuckets } from '../../lib/limits/leased-limiter.ts'
import type { Caller } from './caller.ts'
import { invalidRequest } from './errors.ts'

export interface KeptAnswer {
  status: number
  body: object
  /** A member of the body that a repeat does not show again, and the sentence that says how to get another. */
  shownOnce?: { member: string; note: string }
}

const KEPT_SECONDS = 24 * 3_600
/** Longer than any request runs; the claim of a process that died ends here. */
const CLAIM_SECONDS = 90
/** Together a little less than a claim lasts. */
const DROP_TRIES_MAX = 80
const DROP_AGAIN_MS = 1_000
const KEY_FORMAT = /^[\x21-\x7e]{1,255}$/

/**
 * Runs `work` once per account, mode and `Idempotency-Key`: a repeat gets the first answer without what is shown once,
 * another request under the same key is refused, and one still running answers 409. Without the header it just runs.
 * What is thrown is not kept, so a refused request may be corrected and sent again under its key. `replay` sets the
 * headers of a repeat, may bring its answer up to date, and throws where what the first one made is gone.
 */
export async function answerOnce(
  app: App,
  exchange: { request: FastifyRequest; reply: FastifyReply; caller: Caller },
  work: () => Promise<KeptAnswer>,
  replay: (answer: KeptAnswer) => Promise<KeptAnswer> = async (answer) => answer,
): Promise<FastifyReply> {
  const { request, reply, caller } = exchange
  const key = readKey(request)
  if (key === null) return send(reply, await work())
  const claimedUntil = addSeconds(app.clock.now(), CLAIM_SECONDS)
  const claim: Claim = {
    accountId: caller.accountId,
    key: keyInMode(caller, key),
    fingerprint: fingerprint(request),
    claimedUntil,
  }
  const earlier = await takeClaim(app, claim)
  if (earlier) {
    const answer = await replay(earlier)
    return send(reply.header('idempotency-replayed', 'true'), answer)
  }
  try {
    const answer = await work()
    await keepAnswer(app, claim, answer)
    return await send(reply, answer)
  } catch (error) {
    await dropClaim(app.db, claim).catch(() => void dropClaimLater(app.db, claim))
    throw error
  }
}

interface Claim {
  accountId: string
  key: string
  fingerprint: Buffer
  claimedUntil: Date
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

/** The table knows no modes. A key from a header has no space in it, so the two never meet. */
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

/** Null when the claim is ours, or the answer kept from an earlier request. */
async function takeClaim(app: App, claim: Claim): Promise<KeptAnswer | null> {
  const now = app.clock.now()
  const [taken] = await app.db.query(
    `insert into idempotency_key as kept (account_id, key, fingerprint, claimed_until, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
         expires_at = excluded.expires_at, status = null, answer_sealed = null
       where kept.expires_at <= $6 or (kept.status is null and kept.claimed_until <= $6 and kept.fingerprint = $3)
     returning key`,
    [claim.accountId, claim.key, claim.fingerprint, claim.claimedUntil, addSeconds(now, KEPT_SECONDS), now],
  )
  if (taken) return null
  const [kept] = await app.db.query<{ fingerprint: Buffer; status: number | null; answer_sealed: string | null }>(
    'select fingerprint, status, answer_sealed from idempotency_key where account_id = $1 and key = $2',
    [claim.accountId, claim.key],
  )
  if (kept && !kept.fingerprint.equals(claim.fingerprint)) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key came with another request before. Use a new key for a new request.',
    )
  }
  if (!kept?.status || !kept.answer_sealed) {
    throw new DomainError(
      'idempotency_key_in_use',
      'The first request with this Idempotency-Key is still running. Ask again in a moment.',
      {
        retryAfterSeconds: 2,
      },
    )
  }
  const opened = unsealOrNull(app.secrets, kept.answer_sealed, sealContext(claim))
  if (opened === null) {
    throw new DomainError(
      'idempotency_key_reused',
      'The answer kept under this Idempotency-Key can no longer be read. Use a new key.',
    )
  }
  return { status: kept.status, body: JSON.parse(opened) as object }
}

async function keepAnswer(app: App, claim: Claim, answer: KeptAnswer): Promise<void> {
  await app.db.query('update idempotency_key set status = $3, answer_sealed = $4 where account_id = $1 and key = $2', [
    claim.accountId,
    claim.key,
    answer.status,
    app.secrets.seal(JSON.stringify(withoutShown(answer)), sealContext(claim)),
  ])
}

function withoutShown({ body, shownOnce }: KeptAnswer): object {
  return shownOnce ? { ...body, [shownOnce.member]: null, note: shownOnce.note } : body
}

async function dropClaim(db: Db, claim: Claim): Promise<void> {
  await db.query(
    'delete from idempotency_key where account_id = $1 and key = $2 and status is null and claimed_until = $3',
    [claim.accountId, claim.key, claim.claimedUntil],
  )
}

/** The database is away: as soon as it is back the caller may try again, and need not wait for the claim's end. */
async function dropClaimLater(db: Db, claim: Claim): Promise<void> {
  for (let tries = 0; tries < DROP_TRIES_MAX; tries += 1) {
    await sleep(DROP_AGAIN_MS, undefined, { ref: false })
    const isDropped = await dropClaim(db, claim).then(
      () => true,
      () => false,
    )
    if (isDropped) return
  }
}

export const SEALED_ANSWER: SealedColumn = {
  name: 'idempotency_key.answer_sealed',
  start: ['', ''],
  async listAfter(db, [accountId, key], limit) {
    const rows = await db.query<{ account_id: string; key: string; sealed: string | null }>(
      `select account_id, key, answer_sealed as sealed from idempotency_key where (account_id, key) > ($1, $2)
       order by account_id, key limit $3`,
      [accountId, key, limit],
    )
    return rows.map((row) => ({
      key: [row.account_id, row.key],
      sealed: row.sealed,
      context: sealContext({ accountId: row.account_id, key: row.key }),
    }))
  },
  async replace(db, { key: [accountId, key], sealed }, resealed) {
    const replaced = await db.query(
      `update idempotency_key set answer_sealed = $4
       where account_id = $1 and key = $2 and answer_sealed = $3 returning key`,
      [accountId, key, sealed, resealed],
    )
    return replaced.length > 0
  },
}

function sealContext(claim: Pick<Claim, 'accountId' | 'key'>): string {
  return `idempotency_key:${claim.accountId}:${claim.key}`
}

async function send(reply: FastifyReply, answer: KeptAnswer): Promise<FastifyReply> {
  return reply.code(answer.status).send(answer.body)
}

/** Forgets kept answers after their day, and rate limit buckets that have long been full. */
export const forgetAnswersJob = defineJob({
  name: 'http.forget_answers',
  concurrency: 1,
  retriesMax: 3,
  retryDelaySeconds: 60,
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
