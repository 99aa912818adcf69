import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Button, Problem } from './parts.tsx'

/** Asks before something that cannot be taken back, or is not expected. */
export function Confirm(props: {
  title: string
  children: ReactNode
  /** What the button does, as a verb: "Delete the destination". */
  action: string
  look?: 'danger'
  /** On the button that leaves all as it is, where "Cancel" would be misread. */
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
