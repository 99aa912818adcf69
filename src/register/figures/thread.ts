/** One thread of an import of figures: turns packed filings into rows. */
import { parentPort } from 'node:worker_threads'
import type { FilingsPiece } from './filing-pieces.ts'
import type { Period } from './periods.ts'
import { readAccounts } from './read-accounts.ts'
import { unpackFiling } from './unpack.ts'

export interface FiguresRow extends Period {
  company_number: string
  source_file: string
}

export interface FilingsResult {
  bytes: number
  filings: number
  /** The names of those that could not be read. */
  unreadable: string[]
  rows: FiguresRow[]
}

parentPort?.on('message', (piece: FilingsPiece) => {
  void readPiece(piece).then((result) => parentPort?.postMessage(result))
})
parentPort?.postMessage('ready')

async function readPiece({ bytes, filings, unreadable }: FilingsPiece): Promise<FilingsResult> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = filings.length + unreadable.length
  const result: FilingsResult = { bytes: buffer.length, filings: count, unreadable: [...unreadable], rows: [] }
  for (const filing of filings) {
    const document = await unpackFiling(filing, buffer)
    const accounts = document && readAccounts(filing.name, document)
    if (!accounts) {
      result.unreadable.push(filing.name)
      continue
    }
    const { company_number, periods } = accounts
    result.rows.push(...periods.map((period) => ({ ...period, company_number, source_file: filing.name })))
  }
  return result
}
