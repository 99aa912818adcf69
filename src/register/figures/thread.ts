/** One thread of an import of figures: turns packed filings into rows. */
import { servePieces } from '../import/serve-pieces.ts'
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

servePieces(readPiece)

async function readPiece({ filings, unreadable }: FilingsPiece, buffer: Buffer): Promise<FilingsResult> {
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
