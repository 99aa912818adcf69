/** Links that show the evidence of one answer to people without an account, until a day, or until they are revoked. */
import { randomBytes } from 'node:crypto'
import { assertOpenAccount, type KeyMode, lockAccount, type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { type EvidencePack, readEvidencePack } from '../answers/evidence-pack.ts'
import { getEntry, notInHistory } from './read-history.ts'

export interface ShareLink {
  id: string
  resolutionId: string
  madeAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

interface Owner {
  accountId: string
  mode: KeyMode
}

const COLUMNS = `id, resolution_id as "resolutionId", made_at as "madeAt", expires_at as "expiresAt", revoked_at as "revokedAt"`

const TOKEN_BYTES = 32
export const TOKEN_PATTERN = /^[\w-]{43}$/
/** Open links of one answer. */
const OPEN_MAX = 20
export const LINK_DAYS_MAX = 90

/** Returns the link with its secret, which is stored as a hash alone. An answer whose evidence is closed has none. */
export async function makeShareLink(
  app: App,
  ask: Owner & { resolutionId: string; days: number; origin: Origin },
): Promise<ShareLink & { token: string }> {
  const { accountId, mode, resolutionId, days, origin } = ask
  await getEntry(app, ask)
  if (!(await readEvidencePack(app, { resolutionId, accountId, mode, whyNot: null }))) throw notInHistory()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    // The lock orders two requests of one account, so that both together stay within the limit.
    await lockAccount(tx, accountId)
    await assertOpenAccount(tx, accountId)
    const { open } = onlyRow(
      await tx.query<{ open: number }>(
        `select count(*)::int as open from share_link
         where account_id = $1 and resolution_id = $2 and revoked_at is null and expires_at > $3`,
        [accountId, resolutionId, at],
      ),
    )
    if (open >= OPEN_MAX) {
      throw new DomainError(
        'plan_limit_reached',
        `This answer has ${OPEN_MAX} open share links. Revoke one of them first.`,
      )
    }
    const [link] = await tx.query<ShareLink>(
      `insert into share_link (id, token_hash, account_id, mode, resolution_id, made_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
      [newId('shl'), app.secrets.keyedHash(token), accountId, mode, resolutionId, at, addSeconds(at, days * 86_400)],
    )
    if (!link) throw new Error('a share link was not stored')
    const details = { share_link_id: link.id, resolution_id: resolutionId, days }
    await recordAudit(tx, { at, accountId, mode, action: 'share_link_made', origin, details })
    return { ...link, token }
  })
}

const LISTED_MAX = 100

/** Returns the links of an answer, ended ones too, newest first. */
export async function listShareLinks(db: Db, of: Owner & { resolutionId: string }): Promise<ShareLink[]> {
  return db.query<ShareLink>(
    `select ${COLUMNS} from share_link where account_id = $1 and resolution_id = $2 and mode = $3
     order by made_at desc, id limit ${LISTED_MAX}`,
    [of.accountId, of.resolutionId, of.mode],
  )
}

/** Throws `not_found` for links of other accounts. One that was revoked before stays as it is. */
export async function revokeShareLink(app: App, ask: Owner & { id: string; origin: Origin }): Promise<ShareLink> {
  const { id, accountId, mode, origin } = ask
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const [before] = await tx.query<ShareLink>(
      `select ${COLUMNS} from share_link where id = $1 and account_id = $2 and mode = $3 for update`,
      [id, accountId, mode],
    )
    if (!before) throw new DomainError('not_found', 'There is no such share link, or it is not yours.')
    if (before.revokedAt !== null) return before
    await tx.query('update share_link set revoked_at = $2 where id = $1', [id, at])
    const details = { share_link_id: id, resolution_id: before.resolutionId }
    await recordAudit(tx, { at, accountId, mode, action: 'share_link_revoked', origin, details })
    return { ...before, revokedAt: at }
  })
}

/**
 * Returns the evidence that a link shows, without the account's own decision; null when the link is unknown, over or
 * revoked, its account is disabled, or the match was refunded.
 */
export async function openShareLink(app: App, token: string): Promise<(EvidencePack & { expiresAt: Date }) | null> {
  if (!TOKEN_PATTERN.test(token)) return null
  const [link] = await app.db.query<{ accountId: string; mode: KeyMode; resolutionId: string; expiresAt: Date }>(
    `select link.account_id as "accountId", link.mode, link.resolution_id as "resolutionId", link.expires_at as "expiresAt"
     from share_link link join account on account.id = link.account_id
     where link.token_hash = any ($1) and link.revoked_at is null and link.expires_at > $2 and account.disabled_at is null`,
    [app.secrets.keyedHashes(token), app.clock.now()],
  )
  if (!link) return null
  try {
    const pack = await readEvidencePack(app, { ...link, whyNot: null })
    return pack && { ...pack, decision: null, expiresAt: link.expiresAt }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  }
}
