import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { type SealedColumn, unsealOrNull } from '../lib/db/reseal.ts'

/**
 * Programs with several windows refresh at the same moment with the same token. Within this time the second is no theft:
 * both get a new token. A refresh token that comes back later was stolen, and its whole grant ends.
 */
const REUSE_GRACE_MS = 15_000

const TOKENS = new Set(['AccessToken', 'RefreshToken'])

type Store = Pick<App, 'db' | 'secrets' | 'clock'>

interface PayloadRow {
  sealed: string
  id_hash: Buffer
  consumed_at: Date | null
}

/** Stores one kind of object for the authorization server. */
export class PayloadAdapter implements Adapter {
  readonly #app: Store
  readonly #model: string

  constructor(app: Store, model: string) {
    this.#app = app
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { db, secrets, clock } = this.#app
    const at = clock.now()
    const idHash = hashId(id)
    const sealed = secrets.seal(JSON.stringify(payload), contextOf(this.#model, idHash))
    const { grantId = null, uid = null, accountId = null, clientId = payload.client_id ?? null } = payload
    const expiresAt = expiresIn === undefined ? null : addSeconds(at, expiresIn)
    await db.query(
      `insert into oauth_payload (model, id_hash, sealed, grant_id, uid, account_id, client_id, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (model, id_hash) do update set sealed = excluded.sealed, grant_id = excluded.grant_id,
         uid = excluded.uid, account_id = excluded.account_id, client_id = excluded.client_id,
         expires_at = excluded.expires_at`,
      [this.#model, idHash, sealed, grantId, uid, accountId, clientId, at, expiresAt],
    )
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return findPayload(this.#app, this.#model, id)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const { db, clock } = this.#app
    const [row] = await db.query<PayloadRow>(
      `select sealed, id_hash, consumed_at from oauth_payload where model = $1 and uid = $2 and expires_at > $3`,
      [this.#model, uid, clock.now()],
    )
    return row && open(this.#app, this.#model, row)
  }

  /** Only the device flow has user codes, and it is off. */
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  /** A code is spent once, however many come with it at the same moment. */
  async consume(id: string): Promise<void> {
    const { db, clock } = this.#app
    const consumed = await db.query(
      `update oauth_payload set consumed_at = $3 where model = $1 and id_hash = $2 and consumed_at is null returning model`,
      [this.#model, hashId(id), clock.now()],
    )
    if (consumed.length === 0 && this.#model === 'AuthorizationCode') {
      throw new errors.InvalidGrant('authorization code already used')
    }
  }

  /** A token that a program gives up, or that came back after its use, is an act on the account. */
  async destroy(id: string): Promise<void> {
    const { db, clock } = this.#app
    await db.transaction(async (tx) => {
      const [gone] = await tx.query<{ accountId: string | null; grantId: string | null }>(
        `delete from oauth_payload where model = $1 and id_hash = $2
         returning account_id as "accountId", grant_id as "grantId"`,
        [this.#model, hashId(id)],
      )
      if (!gone?.accountId || !TOKENS.has(this.#model)) return
      const details = { connection: gone.grantId }
      const entry = { at: clock.now(), accountId: gone.accountId, origin: null, by: 'program', details } as const
      await recordAudit(tx, { ...entry, action: 'program_token_ended' })
    })
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#app.db.query('delete from oauth_payload where model = $1 and grant_id = $2', [this.#model, grantId])
  }
}

/** Undefined when there is none, or its time is over. */
export async function findPayload(app: Store, model: string, id: string): Promise<AdapterPayload | undefined> {
  const [row] = await app.db.query<PayloadRow>(
    `select sealed, id_hash, consumed_at from oauth_payload
     where model = $1 and id_hash = $2 and (expires_at is null or expires_at > $3)`,
    [model, hashId(id), app.clock.now()],
  )
  return row && open(app, model, row)
}

export function hashId(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

/** Treats what a retired sealing key sealed as missing: its program has to connect again. */
function open({ secrets, clock }: Store, model: string, row: PayloadRow): AdapterPayload | undefined {
  const opened = unsealOrNull(secrets, row.sealed, contextOf(model, row.id_hash))
  if (opened === null) return undefined
  const payload = JSON.parse(opened) as AdapterPayload
  if (row.consumed_at === null) return payload
  const sinceMs = clock.now().getTime() - row.consumed_at.getTime()
  const isWithinGrace = model === 'RefreshToken' && sinceMs < REUSE_GRACE_MS
  return isWithinGrace ? payload : { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1_000) }
}

function contextOf(model: string, idHash: Buffer): string {
  return `oauth_payload:${model}:${idHash.toString('base64url')}`
}

export const SEALED_OAUTH_PAYLOAD: SealedColumn = {
  name: 'oauth_payload.sealed',
  start: ['', ''],
  async listAfter(db, [model, idHash], limit) {
    const rows = await db.query<PayloadRow & { model: string }>(
      `select model, id_hash, sealed from oauth_payload where (model, id_hash) > ($1, decode($2, 'hex'))
       order by model, id_hash limit $3`,
      [model, idHash, limit],
    )
    return rows.map((row) => ({
      key: [row.model, row.id_hash.toString('hex')],
      sealed: row.sealed,
      context: contextOf(row.model, row.id_hash),
    }))
  },
  async replace(db, { key: [model, idHash], sealed }, resealed) {
    const replaced = await db.query(
      `update oauth_payload set sealed = $4
       where model = $1 and id_hash = decode($2, 'hex') and sealed = $3 returning model`,
      [model, idHash, sealed, resealed],
    )
    return replaced.length > 0
  },
}
