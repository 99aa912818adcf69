import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobStore, StoreFailure } from './blob-store.ts'

/** Bytes in a directory, one file each. A file is there as a whole or not at all. */
export class FolderStore implements BlobStore {
  readonly #directory: string
  readonly #bytesMax: number

  constructor({ directory, bytesMax }: { directory: string; bytesMax: number }) {
    this.#directory = directory
    this.#bytesMax = bytesMax
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const whole = join(this.#directory, name)
    const unfinished = `${whole}.${randomUUID()}.tmp`
    try {
      await mkdir(dirname(whole), { recursive: true })
      await writeDurably(unfinished, bytes)
      try {
        // Unlike a rename, it never replaces a file.
        await link(unfinished, whole)
      } catch (error) {
        // An earlier try was interrupted after it.
        if (!hasCode(error, 'EEXIST') || !(await readFile(whole)).equals(bytes)) throw error
      } finally {
        await rm(unfinished, { force: true })
      }
      await syncDirectory(dirname(whole))
    } catch (error) {
      throw new StoreFailure('keep the file', error)
    }
  }

  async find(name: string): Promise<Buffer | null> {
    const path = join(this.#directory, name)
    try {
      const { size } = await stat(path)
      if (size > this.#bytesMax) throw new Error(`${path} is larger than any file here`)
      return await readFile(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null
      throw new StoreFailure('read the file', error)
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(join(this.#directory, name), { force: true })
    } catch (error) {
      throw new StoreFailure('delete the file', error)
    }
  }

  async close(): Promise<void> {}
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Only then is a new name in it still there after a crash. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code
