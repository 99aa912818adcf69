/** The components that every screen uses. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { ApiProblem } from '../api/client.ts'
import type { Tone } from './tones.ts'

export function Button({ look, small, busy, children, ...rest }: ComponentProps<'button'> & ButtonLook) {
  const className = `button${look ? ` ${look}` : ''}${small ? ' small' : ''}`
  return (
    <button type="button" {...rest} className={className} disabled={rest.disabled || busy} aria-busy={busy}>
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

interface ButtonLook {
  look?: 'quiet' | 'plain' | 'danger'
  small?: boolean
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
}

/** With `stacked`, there is room between its parts. */
export function Card(props: {
  /** By which an address names it. */
  id?: string
  title?: ReactNode
  aside?: ReactNode
  stacked?: boolean
  children: ReactNode
}) {
  const { id, title, aside, stacked, children } = props
  return (
    <section id={id} className="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {stacked ? <div className="stack-small">{children}</div> : children}
    </section>
  )
}

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

export function Field(props: {
  label: string
  hint?: ReactNode
  problem?: string | undefined
  children: (field: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}) {
  const id = useId()
  const described = props.hint || props.problem ? { 'aria-describedby': `${id}-more` } : {}
  const invalid = props.problem ? ({ 'aria-invalid': true } as const) : {}
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({ id, ...described, ...invalid })}
      {(props.problem || props.hint) && (
        <div id={`${id}-more`}>
          {props.problem && <p className="problem">{props.problem}</p>}
          {props.hint && <p className="hint">{props.hint}</p>}
        </div>
      )}
    </div>
  )
}

/** An empty state: the purpose of the screen and the first step. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}

export function Skeleton({ lines = 5, what }: { lines?: number; what: string }) {
  return (
    <div className="skeleton" role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** Shows an error with the API's message, and a retry button where a retry can help. */
export function Problem({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string }) {
  const problem = error instanceof ApiProblem ? error : null
  const text = error instanceof Error ? error.message : 'An unexpected error occurred. Try again.'
  // A message that the text has already is not repeated.
  const fields = problem?.fields.filter(({ message }) => !text.includes(message)) ?? []
  return (
    <div className="note bad" role="alert">
      <strong>{title ?? 'Something went wrong'}</strong>
      <p>{text}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <div className="row small">
        {problem?.code === 'insufficient_credits' && (
          <>
            <a className="button small" href="/pricing">
              Get credits
            </a>
            <a className="button quiet small" href="/console/usage">
              See where they went
            </a>
          </>
        )}
        {onRetry && problem?.isRetryable !== false && (
          <Button look="quiet" small onClick={onRetry}>
            Try again
          </Button>
        )}
        {problem?.requestId && (
          <span className="soft">
            Request <code>{problem.requestId}</code>
          </span>
        )}
      </div>
    </div>
  )
}

export function ScreenHead({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="screen-head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </div>
  )
}

/** `[["Status", "active"], …]` as a list of terms: the term above its value, or with `rows` beside it. */
export function Facts({ facts, rows }: { facts: ReadonlyArray<readonly [string, ReactNode]>; rows?: boolean }) {
  return (
    <dl className={rows ? 'facts rows' : 'facts'}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
