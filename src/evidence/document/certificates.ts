/** The certificates that sign documents: the operator's own from files, or else one that we make. Each stays published. */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { describeSealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { makeSelfSigned } from './self-signed.ts'

export interface DocumentSigner {
  key: KeyObject
  certificate: Buffer
  /** From the issuer of the certificate upwards. */
  chain: Buffer[]
}

/** The process that holds this lock makes the next certificate; the others then find it. */
const CREATE_LOCK = 7_302_651_187
const CERTIFICATES_MAX = 1_000
/** One that ends sooner is replaced. */
const RENEW_DAYS = 90
/** Sealed in the column of the key, where the operator keeps the key in a file. */
const OPERATORS_OWN = 'operator'
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns what signs documents now. The first call of all makes it, or publishes the operator's. */
export async function getDocumentSigner(app: App): Promise<DocumentSigner> {
  const given = await readGiven(app)
  if (given) {
    if (new Date(new X509Certificate(given.certificate).validTo) < app.clock.now()) {
      app.log.warn({ event: 'evidence.certificate_expired', setting: 'DOCUMENT_CERTIFICATE_FILE' })
    }
    await publishGiven(app, given)
    return given
  }
  const found = await findOwn(app, app.db)
  if (found) return found
  return app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
    return (await findOwn(app, tx)) ?? insertOwn(app, tx)
  })
}

async function readGiven({ config }: Pick<App, 'config'>): Promise<DocumentSigner | null> {
  const files = config.documentCertificate
  if (!files) return null
  const [chain, key] = await Promise.all([readFile(files.certificateFile, 'utf8'), readFile(files.keyFile, 'utf8')])
  const [own, ...issuers] = (chain.match(PEM) ?? []).map((pem) => new X509Certificate(pem))
  if (!own) throw new Error('DOCUMENT_CERTIFICATE_FILE has no certificate')
  const privateKey = createPrivateKey(key)
  if (!own.checkPrivateKey(privateKey)) throw new Error('DOCUMENT_KEY_FILE has another key than the certificate')
  return { key: privateKey, certificate: own.raw, chain: issuers.map(({ raw }) => raw) }
}

const idOf = (certificate: Buffer) => createHash('sha256').update(certificate).digest('hex')

async function publishGiven({ db, clock, secrets }: App, { certificate }: DocumentSigner): Promise<void> {
  const id = idOf(certificate)
  const [known] = await db.query<{ sealed: string }>(
    'select private_key_sealed as sealed from evidence_certificate where id = $1 and retired_at is null',
    [id],
  )
  if (known && unsealOrNull(secrets, known.sealed, sealContext(id)) !== null) return
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
    await activate(tx, { id, certificate, sealed: secrets.seal(OPERATORS_OWN, sealContext(id)), at: clock.now() })
  })
}

/** The one that signed until now is retired and stays published. One that signed before signs again. */
async function activate(
  tx: Tx,
  { id, certificate, sealed, at }: { id: string; certificate: Buffer; sealed: string; at: Date },
): Promise<void> {
  await tx.query('update evidence_certificate set retired_at = $2 where retired_at is null and id <> $1', [id, at])
  await tx.query(
    `insert into evidence_certificate (id, certificate, private_key_sealed, activates_at) values ($1, $2, $3, $4)
     on conflict (id) do update set retired_at = null, private_key_sealed = excluded.private_key_sealed`,
    [id, certificate, sealed, at],
  )
}

async function findOwn({ secrets, clock }: App, db: Db): Promise<DocumentSigner | null> {
  const [row] = await db.query<StoredCertificate>(
    'select id, certificate, private_key_sealed as sealed from evidence_certificate where retired_at is null',
  )
  if (!row) return null
  const opened = unsealOrNull(secrets, row.sealed, sealContext(row.id))
  if (opened === OPERATORS_OWN) return null
  const ends = new Date(new X509Certificate(row.certificate).validTo)
  if (ends.getTime() - clock.now().getTime() < RENEW_DAYS * 86_400_000) return null
  if (opened === null) {
    throw new DomainError(
      'unavailable',
      'Documents cannot be signed now: no configured key opens the signing key. The operator finds why in SEALING_KEYS.',
    )
  }
  return { key: createPrivateKey(opened), certificate: row.certificate, chain: [] }
}

async function insertOwn({ secrets, clock, config }: App, tx: Tx): Promise<DocumentSigner> {
  const at = clock.now()
  const { certificate, key } = makeSelfSigned({ service: config.siteUrl.host, at })
  const id = idOf(certificate)
  const sealed = secrets.seal(key.export({ type: 'pkcs8', format: 'pem' }).toString(), sealContext(id))
  await activate(tx, { id, certificate, sealed, at })
  return { key, certificate, chain: [] }
}

const sealContext = (id: string) => `evidence_certificate:${id}`

export const SEALED_DOCUMENT_KEY = describeSealedColumn({
  table: 'evidence_certificate',
  column: 'private_key_sealed',
  key: ['id'],
  start: [''],
  sealedFor: ['id'],
})

export interface CertificateEntry {
  id: string
  certificate: Buffer
  /** False for one that was put there with the database and without the sealing keys. It is not published. */
  isOurs: boolean
}

/** Returns every certificate that ever signed documents, as DER, newest first. */
export async function listDocumentCertificates(
  app: Pick<App, 'db' | 'secrets' | 'config'>,
): Promise<CertificateEntry[]> {
  const rows = await app.db.query<StoredCertificate>(
    `select id, certificate, private_key_sealed as sealed from evidence_certificate
     order by activates_at desc, id limit $1`,
    [CERTIFICATES_MAX],
  )
  return rows.map((row) => ({ id: row.id, certificate: row.certificate, isOurs: isVouchedFor(app, row) }))
}

interface StoredCertificate {
  id: string
  certificate: Buffer
  sealed: string
}

/**
 * The sealed value proves that the certificate is ours, or the operator's: only one who has a sealing key can make it. Where there
 * is none that opens, the settings may name it.
 */
function isVouchedFor(
  { secrets, config }: Pick<App, 'secrets' | 'config'>,
  { id, certificate, sealed }: StoredCertificate,
): boolean {
  if (idOf(certificate) !== id) return false
  const opened = unsealOrNull(secrets, sealed, sealContext(id))
  if (opened === null) return config.evidenceKeysLost.includes(id)
  return opened === OPERATORS_OWN || fits(certificate, opened)
}

function fits(certificate: Buffer, privateKey: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))
  } catch {
    return false
  }
}
