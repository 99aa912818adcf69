import { type ReactNode, useEffect, useId, useRef } from 'react'

/** The browser's own modal dialog: it holds the focus, and Escape closes it. Rendered only while it is open. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const place = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = place.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // The development build mounts twice, so the news of a first closing may come when it is open again.
    <dialog ref={place} aria-labelledby={titleId} onClose={() => place.current?.open || onClose()}>
      <div className="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
