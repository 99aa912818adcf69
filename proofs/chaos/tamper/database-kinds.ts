/** Ways to change what is stored, by one who has the database and none of the keys. Each names what `evidence verify` must find. */
import { generateKeyPairSync } from 'node:crypto'
import { hashLeaf } from '../../../src/evidence/check/merkle.ts'
import { sealOf, signText } from '../../../src/evidence/check/signature.ts'
import type { Tx } from '../../../src/lib/db/db.ts'

export interface DatabaseKind {
  name: string
  /** One of these must be among the problems. */
  expected: string
  change: (tx: Tx) => Promise<unknown>
}

const FIRST = `(select record_id from evidence_leaf where index = 0)`
const replaceText = (from: string, to: string) => (tx: Tx) =>
  tx.query(`update evidence_record set record = regexp_replace(record, $1, $2) where id = ${FIRST}`, [from, to])

export const DATABASE_KINDS: readonly DatabaseKind[] = [
  { name: 'stored: a quote', expected: 'record_changed', change: replaceText('"quote":"', '"quote":"x') },
  { name: 'stored: the register’s row', expected: 'record_changed', change: replaceText('"active"', '"dissolved"') },
  {
    name: 'stored: the hash of a page',
    expected: 'record_changed',
    change: replaceText('"sha256":"..', '"sha256":"ff'),
  },
  {
    name: 'stored: a record edited with its entry',
    expected: 'record_changed',
    change: async (tx) => {
      await replaceText('"quote":"', '"quote":"x')(tx)
      const [row] = await tx.query<{ record: string; jws: string }>(
        `select record, jws from evidence_record where id = ${FIRST}`,
      )
      const hash = hashLeaf(sealOf(row?.record ?? '', row?.jws ?? ''))
      await tx.query('update evidence_leaf set hash = $1 where index = 0', [hash])
    },
  },
  {
    name: 'stored: a record signed again by another key',
    expected: 'record_changed',
    change: async (tx) => {
      const { privateKey } = generateKeyPairSync('ed25519')
      const [row] = await tx.query<{ record: string; key_id: string }>(
        `select record, key_id from evidence_record where id = ${FIRST}`,
      )
      const jws = signText(row?.record ?? '', { id: row?.key_id ?? '', key: privateKey })
      await tx.query(`update evidence_record set jws = $1 where id = ${FIRST}`, [jws])
    },
  },
  {
    name: 'stored: the published key swapped',
    expected: 'record_changed',
    change: (tx) => {
      const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      return tx.query(`update evidence_key set public_jwk = jsonb_set(public_jwk, '{x}', to_jsonb($1::text))`, [x])
    },
  },
  {
    name: 'stored: a record removed',
    expected: 'record_removed',
    change: (tx) => tx.query(`delete from evidence_record where id = ${FIRST}`),
  },
  {
    name: 'stored: an entry removed',
    expected: 'entry_removed',
    change: (tx) => tx.query('delete from evidence_leaf where index = 1'),
  },
  {
    name: 'stored: an entry removed and the others moved up',
    expected: 'entries_removed',
    change: async (tx) => {
      await tx.query('delete from evidence_record where id = (select record_id from evidence_leaf where index = 1)')
      await tx.query('delete from evidence_leaf where index = 1')
      await tx.query('update evidence_leaf set index = -index where index > 1')
      await tx.query('update evidence_leaf set index = -index - 1 where index < 0')
      await tx.query('update evidence_log set size = size - 1')
    },
  },
  {
    name: 'stored: two entries in another order',
    expected: 'log_changed',
    change: async (tx) => {
      await tx.query('update evidence_leaf set index = -1 where index = 0')
      await tx.query('update evidence_leaf set index = 0 where index = 1')
      await tx.query('update evidence_leaf set index = 1 where index = -1')
    },
  },
  {
    name: 'stored: the hash of an entry',
    expected: 'entry_changed',
    change: (tx) => tx.query(`update evidence_leaf set hash = sha256('x') where index = 0`),
  },
  {
    name: 'stored: an entry back-dated',
    expected: 'entry_back_dated',
    change: (tx) => tx.query(`update evidence_leaf set appended_at = appended_at - interval '30 days' where index = 1`),
  },
  {
    name: 'stored: a record back-dated with its entry',
    expected: 'entry_back_dated',
    change: async (tx) => {
      const id = '(select record_id from evidence_leaf where index = 1)'
      await tx.query(`update evidence_record set made_at = made_at - interval '30 days' where id = ${id}`)
      await tx.query(`update evidence_leaf set appended_at = appended_at - interval '30 days' where index = 1`)
    },
  },
  {
    name: 'stored: the end of the log cut off',
    expected: 'entries_removed',
    change: async (tx) => {
      await tx.query('delete from evidence_record where id in (select record_id from evidence_leaf where index > 1)')
      await tx.query('delete from evidence_leaf where index > 1')
      await tx.query('delete from evidence_node where (index + 1) * (1::bigint << level::integer) > 2')
      await tx.query('update evidence_log set size = 2')
    },
  },
  {
    name: 'stored: a record beside the log',
    expected: 'record_not_logged',
    change: (tx) =>
      tx.query(
        `insert into evidence_record select 'evd_planted', account_id, mode, 'res_planted', content_hash, record, jws, key_id, made_at, stamp
         from evidence_record where id = ${FIRST}`,
      ),
  },
  {
    name: 'stored: a hash inside the tree',
    expected: 'tree_changed',
    change: (tx) => tx.query(`update evidence_node set hash = sha256('x') where level = 1 and index = 0`),
  },
  {
    name: 'stored: the root of a head',
    expected: 'head_changed',
    change: (tx) => tx.query(`update evidence_head set root = sha256('x')`),
  },
  {
    name: 'stored: the time of a head',
    expected: 'head_changed',
    change: (tx) => tx.query(`update evidence_head set made_at = made_at - interval '30 days'`),
  },
  {
    name: 'stored: the stamp of another record',
    expected: 'stamp_of_other',
    change: (tx) =>
      tx.query(
        `update evidence_record set stamp = (select stamp from evidence_record where id <> ${FIRST} limit 1) where id = ${FIRST}`,
      ),
  },
  {
    name: 'stored: a byte of a stamp',
    expected: 'stamp_broken',
    change: (tx) =>
      tx.query(
        `update evidence_record set stamp = set_byte(stamp, length(stamp) - 1, get_byte(stamp, length(stamp) - 1) # 1) where id = ${FIRST}`,
      ),
  },
]
