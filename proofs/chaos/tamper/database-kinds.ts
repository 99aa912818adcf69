/** Ways to change what is stored, by one who has the database and none of the keys. Each names what `evidence verify` or `audit verify` must find. */
import { generateKeyPairSync } from 'node:crypto'
import { findKeyId, signText } from '../../../packages/evidence-check/index.ts'
import { makeSelfSigned } from '../../../src/evidence/document/self-signed.ts'
import { onlyRow, type Tx } from '../../../src/lib/db/db.ts'

export interface DatabaseKind {
  name: string
  /** One of these must be among the problems. */
  expected: string
  change: (tx: Tx) => Promise<unknown>
}

const FIRST = '(select id from evidence_record order by made_at, id limit 1)'
const replaceText = (from: string, to: string) => (tx: Tx) =>
  tx.query(`update evidence_record set record = regexp_replace(record, $1, $2) where id = ${FIRST}`, [from, to])

/** A forger's own key, retired as if it had signed before, and a record signed by it. */
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
      await tx.query<{ id: string; record: string }>(
        'select id, record from evidence_record order by made_at desc, id limit 1',
      ),
    )
    const record = last.record.replace(last.id, 'evd_planted')
    const jws = signText(record, { id: 'evk_planted', key: privateKey })
    await tx.query(
      `insert into evidence_record (id, account_id, mode, resolution_id, content_hash, record, jws, made_at)
       select 'evd_planted', account_id, mode, resolution_id, sha256('x'), $2, $3, made_at
       from evidence_record where id = $1`,
      [last.id, record, jws],
    )
  }

/** As one that an operator gave and that signed before. */
const plantCertificate = (tx: Tx, certificate: Buffer) =>
  tx.query(
    `insert into evidence_certificate (id, certificate, private_key_sealed, activates_at, retired_at)
     values (encode(sha256($1), 'hex'), $1, 'not sealed by us', '2020-01-01', '2020-02-01')`,
    [certificate],
  )

export const DATABASE_KINDS: readonly DatabaseKind[] = [
  { name: 'stored: a quote', expected: 'record_changed', change: replaceText('"quote":"', '"quote":"x') },
  { name: 'stored: the register’s row', expected: 'record_changed', change: replaceText('"active"', '"dissolved"') },
  {
    name: 'stored: the hash of a page',
    expected: 'record_changed',
    change: replaceText('"sha256":"..', '"sha256":"ff'),
  },
  {
    name: 'stored: a record signed again by another key',
    expected: 'record_changed',
    change: async (tx) => {
      const { privateKey } = generateKeyPairSync('ed25519')
      const [row] = await tx.query<{ record: string; jws: string }>(
        `select record, jws from evidence_record where id = ${FIRST}`,
      )
      const jws = signText(row?.record ?? '', { id: findKeyId(row?.jws ?? '') ?? '', key: privateKey })
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
    change: (tx) => tx.query(`update evidence_record set account_id = 'acc_other' where id = ${FIRST}`),
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
    name: 'stored: a record removed, and its account marked as erased',
    expected: 'record_removed',
    change: async (tx) => {
      await tx.query(
        `update account set disabled_at = '2090-01-01', erased_at = '2090-01-01' where id = (select account_id from evidence_record where id = ${FIRST})`,
      )
      await tx.query(`delete from evidence_record where id = ${FIRST}`)
    },
  },
  {
    name: 'stored: a record removed, and its entry of the audit log with it',
    expected: 'removed',
    change: async (tx) => {
      await tx.query(`delete from audit_event where details ->> 'evidence_id' = ${FIRST}`)
      await tx.query(`delete from evidence_record where id = ${FIRST}`)
    },
  },
  {
    name: 'stored: a record removed',
    expected: 'record_removed',
    change: (tx) => tx.query(`delete from evidence_record where id = ${FIRST}`),
  },
  {
    name: 'stored: a record back-dated',
    expected: 'record_back_dated',
    change: (tx) => tx.query(`update evidence_record set made_at = made_at - interval '30 days' where id = ${FIRST}`),
  },
  {
    name: 'stored: a record that no audit log has',
    expected: 'record_not_audited',
    change: (tx) =>
      tx.query(
        `insert into evidence_record select 'evd_planted', account_id, mode, 'res_planted', content_hash, record, jws, made_at, stamp
         from evidence_record where id = ${FIRST}`,
      ),
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
    name: 'stored: a byte of a stamp',
    expected: 'stamp_broken',
    change: (tx) =>
      tx.query(
        `update evidence_record set stamp = set_byte(stamp, length(stamp) - 1, get_byte(stamp, length(stamp) - 1) # 1) where id = ${FIRST}`,
      ),
  },
]
