import type { Bulk } from '../../../api/bodies.ts'
import { Chips } from '../../../ui/chips.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button } from '../../../ui/parts.tsx'
import type { useColumnChoice } from './column-choice.ts'
import { columnsOf, OWN } from './columns.tsx'

/** Shows and hides columns. The choice stays in this browser. */
export function ColumnChooser(props: { bulk: Bulk; choice: ReturnType<typeof useColumnChoice>; onClose: () => void }) {
  const { bulk, choice, onClose } = props
  const columns = columnsOf(bulk).filter(({ id }) => id !== 'row')
  const own = columns.filter(({ id = '' }) => id.startsWith(OWN))
  const ours = columns.filter(({ id = '' }) => !id.startsWith(OWN))
  return (
    <Dialog title="Columns of the table" onClose={onClose}>
      {own.length > 0 && <Group title="Your columns" columns={own} choice={choice} />}
      <Group title="Our columns" columns={ours} choice={choice} />
      <div className="row">
        <Button onClick={onClose}>Done</Button>
        <Button look="quiet" onClick={choice.reset}>
          As at first
        </Button>
      </div>
    </Dialog>
  )
}

function Group(props: {
  title: string
  columns: ReturnType<typeof columnsOf>
  choice: ReturnType<typeof useColumnChoice>
}) {
  const { title, columns, choice } = props
  return (
    <Chips
      label={title}
      choices={columns.map(({ id = '', header }) => [id, String(header)] as const)}
      isChosen={(id) => choice.visibility[id] ?? false}
      onChange={choice.show}
    />
  )
}
