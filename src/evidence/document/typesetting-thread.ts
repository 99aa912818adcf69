/** The thread that sets a document. It has the typefaces and one task at a time, and nothing else of ours. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { openCoverage } from './font-coverage.ts'
import { makePrintable } from './printable.ts'
import type { Sheet } from './sheet.ts'

export interface TypesettingTask {
  sheet: Sheet
  /** The bundle as text, to be attached. */
  bundle: string
  /** The quoted pages as WARC, to be attached. */
  warc: Uint8Array | null
  /** Seconds: the time that the file gives for itself. */
  madeAt: number
}

export interface TypesetDocument {
  pdf: Uint8Array
  pages: number
  missing: number
}

/** The parts of the typesetter's addon that we use. */
interface Typesetter {
  mapShadow(path: string, content: Buffer): void
  resetShadow(): void
  compile(options: { mainFileContent: string; inputs: Record<string, string> }): {
    result: { numOfPages: number } | null
    hasError(): boolean
    takeError(): unknown
  }
  fetchDiagnostics(error: unknown): unknown[]
  pdf(document: object, options: { pdfStandard: string; creationTimestamp: number }): Buffer
  evictCache(maxAge: number): void
}

const require = createRequire(import.meta.url)
const readFont = (path: string) => readFileSync(require.resolve(path))
const sans = [
  ...['400Regular/Inter_400Regular', '600SemiBold/Inter_600SemiBold', '700Bold/Inter_700Bold'].map((name) =>
    readFont(`@expo-google-fonts/inter/${name}.ttf`),
  ),
  readFont('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
]
const mono = readFont('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
const covers = openCoverage(sans)
const coversAscii = (point: number) => point < 0x7f || point === BOX
const BOX = 0x25a1
const TEMPLATE = readFileSync(new URL('./sheet.typ', import.meta.url), 'utf8')
/** No folder of this name is on any machine: what is not given here is not found. */
const WORKSPACE = '/no-such-folder'

const { NodeCompiler } = require('@myriaddreamin/typst-ts-node-compiler-linux-x64-gnu') as {
  NodeCompiler: { create(options: { workspace: string; fontArgs: Array<{ fontBlobs: Buffer[] }> }): Typesetter }
}
const typesetter = NodeCompiler.create({ workspace: WORKSPACE, fontArgs: [{ fontBlobs: [...sans, mono] }] })

const UNPRINTABLE = 'Characters that the typeface lacks are shown as □. The attached record has them.'

function setDocument(task: TypesettingTask, canShow: (point: number) => boolean): TypesetDocument {
  const { value, missing } = makePrintable(task.sheet, canShow)
  const sheet: Sheet = { ...value, mark: task.sheet.mark, unprintable: missing > 0 ? UNPRINTABLE : null }
  sheet.check.qr = task.sheet.check.qr
  typesetter.resetShadow()
  if (task.warc) typesetter.mapShadow(`${WORKSPACE}/pages.warc.gz`, Buffer.from(task.warc))
  const set = typesetter.compile({
    mainFileContent: TEMPLATE,
    inputs: { sheet: JSON.stringify(sheet), bundle: task.bundle },
  })
  if (set.hasError() || !set.result) {
    throw new Error(`the document was not set: ${JSON.stringify(typesetter.fetchDiagnostics(set.takeError()))}`)
  }
  const pages = set.result.numOfPages
  const pdf = typesetter.pdf(set.result, { pdfStandard: 'ua-1', creationTimestamp: task.madeAt })
  typesetter.resetShadow()
  // Nothing of this document stays for the next one.
  typesetter.evictCache(0)
  return { pdf: new Uint8Array(pdf), pages, missing }
}

/** A script may need a shape that the typeface has no part for. Then all but plain letters become boxes. */
function setSafely(task: TypesettingTask): TypesetDocument {
  try {
    return setDocument(task, covers)
  } catch {
    return setDocument(task, coversAscii)
  }
}

parentPort?.on('message', (task: TypesettingTask) => {
  const made = setSafely(task)
  parentPort?.postMessage(made, [made.pdf.buffer as ArrayBuffer])
})
