/** Ways to change a bundle after it was filed. Each names the problem that the check must find. */
import { generateKeyPairSync } from 'node:crypto'
import { type Bundle, sealOf, signText } from '../../../packages/evidence-check/index.ts'
import { SimulatedAuthority } from '../../../rig/time-stamps/index.ts'
import type { App } from '../../../src/app.ts'
import { requestStamp } from '../../../src/evidence/stamp/authority.ts'

export interface BundleKind {
  name: string
  /** The step that fails, and its word for it. */
  expected: readonly [step: string, problem: string]
  change: (bundle: Bundle, other: Bundle) => Bundle | Promise<Bundle>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a forger changes whatever is there
type AnyRecord = any

/** Changes the record and writes it in the same form again, as a careful forger does. */
const inRecord = (change: (record: AnyRecord) => void) => (bundle: Bundle) => {
  const record: AnyRecord = JSON.parse(bundle.record)
  change(record)
  return { ...bundle, record: JSON.stringify(record) }
}

const flip = (base64: string, from: number) => {
  const bytes = Buffer.from(base64, 'base64')
  const at = bytes.length - from
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString('base64')
}

async function stampAsForger(seal: Buffer): Promise<string> {
  const authority = await SimulatedAuthority.create()
  try {
    const timeStamp = { url: new URL(await authority.listen()), timeoutSeconds: 10 }
    const config = { timeStamp, timeStampCertificatesFile: null } as unknown as App['config']
    return (await requestStamp({ config }, seal)).toString('base64')
  } finally {
    await authority.close()
  }
}

const CHANGED = ['signature', 'record_changed'] as const

export const BUNDLE_KINDS: readonly BundleKind[] = [
  {
    name: 'a byte of a quote',
    expected: CHANGED,
    change: inRecord(({ quotes }) => (quotes[0].quote = `${quotes[0].quote.slice(0, -1)}!`)),
  },
  {
    name: 'the hash of a page',
    expected: CHANGED,
    change: inRecord(({ pages }) => (pages[0].sha256 = 'ab'.repeat(32))),
  },
  {
    name: 'the time of making',
    expected: CHANGED,
    change: inRecord((record) => (record.made_at = '2020-01-01T00:00:00.000Z')),
  },
  {
    name: 'the time of reading',
    expected: CHANGED,
    change: inRecord(({ pages }) => (pages[0].fetched_at = '2020-01-01T00:00:00.000Z')),
  },
  {
    name: 'the register’s row',
    expected: CHANGED,
    change: inRecord(({ register }) => (register.company.company_status = 'dissolved')),
  },
  { name: 'the company', expected: CHANGED, change: inRecord(({ answer }) => (answer.company_number = '00000001')) },
  {
    name: 'a decision that was never made',
    expected: CHANGED,
    change: inRecord((record) => (record.decision = { action: 'accept', reviewer: 'Ann', decided_at: record.made_at })),
  },
  {
    name: 'the record written again with spaces',
    expected: ['form', 'not_canonical'],
    change: (bundle) => ({ ...bundle, record: JSON.stringify(JSON.parse(bundle.record), null, 1) }),
  },
  {
    name: 'the signature',
    expected: CHANGED,
    change: (bundle) => {
      const [header = '', , signature = ''] = bundle.jws.split('.')
      return { ...bundle, jws: `${header}..${Buffer.from(flip(signature, 3), 'base64').toString('base64url')}` }
    },
  },
  {
    name: 'a signature by another key under the same name',
    expected: CHANGED,
    change: (bundle) => {
      const header = JSON.parse(Buffer.from(bundle.jws.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
      const { privateKey } = generateKeyPairSync('ed25519')
      return { ...bundle, jws: signText(bundle.record, { id: header.kid, key: privateKey }) }
    },
  },
  {
    name: 'a signature by an unknown key',
    expected: ['signature', 'unknown_key'],
    change: (bundle) => {
      const { privateKey } = generateKeyPairSync('ed25519')
      return { ...bundle, jws: signText(bundle.record, { id: 'evk_another', key: privateKey }) }
    },
  },
  {
    name: 'the time stamp of another record',
    expected: ['time_stamp', 'stamp_of_other'],
    change: (bundle, other) => ({ ...bundle, time_stamp: other.time_stamp }),
  },
  {
    name: 'a byte of the time stamp',
    expected: ['time_stamp', 'stamp_broken'],
    change: (bundle) => ({
      ...bundle,
      time_stamp: { ...bundle.time_stamp, token: flip(bundle.time_stamp.token ?? '', 1) },
    }),
  },
  {
    name: 'the time stamp swapped for one of a forger’s own authority',
    expected: ['time_stamp', 'stamp_untrusted'],
    change: async (bundle) => {
      const token = await stampAsForger(sealOf(bundle.record, bundle.jws))
      return { ...bundle, time_stamp: { state: 'stamped', token } }
    },
  },
  {
    name: 'another record under the same id',
    expected: ['form', 'another_record'],
    change: (bundle, other) => ({ ...other, id: bundle.id }),
  },
]
