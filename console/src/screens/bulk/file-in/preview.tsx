import type { BulkFile } from '../../../api/bodies.ts'
import { Options } from '../../../ui/fields.tsx'
import { Badge } from '../../../ui/parts.tsx'
import { showNumber } from '../../../ui/words.ts'
import { KIND_WORDS, type Kind, kindOf, type Mapping, nameColumn } from './mapping.ts'

const NOT_USED = 'none'
const CHOICES = [[NOT_USED, '— not used —'], ...Object.entries(KIND_WORDS)] as const
const ROWS_SHOWN = 8

interface PreviewProps {
  file: BulkFile
  mapping: Mapping
  /** Columns that the person has looked at. */
  looked: ReadonlySet<number>
  isConfirmed: boolean
  onAssign: (column: number, kind: Kind | null) => void
}

/** Shows the first rows as the file has them, with a choice above each column. It scrolls inside its box. */
export function Preview({ file, mapping, looked, isConfirmed, onAssign }: PreviewProps) {
  const { columns, header_rows: headerRows, first_rows: rows } = file
  const below = rows.slice(headerRows, headerRows + ROWS_SHOWN)
  return (
    <div className="preview" role="region" aria-label="The first rows" tabIndex={0}>
      <table>
        <thead>
          <tr className="choices">
            <td />
            {columns.map(({ column, holds, sure, examples }) => {
              const kind = kindOf(mapping, column)
              const asks = !isConfirmed && holds !== null && !sure && !looked.has(column) && kind === holds
              return (
                <th key={column} scope="col" data-used={kind !== null} data-asks={asks}>
                  <select
                    aria-label={`Column ${nameColumn(file, column)} holds`}
                    value={kind ?? NOT_USED}
                    onChange={({ target }) =>
                      onAssign(column, target.value === NOT_USED ? null : (target.value as Kind))
                    }
                  >
                    <Options options={CHOICES} />
                  </select>
                  {asks && <Badge tone="warn">Our guess: please check</Badge>}
                  {isEmptyIn(below, column) && examples[0] !== undefined && (
                    <span className="example">further down: {examples[0]}</span>
                  )}
                </th>
              )
            })}
          </tr>
          {rows.slice(0, headerRows).map((cells, index) => (
            <tr key={index} className="names">
              <td className="at">{index + 1}</td>
              {columns.map(({ column }) => (
                <td key={column} data-used={kindOf(mapping, column) !== null}>
                  {cells[column - 1] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {below.map((cells, index) => (
            <tr key={index}>
              <td className="at">{showNumber(headerRows + index + 1)}</td>
              {columns.map(({ column }) => (
                <td key={column} data-used={kindOf(mapping, column) !== null}>
                  {cells[column - 1] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isEmptyIn = (rows: string[][], column: number) => rows.every((cells) => (cells[column - 1] ?? '').trim() === '')
