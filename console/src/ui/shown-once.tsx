import type { ReactNode } from 'react'
import { Button } from './parts.tsx'
import { Snippet } from './snippet.tsx'

/** A secret in the one moment that it is shown. It stays until the person says that it is kept. */
export function ShownOnce(props: {
  title: string
  /** Null in the answer to a repeated request, which the console never sends. */
  secret: string | null
  /** "the signing secret": completes "Copy …". */
  what: string
  warning: ReactNode
  onKept: () => void
  children?: ReactNode
}) {
  return (
    <section className="note warn" role="status">
      <h2>{props.title}</h2>
      <Snippet text={props.secret ?? ''} what={props.what} />
      <p>
        <strong>{props.warning}</strong>
      </p>
      {props.children}
      <div className="row">
        <Button look="quiet" small onClick={props.onKept}>
          I have stored it
        </Button>
      </div>
    </section>
  )
}
