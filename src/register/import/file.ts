import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import { DomainError } from '../../errors.ts'

/** A snapshot opened for reading, whatever it came as. */
export interface SnapshotFile {
  /** Names the file for the record and for going on after a crash: the same file has the same name and size. */
  name: string
  bytes: number
  /** The day the register's file is of, where its name says so. */
  asOf: string | null
  /** A chunk is there only until the next one is asked for. */
  open(): Promise<AsyncIterable<Buffer>>
  close(): Promise<void>
}

// The file is 2.7 GB; ten times that is not a register but a zip bomb.
const BYTES_MAX = 30e9
const CHUNK_BYTES = 1 << 20

/**
 * Opens a `.zip` that holds a file with this ending, or such a file, from a path or an address; an address is downloaded to a
 * temporary file first.
 */
export async function openSnapshotFile(
  source: string,
  download: Download,
  ending: '.csv' | '.txt' = '.csv',
): Promise<SnapshotFile> {
  if (!/^https?:/.test(source)) return openLocal(source, ending, async () => undefined)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-snapshot-'))
  const path = join(folder, basename(new URL(source).pathname) || 'snapshot.zip')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(await download(source), createWriteStream(path))
    return await openLocal(path, ending, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

/** Fetches an address as a stream; passed in, because only the guarded client may use the network. */
export type Download = (url: string) => Promise<Readable>

async function openLocal(path: string, ending: string, close: () => Promise<void>): Promise<SnapshotFile> {
  const name = basename(path)
  const asOf = /(\d{4}-\d{2}-\d{2})/.exec(name)?.[1] ?? null
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
  if (!name.toLowerCase().endsWith('.zip')) {
    return { name, bytes: found.size, asOf, open: () => Promise.resolve(readChunks(path)), close }
  }
  const { archive, entry } = await findEntry(path, ending)
  if (entry.uncompressedSize > BYTES_MAX)
    throw new DomainError('invalid_request', `${name} holds more than a register can be.`)
  return {
    name,
    bytes: entry.uncompressedSize,
    asOf,
    open: () =>
      new Promise((resolve, reject) =>
        archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream))),
      ),
    close: async () => {
      archive.close()
      await close()
    },
  }
}

/** Reads a file into one memory: a stream has a new buffer for each chunk, and the collector runs for them all the time. */
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path)
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(memory, 0, CHUNK_BYTES)
    if (bytesRead === 0) return
    yield memory.subarray(0, bytesRead)
  }
}

async function findEntry(path: string, ending: string): Promise<{ archive: yauzl.ZipFile; entry: yauzl.Entry }> {
  const archive = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip))),
  )
  const entry = await new Promise<yauzl.Entry | null>((resolve, reject) => {
    archive.on('entry', (found: yauzl.Entry) => {
      if (found.fileName.toLowerCase().endsWith(ending)) resolve(found)
      else archive.readEntry()
    })
    archive.once('end', () => resolve(null))
    archive.once('error', reject)
    archive.readEntry()
  })
  if (!entry) throw new DomainError('invalid_request', `${basename(path)} holds no ${ending} file.`)
  return { archive, entry }
}
