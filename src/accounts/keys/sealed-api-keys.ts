import type { App } from '../../app.ts'
import { type SealedColumn, unsealOrNull } from '../../lib/db/reseal.ts'
import { replaceHash, sealContext } from './api-keys.ts'

export const SEALED_API_KEY: SealedColumn = {
  name: 'api_key.sealed',
  start: [''],
  async listAfter(db, [after], limit) {
    const rows = await db.query<{ id: string; account_id: string; sealed: string }>(
      'select id, account_id, sealed from api_key where id > $1 order by id limit $2',
      [after, limit],
    )
    return rows.map((row) => ({ key: [row.id], sealed: row.sealed, context: sealContext(row.account_id, row.id) }))
  },
  async replace(db, { key: [id], sealed }, resealed) {
    const replaced = await db.query('update api_key set sealed = $3 where id = $1 and sealed = $2 returning id', [
      id,
      sealed,
      resealed,
    ])
    return replaced.length > 0
  },
}

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
