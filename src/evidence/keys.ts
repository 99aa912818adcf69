/** The keys that sign records and anchors. Private halves are sealed; public halves are published for ever. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { describeSealedColumn, unsealOrNull } from '../lib/db/reseal.ts'
import { newId } from '../lib/ids.ts'
import { listDocumentCertificates } from './document/certificates.ts'
import { readAuthorities } from './stamp/authority.ts'

interface Jwk {
  kty: string
  crv: string
  x: string
}

export interface EvidenceKey {
  id: string
  key: KeyObject
}

/** The process that holds this lock makes the next key; the others then find it. */
const CREATE_LOCK = 7_302_651_192
const KEYS_MAX = 10_000

/** Returns the key that signs now. The first call of all makes it. */
export async function getEvidenceKey(app: App, tx: Tx): Promise<EvidenceKey> {
  const found = await findSigningKey(app, tx)
  if (found) return found
  await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
  return (await findSigningKey(app, tx)) ?? insertKey(app, tx)
}

/** Makes the next key, which signs from now on. What the earlier ones signed stays valid. */
export async function rotateEvidenceKey(app: App): Promise<string> {
  return app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
    return (await insertKey(app, tx)).id
  })
}

async function insertKey({ secrets, clock }: App, tx: Tx): Promise<EvidenceKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const id = newId('evk')
  const at = clock.now()
  await tx.query('update evidence_key set retired_at = $1 where retired_at is null', [at])
  await tx.query(
    'insert into evidence_key (id, public_jwk, private_jwk_sealed, activates_at) values ($1, $2, $3, $4)',
    [
      id,
      JSON.stringify(toPublicJwk(privateKey)),
      secrets.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), sealContext(id)),
      at,
    ],
  )
  return { id, key: privateKey }
}

function toPublicJwk(key: KeyObject): Jwk {
  const { kty = '', crv = '', x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kty, crv, x }
}

const toPrivateKey = (opened: string): KeyObject =>
  createPrivateKey({ key: JSON.parse(opened) as JsonWebKey, format: 'jwk' })

async function findSigningKey({ secrets }: App, db: Db): Promise<EvidenceKey | null> {
  const [row] = await db.query<{ id: string; sealed: string }>(
    'select id, private_jwk_sealed as sealed from evidence_key where retired_at is null',
  )
  if (!row) return null
  const opened = unsealOrNull(secrets, row.sealed, sealContext(row.id))
  if (opened === null) {
    throw new DomainError(
      'unavailable',
      'Evidence records cannot be signed now. The operator can mend this with: nameplated evidence rotate',
    )
  }
  return { id: row.id, key: toPrivateKey(opened) }
}

export const SEALED_EVIDENCE_KEY = describeSealedColumn({
  table: 'evidence_key',
  column: 'private_jwk_sealed',
  key: ['id'],
  start: [''],
  sealedFor: ['id'],
})

const sealContext = (id: string) => `evidence_key:${id}`

export interface KeyEntry {
  id: string
  jwk: Jwk
  activatesAt: Date
  retiredAt: Date | null
  /** False for one that was put there with the database and without the sealing keys. It is not published. */
  isOurs: boolean
}

/** Returns all keys there ever were, newest first. */
export async function listEvidenceKeys(app: Pick<App, 'db' | 'secrets' | 'config'>): Promise<KeyEntry[]> {
  const rows = await app.db.query<Omit<KeyEntry, 'isOurs'> & { sealed: string }>(
    `select id, public_jwk as jwk, private_jwk_sealed as sealed, activates_at as "activatesAt", retired_at as "retiredAt"
     from evidence_key order by activates_at desc, id limit $1`,
    [KEYS_MAX],
  )
  return rows.map(({ sealed, ...row }) => ({ ...row, isOurs: isOurs(app, { ...row, sealed }) }))
}

/** The sealed private half proves that we made the key: only one who has a sealing key can seal another one. */
function isOurs(
  { secrets, config }: Pick<App, 'secrets' | 'config'>,
  { id, jwk, sealed }: { id: string; jwk: unknown; sealed: string },
): boolean {
  const opened = unsealOrNull(secrets, sealed, sealContext(id))
  if (opened !== null) return isDeepStrictEqual(toPublicJwk(toPrivateKey(opened)), jwk)
  return config.evidenceKeysLost.some((x) => isDeepStrictEqual({ kty: 'OKP', crv: 'Ed25519', x }, jwk))
}

async function listOwnCertificates(app: App): Promise<Buffer[]> {
  const stored = await listDocumentCertificates(app)
  const planted = stored.filter(({ isOurs }) => !isOurs)
  if (planted.length > 0) {
    app.log.error({ event: 'evidence.certificate_not_published', ids: planted.map(({ id }) => id) })
  }
  return stored.filter((one) => one.isOurs).map(({ certificate }) => certificate)
}

/** Returns the document that everyone needs to check a bundle. */
export async function readPublishedKeys(app: App) {
  const stored = await listEvidenceKeys(app)
  const keys = stored.filter((key) => key.isOurs)
  if (keys.length < stored.length) {
    const ids = stored.filter((key) => !key.isOurs).map(({ id }) => id)
    app.log.error({ event: 'evidence.key_not_published', ids })
  }
  return {
    issuer: app.config.siteUrl.origin,
    keys: keys.map(({ id, jwk, activatesAt, retiredAt }) => ({
      kid: id,
      kty: jwk.kty,
      crv: jwk.crv,
      x: jwk.x,
      alg: 'EdDSA',
      use: 'sig',
      active_from: activatesAt.toISOString(),
      active_until: retiredAt && retiredAt.toISOString(),
    })),
    time_stamp_authorities: (await readAuthorities(app)).map((certificate) => certificate.raw.toString('base64')),
    document_certificates: (await listOwnCertificates(app)).map((certificate) => certificate.toString('base64')),
  }
}
