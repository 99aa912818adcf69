/**
 * Evidence documents from records: CPU for each, with the signature, the time stamp and the authority that gives it, all in this
 * process; bytes without attachments; tagged; the same bytes twice; and words that want to break them.
 */

import { renderSVG } from 'uqr'
import { HOSTILE_TEXTS, makeRecordOf, makeUsualRecord } from '../../rig/filed-records.ts'
import { openStage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { SimulatedAuthority } from '../../rig/time-stamps/index.ts'
import type { App } from '../../src/app.ts'
import type { FiledRecord } from '../../src/evidence/document/filed-record.ts'
import { LOGO } from '../../src/evidence/document/make-document.ts'
import { makeSelfSigned } from '../../src/evidence/document/self-signed.ts'
import type { SheetContext } from '../../src/evidence/document/sheet.ts'
import { signDocument } from '../../src/evidence/document/sign-document.ts'
import { typesetRecord } from '../../src/evidence/document/typeset.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const DOCUMENTS = 200
const DOCUMENTS_SHORT = 20
const CPU_MS_MAX = 150
const BYTES_MAX = 300_000
const PAGES_MAX = 2
const ADDRESS = 'https://nameplate.example/verify/evd_NtcFWzR5cMX2vaDAHccHA2dh45m'

export const DOCUMENT_PROOF: Proof = {
  title: 'Evidence documents',
  about:
    'Evidence records are set as documents, signed and time-stamped, by an authority in the same process. One record is set twice and ' +
    'compared before it is signed. Then come records made of words that want to break a page.',
  figures: {
    documents: { label: 'documents' },
    cpu_ms: { label: 'CPU of a document', unit: 'ms', atMost: CPU_MS_MAX },
    bytes: { label: 'bytes of the usual one, without attachments', atMost: BYTES_MAX },
    largest_bytes: { label: 'bytes of the largest', atMost: BYTES_MAX },
    pages_most: { label: 'pages, at most', atMost: PAGES_MAX },
    tagged: { label: 'tagged for screen readers', atLeast: 1 },
    same_bytes: { label: 'the same bytes twice', atLeast: 1 },
    hostile: { label: 'kinds of hostile words' },
  },
}

export async function benchDocument(options: RunOptions): Promise<RunReport> {
  const count = options.rows ?? (options.short ? DOCUMENTS_SHORT : DOCUMENTS)
  await using opened = new AsyncDisposableStack()
  const authority = opened.adopt(await SimulatedAuthority.create(), (each) => each.close())
  const stage = opened.use(await openStage({ settings: { TIME_STAMP_URL: await authority.listen() } }))
  const { app } = stage
  const signer = { ...makeSelfSigned({ service: 'nameplate.example', at: new Date() }), chain: [] }
  const sign = (pdf: Uint8Array) => signDocument(app, pdf, { signer, recordId: 'evd_bench' })

  const usual = makeUsualRecord()
  const first = await set(app, usual)
  const again = await set(app, usual)
  await sign(first.pdf)
  options.say(`making ${count} documents`)
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  let bytes = 0
  for (let index = 0; index < count; index += 1) bytes = (await sign((await set(app, usual)).pdf)).length
  const used = process.cpuUsage(before)
  const cpuMs = (used.user + used.system) / 1_000 / count

  options.say('making documents of hostile words')
  const broken: string[] = []
  let largest = bytes
  let pages = first.pages
  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    try {
      const made = await set(app, makeRecordOf(text, 500))
      largest = Math.max(largest, (await sign(made.pdf)).length)
      pages = Math.max(pages, made.pages)
    } catch (error) {
      broken.push(`${name}: ${String(error)}`)
    }
  }
  const isTagged = Buffer.from(first.pdf).includes('/MarkInfo') && Buffer.from(first.pdf).includes('/StructTreeRoot')
  const isSame = Buffer.compare(first.pdf, again.pdf) === 0
  return {
    documents: count,
    cpu_ms: round(cpuMs),
    ms: round((performance.now() - startedAt) / count),
    bytes,
    largest_bytes: largest,
    pages_most: pages,
    tagged: isTagged ? 1 : 0,
    same_bytes: isSame ? 1 : 0,
    hostile: Object.keys(HOSTILE_TEXTS).length,
    broken,
    ok: cpuMs <= CPU_MS_MAX && largest <= BYTES_MAX && pages <= PAGES_MAX && isTagged && isSame && broken.length === 0,
  }
}

const CONTEXT: SheetContext = {
  address: ADDRESS,
  seal: '5352ec90'.repeat(8),
  keyId: 'evk_3fJ2nQeTz0sXv9QyUuDqkLrYbCm',
  logIndex: 1_283,
  stamp: 'stamped',
  qr: renderSVG(ADDRESS, { border: 0 }),
  mark: LOGO,
  hasPages: false,
}

const set = (app: App, record: FiledRecord) =>
  typesetRecord(app.typesetters, record, { context: CONTEXT, bundle: '{}', warc: null })
