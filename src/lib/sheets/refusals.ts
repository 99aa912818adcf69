import { UnreadableTable } from './unreadable-table.ts'

export function refuseMoreRows(rowsMax: number): UnreadableTable {
  const most = rowsMax.toLocaleString('en-GB')
  return new UnreadableTable(
    `The table has more than ${most} rows, and no more are taken here. Send the rows in several files.`,
  )
}
