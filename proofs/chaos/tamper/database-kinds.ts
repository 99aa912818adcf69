/** Ways to change what is stored, by one who has the database and none of the keys. Each names what `evidence verify` must find. */
import { generateKeyPairSync } from 'node:crypto'
import { hashLeaf, sealOf, signText } from '../../../packages/evidence-check/index.ts'
import { makeSelfSigned } from '../../../src/evidence/document/self-signed.ts'
import { appendLeaf } from '../../../src/evidence/log/append.ts'
import { onlyRow, type Tx } from '../../../src/lib/db/db.ts'

export interface DatabaseKind {
  name: string
  /** One of these must be among the problems. */
  expected: string
  change: (tx: Tx) => Promise<unknown>
}

const FIRST = `(select record_id from evidence_leaf where index = 0)`
const replaceText = (from: string, to: string) => (tx: Tx) =>
  tx.query(`update evidence_record set record = regexp_replace(record, $1, $2) where id = ${FIRST}`, [from, to])

/** A forger's own key, retired as if it had signed before, and a record signed by it at the end of the log. */
const plantKey = (sealed: string) =>
  async function plant(tx: Tx): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { kty, crv, x } = publicKey.export({ format: 'jwk' })
    await tx.query(
      `insert into evidence_key (id, public_jwk, private_jwk_sealed, activates_at, retired_at)
       select 'evk_planted', $1, ${sealed}, '2020-01-01', max(made_at) + interval '1 day' from evidence_record`,
      [JSON.stringify({ kty, crv, x })],
    )
    const last = onlyRow(
      await tx.query<{ id: string; account_id: string; record: string; made_at: Date; size: number }>(
        `select id, account_id, record, made_at, size from evidence_record, evidence_log order by made_at desc limit 1`,
      ),
    )
    const record = last.record.replace(last.id, 'evd_planted')
    const jws = signText(record, { id: 'evk_planted', key: privateKey })
    await tx.query(
      `insert into evidence_record (id, account_id, mode, resolution_id, content_hash, record, jws, key_id, made_at)
       select 'evd_planted', account_id, mode, resolution_id, sha256('x'), $2, $3, 'evk_planted', made_at
       from evidence_record where id = $1`,
      [last.id, record, jws],
    )
    const hash = hashLeaf(sealOf(record, jws))
    const leaf = { index: last.size, recordId: 'evd_planted', accountId: last.account_id, hash, at: last.made_at }
    await appendLeaf(tx, leaf)
  }

/** As one that an operator gave and that signed before. */
const plantCertificate = (tx: Tx, certificate: Buffer) =>
  tx.query(
    `insert into evidence_certificate (id, certificate, activates_at, retired_at)
     values (encode(sha256($1), 'hex'), $1, '2020-01-01', '2020-02-01')`,
    [certificate],
  )

/** Leaves a whole log of one entry. */
async function cutOff(tx: Tx): Promise<void> {
  await tx.query('delete from evidence_record where id in (select record_id from evidence_leaf where index > 0)')
  await tx.query('delete from evidence_leaf where index > 0')
  await tx.query('delete from evidence_node where (index + 1) * (1::bigint << level::integer) > 1')
  await tx.query('update evidence_log set size = 1')
}

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
    expected: 'key_planted',
    change: (tx) => {
      const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      return tx.query(`update evidence_key set public_jwk = jsonb_set(public_jwk, '{x}', to_jsonb($1::text))`, [x])
    },
  },
  { name: 'stored: a planted key, and a record that it signed', expected: 'key_planted', change: plantKey(`'x'`) },
  {
    name: 'stored: a planted key with the sealed half of ours, and a record that it signed',
    expected: 'key_planted',
    change: plantKey('(select private_jwk_sealed from evidence_key limit 1)'),
  },
  {
    name: 'stored: a planted certificate for documents',
    expected: 'certificate_planted',
    change: (tx) => plantCertificate(tx, makeSelfSigned({ service: 'nameplate.test', at: new Date() }).certificate),
  },
  {
    name: 'stored: a planted certificate that cannot be read',
    expected: 'certificate_planted',
    change: (tx) => plantCertificate(tx, Buffer.from('no certificate')),
  },
  {
    name: 'stored: a record moved to another account',
    expected: 'record_moved',
    change: async (tx) => {
      await tx.query(`update evidence_record set account_id = 'acc_other' where id = ${FIRST}`)
      await tx.query(`update evidence_leaf set account_id = 'acc_other' where index = 0`)
    },
  },
  {
    name: 'stored: a record given for another answer',
    expected: 'record_moved',
    change: (tx) => tx.query(`update evidence_record set resolution_id = 'res_other' where id = ${FIRST}`),
  },
  {
    name: 'stored: a record given for one of test mode',
    expected: 'record_moved',
    change: (tx) => tx.query(`update evidence_record set mode = 'test' where id = ${FIRST}`),
  },
  {
    name: 'stored: a record removed, and its entry given to an erased account',
    expected: 'record_removed',
    change: async (tx) => {
      await tx.query(`delete from evidence_record where id = ${FIRST}`)
      const erased = {
        id: 'acc_erased',
        email: 'erased@erased.invalid',
        email_canonical: 'erased@erased.invalid',
        disabled_at: '2020-01-01T00:00:00Z',
        erased_at: '2020-01-01T00:00:00Z',
      }
      await tx.query(
        `insert into account select (jsonb_populate_record(account, $1)).* from account limit 1 on conflict do nothing`,
        [JSON.stringify(erased)],
      )
      await tx.query(`update evidence_leaf set account_id = 'acc_erased' where index = 0`)
    },
  },
  {
    name: 'stored: a record removed, and its entry given to an account that is erased and says so in its audit log',
    expected: 'record_removed',
    change: async (tx) => {
      await tx.query(`delete from evidence_record where id = ${FIRST}`)
      const erased = {
        id: 'acc_erased_since',
        email: 'since@erased.invalid',
        email_canonical: 'since@erased.invalid',
        disabled_at: '2090-01-01T00:00:00Z',
        erased_at: '2090-01-01T00:00:00Z',
      }
      await tx.query(
        `insert into account select (jsonb_populate_record(account, $1)).* from account limit 1 on conflict do nothing`,
        [JSON.stringify(erased)],
      )
      await tx.query(
        `insert into audit_event (at, account_id, action, outcome, details, seq, entry_hash)
         values ('2090-01-01', 'acc_erased_since', 'account_erased', 'success', '{}', 1, sha256('x'))`,
      )
      await tx.query(`update evidence_leaf set account_id = 'acc_erased_since' where index = 0`)
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
    change: cutOff,
  },
  {
    name: 'stored: the heads removed',
    expected: 'head_missing',
    change: (tx) => tx.query('delete from evidence_head'),
  },
  {
    name: 'stored: the heads removed, and the end of the log cut off',
    expected: 'record_removed',
    change: async (tx) => {
      await tx.query('delete from evidence_head')
      await cutOff(tx)
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
    name: 'stored: a stamp removed',
    expected: 'stamp_missing',
    change: (tx) => tx.query(`update evidence_record set stamp = null where id = ${FIRST}`),
  },
  {
    name: 'stored: the stamp of a head removed',
    expected: 'stamp_missing',
    change: (tx) => tx.query('update evidence_head set stamp = null'),
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
