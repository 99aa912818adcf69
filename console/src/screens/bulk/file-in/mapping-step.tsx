import { useState } from 'react'
import type { BulkFile } from '../../../api/bodies.ts'
import { Choice } from '../../../ui/fields.tsx'
import { Button } from '../../../ui/parts.tsx'
import { plural, showNumber } from '../../../ui/words.ts'
import { PreflightCheck } from '../preflight-check.tsx'
import type { Reading } from './files.ts'
import { assign, guessOf, isUsable, type Kind, listUses, type Mapping, nameColumn } from './mapping.ts'
import { Preview } from './preview.tsx'
import './file-in.css'

interface MappingStepProps {
  file: BulkFile
  onReading: (part: Partial<Reading>) => void
}

/** Shows what each column holds, lets the person correct it, and then the check with its cost. */
export function MappingStep({ file, onReading }: MappingStepProps) {
  const [mapping, setMapping] = useState<Mapping>(() => guessOf(file))
  const [looked, setLooked] = useState<ReadonlySet<number>>(new Set())
  const [isConfirmed, setConfirmed] = useState(!file.asks)
  const change = (column: number, kind: Kind | null) => {
    setMapping(assign(mapping, column, kind))
    setLooked(new Set([...looked, column]))
  }
  const usable = isUsable(mapping)
  return (
    <>
      <div className="stack-small">
        <h2>Which columns should we use?</h2>
        {!isConfirmed && (
          <p className="note warn">
            {usable
              ? 'We are not certain about these columns. Check the choice above each column, then confirm it.'
              : 'We could not see which column to use. Choose above at least one column what it holds: a domain, an e-mail, a web address, a company name or a company number.'}
          </p>
        )}
        {file.mapping_from === 'saved' && isConfirmed && (
          <p className="note info">You sent a file with this header before. We used the same columns.</p>
        )}
        <HowToRead file={file} onReading={onReading} />
        <Preview file={file} mapping={mapping} looked={looked} isConfirmed={isConfirmed} onAssign={change} />
        <Uses file={file} mapping={mapping} />
        {file.notices.length > 0 && (
          <ul className="notices small soft">
            {file.notices.map(({ kind, message }) => (
              <li key={kind}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      {!isConfirmed && (
        <div>
          <Button disabled={!usable} onClick={() => setConfirmed(true)}>
            Use these columns
          </Button>
        </div>
      )}
      {isConfirmed && usable && <PreflightCheck file={file} mapping={mapping} />}
      {isConfirmed && !usable && <p className="note warn">Choose above at least one column what it holds.</p>}
    </>
  )
}

/** As many as the service takes for a header. */
const HEADER_ROWS_MAX = 10

const HEADER_ROWS: ReadonlyArray<readonly [string, string]> = [
  ['0', 'None'],
  ['1', 'The first row'],
  ...Array.from({ length: HEADER_ROWS_MAX - 1 }, (_, at) => [String(at + 2), `The first ${at + 2} rows`] as const),
]

function HowToRead({ file, onReading }: MappingStepProps) {
  const sheets = file.sheets.map(
    ({ name, rows, hidden }) => [name, `${name} (${plural(rows, 'row')}${hidden ? ', hidden' : ''})`] as const,
  )
  return (
    <div className="how-to-read">
      {sheets.length > 1 && (
        <Choice
          label="Sheet"
          value={file.sheet}
          // Another sheet may have another header.
          onChange={(sheet) => onReading({ sheet, headerRows: '' })}
          options={sheets}
        />
      )}
      <Choice
        label="Header"
        value={String(file.header_rows)}
        onChange={(headerRows) => onReading({ headerRows })}
        options={HEADER_ROWS}
        hint={file.header_rows === 0 ? 'We see no header. If the first row names the columns, say so here.' : undefined}
      />
    </div>
  )
}

function Uses({ file, mapping }: { file: BulkFile; mapping: Mapping }) {
  const uses = listUses(mapping, (column) => nameColumn(file, column))
  return (
    <div className="stack-small" role="status">
      {uses.length === 1 && <p>Each row uses its {uses[0]}.</p>}
      {uses.length > 1 && <p>Each row uses the first of these that it has: {uses.join(', ')}.</p>}
      {mapping.company_name !== undefined && mapping.postcode === undefined && (
        <p className="small soft">A column with postcodes would make matches by name more certain.</p>
      )}
      {mapping.postcode !== undefined && mapping.company_name === undefined && (
        <p className="small soft">We use a postcode only together with a company name.</p>
      )}
      {file.rows > file.rows_max && (
        <p className="note bad">
          The file has {showNumber(file.rows)} rows, and your plan takes {showNumber(file.rows_max)} in one job. Split
          the file, or choose a larger plan.
        </p>
      )}
    </div>
  )
}
