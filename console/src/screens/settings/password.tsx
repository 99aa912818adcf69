import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FreshSession } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { renewSession } from '../../session.ts'
import { Button, Card, Field, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'

const LENGTH_MIN = 8
const LENGTH_MAX = 256

/** A new password ends every session and every connected app; this browser stays signed in with the fresh token. */
export function Password({ email }: { email: string | undefined }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const showToast = useToast()
  const change = useMutation<void>({
    mutationFn: async () => {
      const { token } = await callApi<FreshSession>('POST', '/v1/auth/change-password', {
        body: { current_password: current, new_password: next },
        refusesPassword: true,
      })
      await renewSession(token)
    },
    onSuccess: () => {
      setCurrent('')
      setNext('')
      showToast('Password changed. All other sessions are signed out.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Card title="Password">
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          A new password signs you out everywhere else and ends every connected app. You stay signed in here, and your
          API keys keep working.
        </p>
        <input type="email" className="visually-hidden" autoComplete="username" value={email ?? ''} readOnly hidden />
        <div className="columns">
          <PasswordField
            label="Current password"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
          />
          <PasswordField
            label="New password"
            hint={`At least ${LENGTH_MIN} characters. Several words make a good password`}
            value={next}
            onChange={setNext}
            autoComplete="new-password"
            minLength={LENGTH_MIN}
          />
        </div>
        {change.isError && <Problem title="The password was not changed" error={change.error} />}
        <div className="row">
          <Button type="submit" busy={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  )
}

function PasswordField(props: {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  minLength?: number
}) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(field) => (
        <input
          {...field}
          type="password"
          autoComplete={props.autoComplete}
          minLength={props.minLength}
          maxLength={LENGTH_MAX}
          required
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
