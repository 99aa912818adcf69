import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreshSession } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { renewSession } from '../../session.ts'
import { Form, TextField } from '../../ui/fields.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'

const LENGTH_MIN = 8
const PASSWORD = { type: 'password', maxLength: 256, required: true } as const

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
  return (
    <Card id="password" title="Password">
      <Form className="stack" onSubmit={() => change.mutate()}>
        <p className="soft">
          A new password signs you out everywhere else and ends every connected app. You stay signed in here, and your
          API keys keep working.
        </p>
        <input type="email" className="visually-hidden" autoComplete="username" value={email ?? ''} readOnly hidden />
        <div className="columns">
          <TextField
            {...PASSWORD}
            label="Current password"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
          />
          <TextField
            {...PASSWORD}
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
      </Form>
    </Card>
  )
}
