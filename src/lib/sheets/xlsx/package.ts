/** The archive of a workbook, opened within bounds: what is in it is counted before any of it is unpacked. */
import { posix } from 'node:path'
import yauzl from 'yauzl'
import { LIMITS, UnreadableTable } from '../unreadable-table.ts'
import { damaged, type XmlHandlers, XmlScanner } from './xml-scanner.ts'

const MB = 1_024 * 1_024
/** Below this a piece is small however much it was packed. */
const RATIO_FROM_BYTES = MB
const RELATIONS_MAX = 200_000

export interface Relation {
  type: string
  /** A path in the archive, or an address where it leads out of it. */
  target: string
  isOutside: boolean
}

export class WorkbookPackage {
  readonly #archive: yauzl.ZipFile
  readonly #entries: ReadonlyMap<string, yauzl.Entry>

  private constructor(archive: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>) {
    this.#archive = archive
    this.#entries = entries
  }

  static async open(bytes: Uint8Array): Promise<WorkbookPackage> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const entries = new Map<string, yauzl.Entry>()
    let unpacked = 0
    const archive = await orDamaged(() => yauzl.fromBufferPromise(buffer, { lazyEntries: true }))
    if (archive.entryCount > LIMITS.entries)
      throw new UnreadableTable(
        `The workbook has more than ${LIMITS.entries} pieces. Save the sheet as CSV, and send that.`,
      )
    await orDamaged(async () => {
      for await (const entry of archive.eachEntry()) {
        unpacked += entry.uncompressedSize
        if (unpacked > LIMITS.unpackedBytes || isBomb(entry)) throw tooLarge()
        if (entry.isEncrypted())
          throw new UnreadableTable('The file is protected by a password. Remove the password, and send it again.')
        const name = toKey(entry.fileName)
        if (entries.has(name) || entries.size > LIMITS.entries) throw damaged()
        entries.set(name, entry)
      }
    })
    return new WorkbookPackage(archive, entries)
  }

  has(name: string): boolean {
    return this.#entries.has(toKey(name))
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Yields a piece as text. Ends with an error where it is larger than the archive says. */
  async *readText(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(toKey(name))
    if (!entry) throw damaged()
    const stream = await orDamaged(() => this.#archive.openReadStreamPromise(entry))
    let decoder: InstanceType<typeof TextDecoder> | null = null
    const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const chunk = await orDamaged(() => chunks.next())
        if (chunk.done) break
        decoder ??= new TextDecoder(findXmlEncoding(chunk.value))
        yield decoder.decode(chunk.value, { stream: true })
      }
      const rest = decoder?.decode() ?? ''
      if (rest !== '') yield rest
    } finally {
      stream.destroy()
    }
  }

  async scan(name: string, handlers: XmlHandlers): Promise<void> {
    const scanner = new XmlScanner(handlers)
    for await (const text of this.readText(name)) scanner.write(text)
    scanner.end()
  }

  /** The relations of a piece by their id; of the whole archive for the name ''. */
  async readRelations(name: string): Promise<Map<string, Relation>> {
    const folder = posix.dirname(name)
    const relations = new Map<string, Relation>()
    const path = posix.join(folder, '_rels', `${posix.basename(name)}.rels`)
    if (!this.has(path)) return relations
    await this.scan(path, {
      open: (tag, attributes) => {
        const id = attributes.get('Id')
        const target = attributes.get('Target')
        if (tag !== 'Relationship' || id === null || target === null) return
        if (relations.size >= RELATIONS_MAX) throw tooLarge()
        const isOutside = attributes.get('TargetMode') === 'External'
        const inside = target.startsWith('/') ? target : posix.join(folder, target)
        relations.set(id, { type: attributes.get('Type') ?? '', target: isOutside ? target : inside, isOutside })
      },
      close: () => {},
    })
    return relations
  }
}

/** Names are compared without capitals, as the format wants it. */
function toKey(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase()
}

function isBomb({ uncompressedSize, compressedSize }: yauzl.Entry): boolean {
  return uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * LIMITS.ratio
}

function findXmlEncoding(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8'
}

function tooLarge(): UnreadableTable {
  const most = LIMITS.unpackedBytes / MB
  return new UnreadableTable(
    `The workbook is larger than ${most} MB when it is unpacked. Send fewer rows, or save the sheet as CSV.`,
  )
}

/** An archive that cannot be read is damaged, whatever the library says about it. */
async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UnreadableTable ? error : Object.assign(damaged(), { cause: error })
  }
}
