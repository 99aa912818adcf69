import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow, type Tx } from '../../lib/db/db.ts'
import { describeSealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { newId, toBase62 } from '../../lib/ids.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { accountDisabled } from '../account.ts'
import { type Origin, recordAudit } from '../audit/record.ts'
import type { PlanName } from '../plans.ts'

export type KeyMode = 'live' | 'test'

/** The parts of a key that may be shown. */
export interface ApiKey {
  id: string
  mode: KeyMode
  prefix: string
  last4: string
  createdAt: Date
  lastUsedAt: Date | null
  /** When a key that was replaced stops working; null for the current one. */
  endsAt: Date | null
}

interface KeyHolder {
  accountId: string
  plan: PlanName
  mode: KeyMode
  keyId: string
}

const LAST_USED_EVERY_SECONDS = 60
const RANDOM_BYTES = 24
const RANDOM_DIGITS = 33
const CHECKSUM_DIGITS = 6
const KEY_FORMAT = /^np_(?:live|test)_[0-9A-Za-z]{39}$/

/** `np_live_` + 192 random bits + checksum, so that scanners know it and a typing error is seen without a look-up. */
export function newApiKey(mode: KeyMode): string {
  const body = `np_${mode}_${toBase62(randomBytes(RANDOM_BYTES), RANDOM_DIGITS)}`
  return body + checksum(body)
}

export function isWellFormedKey(key: string): boolean {
  return KEY_FORMAT.test(key) && checksum(key.slice(0, -CHECKSUM_DIGITS)) === key.slice(-CHECKSUM_DIGITS)
}

function checksum(body: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(body))
  return toBase62(bytes, CHECKSUM_DIGITS)
}

export async function createApiKey(
  tx: Tx,
  secrets: Secrets,
  { accountId, mode, at }: { accountId: string; mode: KeyMode; at: Date },
): Promise<string> {
  const id = newId('key')
  const secret = newApiKey(mode)
  const sealed = secrets.seal(secret, sealContext(accountId, id))
  const prefix = secret.slice(0, 'np_live_'.length + 4)
  await tx.query(
    `insert into api_key (id, account_id, mode, hash, sealed, prefix, last4, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, accountId, mode, secrets.keyedHash(secret), sealed, prefix, secret.slice(-4), at],
  )
  return secret
}

/** A key as it is stored, with its account. */
interface StoredKey extends Omit<KeyHolder, 'keyId'> {
  id: string
  hash: Buffer
  expiresAt: Date | null
  lastUsedAt: Date | null
  disabledAt: Date | null
}

/** Returns the holder of a key, or null. Records its use at most once a minute. */
export async function findKeyHolder(app: App, key: string): Promise<KeyHolder | null> {
  if (!isWellFormedKey(key)) return null
  const now = app.clock.now()
  const hashes = app.secrets.keyedHashes(key)
  const stored = (await app.keyLookups.add(hashes, (asked) => findStoredKeys(app.db, asked))) as StoredKey | null
  if (!stored || (stored.expiresAt !== null && stored.expiresAt <= now)) return null
  if (stored.disabledAt) throw accountDisabled()
  const [newestHash] = hashes
  if (newestHash && !newestHash.equals(stored.hash)) await replaceHash(app.db, stored, newestHash)
  if (!stored.lastUsedAt || addSeconds(stored.lastUsedAt, LAST_USED_EVERY_SECONDS) < now) {
    await app.db.query('update api_key set last_used_at = $2 where id = $1', [stored.id, now])
  }
  const { id: keyId, accountId, plan, mode } = stored
  return { accountId, plan, mode, keyId }
}

/**
 * Returns the key of each caller, whose secret may be stored by any of its hashes. Each is found by the index of hashes,
 * and by the same plan however many come together.
 */
async function findStoredKeys(db: Db, asked: ReadonlyArray<readonly Buffer[]>): Promise<Array<StoredKey | null>> {
  const rows = await db.query<StoredKey>(
    `select stored.* from jsonb_array_elements_text($1::jsonb) asked (hash) cross join lateral (
       select k.id, k.hash, k.account_id as "accountId", k.mode, k.expires_at as "expiresAt",
         k.last_used_at as "lastUsedAt", a.plan, a.disabled_at as "disabledAt"
       from api_key k join account a on a.id = k.account_id where k.hash = decode(asked.hash, 'hex') limit 1) stored`,
    [JSON.stringify(asked.flat().map((hash) => hash.toString('hex')))],
  )
  return asked.map((hashes) => rows.find(({ hash }) => hashes.some((one) => one.equals(hash))) ?? null)
}

/** The account's current keys in full; null where no configured sealing key opens one. Only the password shows them: login, or the request to show one. */
export async function findApiKeys(app: App, accountId: string): Promise<Record<KeyMode, string | null>> {
  const rows = await app.db.query<{ id: string; mode: KeyMode; sealed: string }>(
    'select id, mode, sealed from api_key where account_id = $1 and expires_at is null',
    [accountId],
  )
  const reveal = (mode: KeyMode) => {
    const row = onlyRow(rows.filter((candidate) => candidate.mode === mode))
    return unsealOrNull(app.secrets, row.sealed, sealContext(accountId, row.id))
  }
  return { live: reveal('live'), test: reveal('test') }
}

/** Returns a current key in full to a person who has just given the password, and records it. Null when it cannot be shown. */
export async function showApiKey(
  app: App,
  { accountId, mode, origin }: { accountId: string; mode: KeyMode; origin: Origin },
): Promise<string | null> {
  const key = (await findApiKeys(app, accountId))[mode]
  const details = { mode }
  await recordAudit(app.db, { at: app.clock.now(), accountId, action: 'api_key_shown', origin, details })
  return key
}

/** The same of an account whose keys are known to be readable. */
export async function revealApiKeys(app: App, accountId: string): Promise<Record<KeyMode, string>> {
  const { live, test } = await findApiKeys(app, accountId)
  if (live === null || test === null) throw new Error('no configured sealing key opens this API key')
  return { live, test }
}

/** Every key that works: live before test, the current one first. */
export async function listApiKeys(db: Db, { accountId, at }: { accountId: string; at: Date }): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    `select ${COLUMNS} from api_key where account_id = $1 and (expires_at is null or expires_at > $2)
     order by mode, expires_at desc nulls first, created_at desc, id limit 100`,
    [accountId, at],
  )
}

/** The current keys. */
export async function describeApiKeys(db: Db, accountId: string): Promise<Record<KeyMode, ApiKey>> {
  const rows = await db.query<ApiKey>(`select ${COLUMNS} from api_key where account_id = $1 and expires_at is null`, [
    accountId,
  ])
  const describe = (mode: KeyMode) => onlyRow(rows.filter((candidate) => candidate.mode === mode))
  return { live: describe('live'), test: describe('test') }
}

const COLUMNS = `id, mode, prefix, last4, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "endsAt"`

function sealContext(accountId: string, keyId: string): string {
  return `api_key:${accountId}:${keyId}`
}

/** Returns false when another process replaced it meanwhile. */
async function replaceHash(db: Db, key: { id: string; hash: Buffer }, newest: Buffer): Promise<boolean> {
  const replaced = await db.query('update api_key set hash = $3 where id = $1 and hash = $2 returning id', [
    key.id,
    key.hash,
    newest,
  ])
  return replaced.length > 0
}

export const SEALED_API_KEY = describeSealedColumn({
  table: 'api_key',
  column: 'sealed',
  key: ['id'],
  start: [''],
  sealedFor: ['account_id', 'id'],
})

const REHASH_BATCH_ROWS = 500

/** Hashes every key with the newest hashing key, so that an older one can be retired. Returns how many it changed. */
export async function rehashApiKeys(app: App): Promise<number> {
  let after = ''
  let rehashed = 0
  for (;;) {
    const rows = await app.db.query<{ id: string; account_id: string; sealed: string; hash: Buffer }>(
      'select id, account_id, sealed, hash from api_key where id > $1 order by id limit $2',
      [after, REHASH_BATCH_ROWS],
    )
    const last = rows.at(-1)
    if (!last) return rehashed
    after = last.id
    for (const row of rows) {
      const secret = unsealOrNull(app.secrets, row.sealed, sealContext(row.account_id, row.id))
      const newest = secret === null ? row.hash : app.secrets.keyedHash(secret)
      if (!newest.equals(row.hash) && (await replaceHash(app.db, row, newest))) rehashed += 1
    }
  }
}
