/** How a table of a customer is read: few at once, and a table that cannot be read is refused with a sentence for the person. */
import { DomainError } from '../errors.ts'
import { ThreadsBusy } from '../lib/isolated-threads.ts'
import type { Cell } from '../lib/sheets/cell.ts'
import { inspectTable, readTable } from '../lib/sheets/read-table.ts'
import type { TableShape } from '../lib/sheets/table-shape.ts'
import { UnreadableTable } from '../lib/sheets/unreadable-table.ts'

/** Files of one account that are read at once, in this process: the threads that read are few, and all accounts share them. */
const READ_AT_ONCE = 2
const reading = new Map<string, number>()

export async function readInTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const count = reading.get(accountId) ?? 0
  if (count >= READ_AT_ONCE) throw tooBusy('Other files of this account are read at this moment. Try again shortly.')
  reading.set(accountId, count + 1)
  try {
    return await work()
  } finally {
    const left = (reading.get(accountId) ?? 1) - 1
    if (left > 0) reading.set(accountId, left)
    else reading.delete(accountId)
  }
}

function tooBusy(message: string, cause?: unknown): DomainError {
  return new DomainError('busy', message, { cause, retryAfterSeconds: 5 })
}

export async function inspectOrRefuse(content: Uint8Array, sheet?: string): Promise<TableShape> {
  try {
    return await inspectTable(content, { sheet })
  } catch (error) {
    throw toRefusal(error)
  }
}

/** Returns the rows of a small table, which the body of one request holds. */
export function readRows(accountId: string, content: Uint8Array, rowsMax: number): Promise<Cell[][]> {
  return readInTurn(accountId, async () => {
    const rows: Cell[][] = []
    try {
      for await (const batch of readTable(content, { rowsMax })) rows.push(...batch)
      return rows
    } catch (error) {
      throw toRefusal(error)
    }
  })
}

export function toRefusal(error: unknown): unknown {
  if (error instanceof ThreadsBusy) return tooBusy('Too many files are read at this moment. Try again shortly.', error)
  if (!(error instanceof UnreadableTable)) return error
  return new DomainError('invalid_request', error.message, { errors: [{ field: 'file', message: error.message }] })
}
