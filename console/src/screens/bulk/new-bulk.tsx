import { useState } from 'react'
import { Button } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { DropPlace } from './drop-place.tsx'
import { PreflightCheck } from './preflight-check.tsx'
import { showBytes, type Table } from './table.ts'

/** A list is given, then shown with what it would come to, and only then started. */
export function NewBulk() {
  const [table, setTable] = useState<Table | null>(null)
  if (!table) return <DropPlace onTable={setTable} />
  return (
    <section className="card stack" aria-label="The list you gave">
      <div className="row spread">
        <p>
          <strong className="bulk-name">{table.name || 'Pasted list'}</strong>{' '}
          <span className="soft">
            {plural(table.lines, 'line')}, {showBytes(table.bytes)}
          </span>
        </p>
        <Button look="quiet" small onClick={() => setTable(null)}>
          Take another list
        </Button>
      </div>
      <PreflightCheck key={table.id} table={table} />
    </section>
  )
}
