import { type ReactNode, useEffect, useId, useRef } from 'react'

/** The browser's own modal dialog: it holds the focus, and Escape closes it. Rendered only while it is open. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // The development build mounts twice, so the first close event may arrive when the dialog is open again.
    <dialog ref={element} aria-labelledby={titleId} onClose={() => element.current?.open || onClose()}>
      <div className="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
