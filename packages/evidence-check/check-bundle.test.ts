import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BUNDLE_FORMAT } from './bundle.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { checkBundle } from './check-bundle.ts'
import { signText } from './signature.ts'

const MADE_AT = '2026-03-02T10:00:00.000Z'
const READ_AT = '2026-03-02T09:00:00.000Z'
const HOME = 'https://alder.example/'
const hash = (byte: string) => byte.repeat(32)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

interface Facts {
  pages: ReadonlyArray<[url: string, sha256: string]>
  quoted: string
  /** Since when the key signs, by the clock of the machine that made it. */
  keyFrom?: string
}

/** The steps of a record with these pages that quotes the home page. */
function check({ pages, quoted, keyFrom = READ_AT }: Facts) {
  const record = toCanonicalJson({
    kind: 'nameplate.evidence',
    version: 1,
    id: 'evd_one',
    mode: 'live',
    made_at: MADE_AT,
    made_by: { service: 'https://nameplate.example' },
    made_for: { account_id: 'acc_one' },
    question: { domain: 'alder.example', resolution_id: 'res_one', resolved_at: READ_AT },
    answer: { outcome: 'matched', company_number: '01234567', company_name: 'ALDER LIMITED' },
    quotes: [{ quote: 'Alder Limited', url: HOME, fetched_at: READ_AT, page_sha256: quoted }],
    pages: pages.map(([url, sha256]) => ({ url, sha256, fetched_at: READ_AT })),
    decision: null,
  })
  const jws = signText(record, { id: 'evk_one', key: privateKey })
  const bundle = { format: BUNDLE_FORMAT, id: 'evd_one', record, jws, time_stamp: { state: 'off', token: null } }
  const key = { id: 'evk_one', key: publicKey, activeFrom: new Date(keyFrom), activeUntil: null }
  const { steps } = checkBundle(JSON.stringify(bundle), { keys: [key], authorities: [], certificates: [] })
  return steps.flatMap(({ problem }) => problem ?? [])
}

describe('a genuine record is intact', () => {
  test('where the crawl read one address twice and received other bytes', () => {
    const pages: Facts['pages'] = [
      [HOME, hash('aa')],
      [HOME, hash('bb')],
    ]
    expect(check({ pages, quoted: hash('aa') })).toEqual([])
    expect(check({ pages, quoted: hash('bb') })).toEqual([])
  })

  test('where the machine that made the key has a clock a second ahead of the one that signed', () => {
    expect(check({ pages: [], quoted: hash('aa'), keyFrom: '2026-03-02T10:00:01.000Z' })).toEqual([])
  })
})

test('a quote with a hash that no page of its address has is found', () => {
  const pages: Facts['pages'] = [
    [HOME, hash('aa')],
    [HOME, hash('bb')],
    [`${HOME}about`, hash('cc')],
  ]
  expect(check({ pages, quoted: hash('cc') })).toEqual(['quote_without_page'])
})

test('a key that began long after the record was made is found', () => {
  const problems = check({ pages: [], quoted: hash('aa'), keyFrom: '2026-03-02T11:00:00.000Z' })
  expect(problems).toEqual(['key_not_active'])
})
