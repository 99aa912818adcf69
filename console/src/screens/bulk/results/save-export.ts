import { ApiProblem, openFile } from '../../../api/client.ts'

export type ExportFormat = 'xlsx' | 'csv' | 'jsonl'

interface Wanted {
  path: string
  format: ExportFormat
  query: Record<string, string | undefined>
  /** The number of the row that is the n-th of the export, from 1; null where that is not known. */
  rowAt: (n: number) => Promise<number | null>
  onProgress: (progress: { bytes: number; lines: number }) => void
  signal: AbortSignal
}

const TRIES_MAX = 5
const LINE_FEED = 0x0a
const QUOTE = 0x22

/**
 * Loads an export piece by piece. Where the connection breaks, CSV and JSON lines go on after the last whole row; a workbook
 * is one piece and begins again.
 */
export async function loadExport(wanted: Wanted): Promise<Blob> {
  const whole = new Lines(wanted.format)
  for (let tries = 1; ; tries += 1) {
    try {
      const after = tries === 1 ? null : await findLastRow(whole, wanted)
      if (after === null) whole.clear()
      const query = { ...wanted.query, format: wanted.format, after_row: after === null ? undefined : String(after) }
      const response = await openFile(wanted.path, { query, signal: wanted.signal })
      await readInto(whole, response, wanted.onProgress)
      return whole.toBlob(response.headers.get('content-type') ?? '')
    } catch (error) {
      if (tries >= TRIES_MAX || wanted.signal.aborted || !isBroken(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** tries))
    }
  }
}

/** Returns the row after which a broken file goes on; null where it must begin again. */
async function findLastRow(whole: Lines, wanted: Wanted): Promise<number | null> {
  if (wanted.format === 'xlsx') return null
  whole.cutToWholeLines()
  const rows = whole.lines - (wanted.format === 'csv' ? await countHeaderLines(wanted) : 0)
  return rows > 0 ? wanted.rowAt(rows) : null
}

/** A file may have several lines above its rows. An export that no row fits has only these. */
async function countHeaderLines({ path, query, format, signal }: Wanted): Promise<number> {
  const none = { ...query, format, q: crypto.randomUUID() }
  const header = new Lines(format)
  await readInto(header, await openFile(path, { query: none, signal }), () => undefined)
  return header.lines
}

async function readInto(whole: Lines, response: Response, onProgress: Wanted['onProgress']): Promise<void> {
  const reader = response.body?.getReader()
  if (!reader) return whole.add(new Uint8Array(await response.arrayBuffer()))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    whole.add(value)
    onProgress({ bytes: whole.bytes, lines: whole.lines })
  }
}

/** A connection that broke can be tried again; a refusal cannot. */
function isBroken(error: unknown): boolean {
  return error instanceof ApiProblem ? error.isRetryable : error instanceof TypeError
}

/** From so many bytes on, pieces become a part of a blob, which browsers keep on disk. */
const PIECES_BYTES_MAX = 4_000_000

/** The bytes that came, and how many whole lines they are. In CSV a line feed inside quotes ends no line. */
class Lines {
  lines = 0
  bytes = 0
  #stored = new Blob()
  #pieces: Array<Uint8Array<ArrayBuffer>> = []
  #wholeBytes = 0
  #isQuoted = false
  readonly #format: ExportFormat

  constructor(format: ExportFormat) {
    this.#format = format
  }

  add(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#format !== 'xlsx') this.#count(piece)
    this.#pieces.push(piece)
    this.bytes += piece.length
    if (this.bytes - this.#stored.size > PIECES_BYTES_MAX) this.#store(this.bytes)
  }

  #count(piece: Uint8Array): void {
    const hasQuotes = this.#format === 'csv'
    for (let at = 0; at < piece.length; at += 1) {
      if (hasQuotes && piece[at] === QUOTE) this.#isQuoted = !this.#isQuoted
      if (piece[at] !== LINE_FEED || this.#isQuoted) continue
      this.#wholeBytes = this.bytes + at + 1
      this.lines += 1
    }
  }

  #store(bytes: number): void {
    this.#stored = new Blob([this.#stored, ...this.#pieces]).slice(0, bytes)
    this.#pieces = []
    this.bytes = this.#stored.size
  }

  cutToWholeLines(): void {
    this.#store(this.#wholeBytes)
    this.#isQuoted = false
  }

  clear(): void {
    this.#store(0)
    this.#wholeBytes = 0
    this.#isQuoted = false
    this.lines = 0
  }

  toBlob(type: string): Blob {
    return new Blob([this.#stored, ...this.#pieces], { type })
  }
}
