/** Values for the names of evidence records, beside those of the whole API. */
const HASH = '9f2c1d4e5b6a79881726354455667788990a0b0c0d0e0f1a2b3c4d5e6f708192'
const RECORD = 'evd_7Kq2mXw9TzRb4LsVnYcHdGpJfUe'

export const EVIDENCE_VALUES: Readonly<Record<string, unknown>> = {
  after_row: 100,
  'makeBulkEvidence.id': 'blk_7Yt2Rm5Qx9Lc3VbNkPwZsHdJgFe',
  active_from: '2026-11-01T00:00:00.000Z',
  active_until: null,
  alg: 'EdDSA',
  crv: 'Ed25519',
  'EvidenceBundle.id': RECORD,
  'makeEvidenceRecord.id': 'res_2Zr6Hq0bYw8xK3nTfVdLmPc1QsJ',
  'getEvidenceRecord.id': RECORD,
  'EvidenceBundle.time_stamp': { state: 'stamped', token: 'MIIFRwYJKoZIhvcNAQcCoIIFODCCBTQ…' },
  issuer: 'https://nameplate.example',
  jws: 'eyJhbGciOiJFZERTQSIsImtpZCI6ImV2a18xIn0..c2lnbmF0dXJl',
  keys_url: 'https://nameplate.example/.well-known/nameplate-evidence-keys.json',
  kid: 'evk_5Rt8YhNbVc3XzAqWsEdFgTkLmPo',
  kty: 'OKP',
  document_certificates: ['MIIBwTCCAWegAwIBAgIQTjLxkq0V…'],
  made_at: '2026-11-18T09:30:00.000Z',
  record: `{"answer":{"company_number":"08496536","outcome":"matched"},"id":"${RECORD}","kind":"nameplate.evidence"}`,
  'SealedRecord.id': RECORD,
  'SealedRecord.url': `/v1/evidence/${RECORD}`,
  'SealedRecord.verify_url': `https://nameplate.example/verify/${RECORD}`,
  time_stamp_authorities: ['MIIBozCCAUmgAwIBAgIBATAKBggqhkjOPQQDAjA…'],
  token: 'MIIFRwYJKoZIhvcNAQcCoIIFODCCBTQ…',
  use: 'sig',
  verify_url: 'https://nameplate.example/verify',
  x: 'hRB7TduyZQTTwxSJKBz4tKdvv7rYw5b0h4s8vQkq3pA',
}
