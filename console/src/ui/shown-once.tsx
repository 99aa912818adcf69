import type { ReactNode } from 'react'
import { Button } from './parts.tsx'
import { Snippet } from './snippet.tsx'

/** Shows a secret once. It stays until the person confirms that it is stored. */
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
