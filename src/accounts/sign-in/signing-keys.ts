import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { describeSealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { newId } from '../../lib/ids.ts'

export const SIGNING_ALGORITHM = 'ES256'

const ROTATE_AFTER_SECONDS = 30 * 86_400
/** A new key waits this long before it signs, so that every process has seen it. */
const ACTIVATION_DELAY_SECONDS = 600
/** Longer than any session, so that no session outlives the key that verifies it. */
const RETIRED_LIFE_SECONDS = 25 * 3_600
const CACHE_MS = 60_000
const CACHE_MAX = 16
// The process that holds this lock creates the first key; the others then find it.
const CREATE_LOCK = 7_302_651_191

export async function findVerifyKey(app: App, id: string): Promise<CryptoKey | null> {
  const { verifyKeys } = app
  const cached = verifyKeys.get(id)
  if (cached && Date.now() < cached.readUntilMs) return cached.key
  verifyKeys.delete(id)
  const [row] = await app.db.query<{ public_jwk: JWK }>(
    'select public_jwk from signing_key where id = $1 and (expires_at is null or expires_at > $2)',
    [id, app.clock.now()],
  )
  if (!row) return null
  const key = (await importJWK(row.public_jwk, SIGNING_ALGORITHM)) as CryptoKey
  if (verifyKeys.size >= CACHE_MAX) verifyKeys.clear()
  verifyKeys.set(id, { key, readUntilMs: Date.now() + CACHE_MS })
  return key
}

export async function getSigningKey(app: App): Promise<{ id: string; key: CryptoKey }> {
  const { id, jwk } = (await findActiveKey(app, app.db)) ?? (await app.db.transaction((tx) => createFirstKey(app, tx)))
  return { id, key: (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey }
}

/** Makes the next key when the newest has grown old, and sets the end of those it replaces. Safe to run at any time. */
export async function rotateSigningKeys(app: App, tx: Tx): Promise<void> {
  const now = app.clock.now()
  await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
  const [newest] = await tx.query<{ activates_at: Date }>(
    'select activates_at from signing_key order by activates_at desc limit 1',
  )
  if (!newest || addSeconds(newest.activates_at, ROTATE_AFTER_SECONDS) > now) return
  const activatesAt = addSeconds(now, ACTIVATION_DELAY_SECONDS)
  await tx.query('update signing_key set expires_at = $1 where expires_at is null', [
    addSeconds(activatesAt, RETIRED_LIFE_SECONDS),
  ])
  await tx.query('delete from signing_key where expires_at < $1', [now])
  await insertKey(app, tx, activatesAt)
}

interface SigningKeyRow {
  id: string
  private_jwk_sealed: string
}

interface PrivateKey {
  id: string
  jwk: JWK
}

/** The newest that the configured sealing keys open: one that a retired key sealed signs nothing any more. */
async function findActiveKey({ clock, secrets }: App, db: Db): Promise<PrivateKey | null> {
  const rows = await db.query<SigningKeyRow>(
    `select id, private_jwk_sealed from signing_key where activates_at <= $1 and (expires_at is null or expires_at > $1)
     order by activates_at desc limit $2`,
    [clock.now(), CACHE_MAX],
  )
  for (const { id, private_jwk_sealed: sealed } of rows) {
    const opened = unsealOrNull(secrets, sealed, sealContext(id))
    if (opened !== null) return { id, jwk: JSON.parse(opened) as JWK }
  }
  return null
}

async function createFirstKey(app: App, tx: Tx): Promise<PrivateKey> {
  await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
  return (await findActiveKey(app, tx)) ?? insertKey(app, tx, app.clock.now())
}

async function insertKey(app: App, tx: Tx, activatesAt: Date): Promise<PrivateKey> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const id = newId('sgn')
  const jwk = await exportJWK(privateKey)
  await tx.query('insert into signing_key (id, public_jwk, private_jwk_sealed, activates_at) values ($1, $2, $3, $4)', [
    id,
    JSON.stringify(await exportJWK(publicKey)),
    app.secrets.seal(JSON.stringify(jwk), sealContext(id)),
    activatesAt,
  ])
  return { id, jwk }
}

export const SEALED_SIGNING_KEY = describeSealedColumn({
  table: 'signing_key',
  column: 'private_jwk_sealed',
  key: ['id'],
  start: [''],
  sealedFor: ['id'],
})

function sealContext(id: string): string {
  return `signing_key:${id}`
}
