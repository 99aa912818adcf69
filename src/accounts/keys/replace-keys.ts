import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { onlyRow, type Tx } from '../../lib/db/db.ts'
import { type Origin, recordAudit } from '../audit/record.ts'
import { sendSecurityNotice } from '../mail.ts'
import { createApiKey, type KeyMode } from './api-keys.ts'

// Each mode always has exactly one current key: ending it creates its successor.

export const OVERLAP_HOURS_MAX = 7 * 24

/** The current key and those before it that still work, for each mode. */
const LIVING_KEYS_MAX = 10

interface Rotation {
  accountId: string
  mode: KeyMode
  overlapHours: number
  origin: Origin
}

/**
 * Makes a new current key. The one before it works for `overlapHours` more, so that programs can be moved over; without
 * an overlap every older key of the mode ends at once.
 */
export async function rotateApiKey(app: App, rotation: Rotation): Promise<{ apiKey: string; previousExpiresAt: Date }> {
  const { accountId, mode, overlapHours, origin } = rotation
  const at = app.clock.now()
  const previousExpiresAt = addSeconds(at, overlapHours * 3_600)
  const apiKey = await app.db.transaction(async (tx) => {
    await lockKeys(tx, accountId)
    const before = await describeCurrent(tx, accountId, mode)
    if (overlapHours === 0) await endKeys(tx, { accountId, mode, at })
    else await letCurrentKeyEnd(tx, { accountId, mode, at, endsAt: previousExpiresAt })
    await sendSecurityNotice(app, tx, {
      accountId,
      subject: `A new ${mode} API key was made`,
      paragraphs: [`A new ${mode} API key was made for your account. ${describeOverlap(overlapHours)}`],
      path: '/console/keys',
      origin,
    })
    const created = await createApiKey(tx, app.secrets, { accountId, mode, at })
    const after = await describeCurrent(tx, accountId, mode)
    const details = { mode, overlap_hours: overlapHours }
    await recordAudit(tx, { at, accountId, action: 'api_key_rotated', origin, details, before, after })
    return created
  })
  return { apiKey, previousExpiresAt }
}

export interface EndedKey {
  id: string
  mode: KeyMode
  /** True for the current key: then a new one replaces it, which login shows. */
  isReplaced: boolean
}

/** Ends one key at once. Another account's key, one that has ended and one that never was are all `not_found`. */
export async function endApiKey(
  app: App,
  { accountId, id, origin }: { accountId: string; id: string; origin: Origin | null },
): Promise<EndedKey> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockKeys(tx, accountId)
    const [key] = await tx.query<{ mode: KeyMode; last4: string; is_current: boolean }>(
      `update api_key set expires_at = $3
       from (select expires_at is null as is_current from api_key where id = $1) as before
       where id = $1 and account_id = $2 and (expires_at is null or expires_at > $3)
       returning mode, last4, is_current`,
      [id, accountId, at],
    )
    if (!key) throw new DomainError('not_found', 'There is no such active key. GET /v1/auth/me lists the active ones.')
    const { mode, last4, is_current: isReplaced } = key
    if (isReplaced) await createApiKey(tx, app.secrets, { accountId, mode, at })
    const details = { mode, key: id, last4, replaced: isReplaced }
    await recordAudit(tx, { at, accountId, action: 'api_key_ended', origin, details })
    await sendSecurityNotice(app, tx, {
      accountId,
      subject: `A ${mode} API key was ended`,
      paragraphs: [
        `The ${mode} API key that ends in ${last4} was ended: programs that use it are refused from now on.`,
        ...(isReplaced ? ['A new key has taken its place. You see it when you log in over the API.'] : []),
      ],
      path: '/console/keys',
      origin,
    })
    return { id, mode, isReplaced }
  })
}

/** Ends every key of the account, of both modes, and creates new ones. */
export async function replaceEveryKey(app: App, tx: Tx, accountId: string): Promise<void> {
  const at = app.clock.now()
  await lockKeys(tx, accountId)
  for (const mode of ['live', 'test'] as const) {
    await endKeys(tx, { accountId, mode, at })
    await createApiKey(tx, app.secrets, { accountId, mode, at })
  }
}

/** Returns the parts of the current key that may be shown. */
async function describeCurrent(tx: Tx, accountId: string, mode: KeyMode): Promise<{ key: string; last4: string }> {
  const keys = await tx.query<{ key: string; last4: string }>(
    'select id as key, last4 from api_key where account_id = $1 and mode = $2 and expires_at is null',
    [accountId, mode],
  )
  return onlyRow(keys)
}

/** Orders concurrent changes; otherwise both would create a current key. */
async function lockKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.query('select 1 from account where id = $1 for update', [accountId])
}

async function endKeys(tx: Tx, ended: { accountId: string; mode: KeyMode; at: Date }): Promise<void> {
  await tx.query(
    `update api_key set expires_at = $3
     where account_id = $1 and mode = $2 and (expires_at is null or expires_at > $3)`,
    [ended.accountId, ended.mode, ended.at],
  )
}

async function letCurrentKeyEnd(
  tx: Tx,
  key: { accountId: string; mode: KeyMode; at: Date; endsAt: Date },
): Promise<void> {
  const { accountId, mode } = key
  await tx.query('update api_key set expires_at = $3 where account_id = $1 and mode = $2 and expires_at is null', [
    accountId,
    mode,
    key.endsAt,
  ])
  const [older] = await tx.query<{ count: number }>(
    'select count(*)::int as count from api_key where account_id = $1 and mode = $2 and expires_at > $3',
    [accountId, mode, key.at],
  )
  if ((older?.count ?? 0) < LIVING_KEYS_MAX) return
  throw new DomainError(
    'plan_limit_reached',
    `At most ${LIVING_KEYS_MAX} ${mode} keys can be active at a time. Revoke one with DELETE /v1/auth/api-keys/{id}, or rotate with overlap_hours 0.`,
    { limit: LIVING_KEYS_MAX },
  )
}

function describeOverlap(hours: number): string {
  if (hours === 0) return 'Every older key of this kind has ended.'
  return `The key before it works for ${hours} more ${hours === 1 ? 'hour' : 'hours'}.`
}
