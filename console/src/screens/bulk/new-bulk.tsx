import { useState } from 'react'
import { Button } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { DropZone } from './drop-zone.tsx'
import { PreflightCheck } from './preflight-check.tsx'
import { showBytes, type Table } from './table.ts'

/** Takes a list, shows its check and cost, and starts the job only after that. */
export function NewBulk() {
  const [table, setTable] = useState<Table | null>(null)
  if (!table) return <DropZone onTable={setTable} />
  return (
    <section className="card stack" aria-label="Your list">
      <div className="row spread">
        <p>
          <strong className="bulk-name">{table.name || 'Pasted list'}</strong>{' '}
          <span className="soft">
            {plural(table.lines, 'line')}, {showBytes(table.bytes)}
          </span>
        </p>
        <Button look="quiet" small onClick={() => setTable(null)}>
          Choose another list
        </Button>
      </div>
      <PreflightCheck key={table.id} table={table} />
    </section>
  )
}
