import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import { DomainError } from '../../errors.ts'
import type { Download } from '../import/file.ts'

/** A zip of filings, a day or a month of the accounts data product. */
export interface AccountsFile {
  name: string
  bytes: number
  /** The day of the file, or the last of its month, where its name says so. */
  publishedOn: string | null
  /** To be read once. */
  archive: yauzl.ZipFile
  close(): Promise<void>
}

/** A month has about 140,000 filings in 2 GB, and 15 GB when they are unpacked. */
const FILINGS_MAX = 500_000
const BYTES_MAX = 10e9

/** Opens a zip from a path or an address; an address is downloaded to a temporary file first. */
export async function openAccountsFile(source: string, download: Download): Promise<AccountsFile> {
  if (!/^https?:/.test(source)) return openLocal(source, async () => undefined)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-accounts-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, basename(new URL(source).pathname) || 'accounts.zip')
    await pipeline(await download(source), limitBytes, createWriteStream(path))
    return await openLocal(path, removeFolder)
  } catch (error) {
    await removeFolder()
    throw error
  }
}

async function* limitBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw tooLarge('This address')
    yield chunk
  }
}

async function openLocal(path: string, remove: () => Promise<void>): Promise<AccountsFile> {
  const name = basename(path)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
  const archive = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw new DomainError('invalid_request', `${name} is not a zip archive of accounts.`, { cause })
  })
  if (found.size > BYTES_MAX || archive.entryCount > FILINGS_MAX) {
    archive.close()
    throw tooLarge(name)
  }
  return {
    name,
    bytes: found.size,
    publishedOn: readPublishedOn(name),
    archive,
    close: async () => {
      archive.close()
      await remove()
    },
  }
}

function tooLarge(name: string): DomainError {
  return new DomainError('invalid_request', `${name} holds more than a month of accounts can be.`)
}

/** `Accounts_Bulk_Data-2026-02-10.zip`, `Accounts_Monthly_Data-January2026.zip`. */
function readPublishedOn(name: string): string | null {
  const day = /(\d{4}-\d{2}-\d{2})/.exec(name)?.[1]
  if (day) return day
  const [, month = '', year] = /-([A-Z][a-z]+)(\d{4})/.exec(name) ?? []
  const index = MONTHS.indexOf(month)
  return index < 0 ? null : new Date(Date.UTC(Number(year), index + 1, 0)).toISOString().slice(0, 10)
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
