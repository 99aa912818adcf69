import type { BulkFile } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Empty } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { DropZone } from './file-in/drop-zone.tsx'
import { type Reading, useFile } from './file-in/files.ts'
import { MappingStep } from './file-in/mapping-step.tsx'
import { showBytes } from './file-in/pasted.ts'

/** Takes a file, asks what its columns hold, shows its check and cost, and starts the job only after that. */
export function NewBulk() {
  // In the address, so that a reload keeps the file.
  const { filter, setFilter } = useAddressFilter('/bulk', ['file', 'sheet', 'header'])
  if (filter.file === undefined) return <DropZone onSent={(file) => setFilter({ file, sheet: '', header: '' })} />
  return (
    <Given
      id={filter.file}
      reading={{ sheet: filter.sheet ?? '', headerRows: filter.header ?? '' }}
      onReading={({ sheet = filter.sheet ?? '', headerRows = '' }) => setFilter({ sheet, header: headerRows })}
      onLeave={() => setFilter(null)}
    />
  )
}

interface GivenProps {
  id: string
  reading: Reading
  onReading: (part: Partial<Reading>) => void
  onLeave: () => void
}

function Given({ id, reading, onReading, onLeave }: GivenProps) {
  const file = useFile(id, reading)
  if (file.error instanceof ApiProblem && file.error.status === 404) {
    return (
      <Empty title="This file is no longer here" action={<Button onClick={onLeave}>Choose a file</Button>}>
        We keep a file that no job was started with for a day. Choose it again.
      </Empty>
    )
  }
  return (
    <section className="card stack" aria-label="Your file">
      <div className="row spread">
        <p>
          <strong className="bulk-name">{titleOf(file.data)}</strong>{' '}
          {file.data && (
            <span className="soft">
              {plural(file.data.rows, 'row')}, {showBytes(file.data.bytes)}
            </span>
          )}
        </p>
        <Button look="quiet" small onClick={onLeave}>
          Choose another file
        </Button>
      </div>
      <Loaded query={file} what="your file">
        {(body) => (
          <MappingStep key={`${body.id} ${body.sheet} ${body.header_rows}`} file={body} onReading={onReading} />
        )}
      </Loaded>
    </section>
  )
}

function titleOf(file: BulkFile | undefined): string {
  if (!file) return 'Your file'
  return file.name ?? 'Pasted cells'
}
