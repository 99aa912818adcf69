import { type ComponentProps, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Button, Problem } from './parts.tsx'

/** A button that asks for confirmation of a change that is final or unexpected. */
export function ConfirmButton(props: ConfirmProps) {
  const { text, title, children, action, isFinal, otherwise, change, ...button } = props
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && (
        <Dialog title={title} onClose={close}>
          {children}
          {change.isError && <Problem error={change.error} />}
          <div className="row">
            <Button
              {...(isFinal ? { look: 'danger' } : {})}
              busy={change.isPending}
              onClick={() => change.mutate(undefined, { onSuccess: close })}
            >
              {action}
            </Button>
            <Button look="quiet" onClick={close}>
              {otherwise ?? 'Cancel'}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

interface ConfirmProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'title' | 'children'> {
  /** The text of the button. */
  text: string
  title: string
  children: ReactNode
  /** The text of the button in the dialog, as a verb: "Delete the destination". */
  action: string
  /** The button in the dialog warns. */
  isFinal?: boolean
  /** The text of the other button, where "Cancel" would be ambiguous. */
  otherwise?: string
  change: {
    isPending: boolean
    isError: boolean
    error: unknown
    mutate: (nothing: undefined, options: { onSuccess: () => void }) => void
  }
}
