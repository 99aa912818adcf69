import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Button, Problem } from './parts.tsx'

/** Asks for confirmation of a change that is final or unexpected. */
export function Confirm(props: {
  title: string
  children: ReactNode
  /** The text of the button, as a verb: "Delete the destination". */
  action: string
  look?: 'danger'
  /** The text of the other button, where "Cancel" would be ambiguous. */
  otherwise?: string
  change: { isPending: boolean; isError: boolean; error: unknown; mutate: () => void }
  onClose: () => void
}) {
  const { change, look } = props
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
      {change.isError && <Problem error={change.error} />}
      <div className="row">
        <Button {...(look ? { look } : {})} busy={change.isPending} onClick={() => change.mutate()}>
          {props.action}
        </Button>
        <Button look="quiet" onClick={props.onClose}>
          {props.otherwise ?? 'Cancel'}
        </Button>
      </div>
    </Dialog>
  )
}
