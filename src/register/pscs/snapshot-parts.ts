/**
 * The file of all persons with significant control, which the register publishes in parts: `…-2026-11-17_3of32.zip`. A part is
 * a slice by position, and statements are in the last ones only, so parts are imported together or not at all.
 */
import { DomainError } from '../../errors.ts'
import { type Download, openSnapshotFile, type SnapshotFile } from '../import/file.ts'
import { cutLines, type Piece } from '../import/pieces.ts'

export interface PscSnapshot {
  name: string
  bytes: number
  asOf: string
  pieces(): AsyncGenerator<Piece>
  close(): Promise<void>
}

const PARTS_MAX = 500
/** Pieces of a part are numbered below this; 1 MB each, a part has some 400. */
const PIECES_PER_PART = 100_000

/** Opens all parts. Throws unless they are of one day and complete. */
export async function openPscSnapshot(sources: readonly string[], download: Download): Promise<PscSnapshot> {
  if (sources.length > PARTS_MAX) throw new DomainError('invalid_request', `Give at most ${PARTS_MAX} parts.`)
  const files: SnapshotFile[] = []
  const close = async () => {
    for (const file of files) await file.close()
  }
  try {
    for (const source of sources) files.push(await openSnapshotFile(source, download, '.txt'))
    const asOf = readDay(files)
    const parts = inOrder(files)
    return {
      name: `${parts[0]?.name} ${parts.length}`,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      asOf,
      pieces: () => readPieces(parts),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function readDay(files: readonly SnapshotFile[]): string {
  const days = [...new Set(files.map(({ asOf }) => asOf))]
  const [day] = days
  if (days.length > 1)
    throw new DomainError('invalid_request', `These parts are of different days: ${days.join(', ')}.`)
  if (!day) {
    const message =
      'The name of the file must have its day, such as persons-with-significant-control-snapshot-2026-11-17.zip.'
    throw new DomainError('invalid_request', message)
  }
  return day
}

function inOrder(files: readonly SnapshotFile[]): SnapshotFile[] {
  const numbered = files.map((file) => ({ file, part: /_(\d+)of(\d+)\./.exec(file.name) }))
  const [first] = numbered
  if (numbered.length === 1 && first && first.part === null) return [first.file]
  const total = Number(first?.part?.[2] ?? 0)
  const byPart = new Map(numbered.map(({ file, part }) => [Number(part?.[1] ?? 0), file]))
  const missing = Array.from({ length: Math.min(total, PARTS_MAX) }, (_, index) => index + 1).filter(
    (part) => !byPart.has(part),
  )
  if (total !== files.length || missing.length > 0 || numbered.some(({ part }) => Number(part?.[2]) !== total)) {
    const which = missing.length > 0 ? ` Missing: ${missing.slice(0, 10).join(', ')}.` : ''
    throw new DomainError('invalid_request', `Give all ${total} parts of one day, each once.${which}`)
  }
  return [...byPart].sort(([a], [b]) => a - b).map(([, file]) => file)
}

async function* readPieces(parts: readonly SnapshotFile[]): AsyncGenerator<Piece> {
  for (const [part, file] of parts.entries()) {
    for await (const { index, bytes } of cutLines(await file.open())) {
      if (index >= PIECES_PER_PART)
        throw new DomainError('invalid_request', `${file.name} is larger than a part can be.`)
      yield { index: part * PIECES_PER_PART + index, bytes }
    }
  }
}
