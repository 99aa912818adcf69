import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAccount } from '../../account.ts'
import type { RotatedKey } from '../../api/bodies.ts'
import { callApi, newIdempotencyKey } from '../../api/client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'

const OVERLAPS = [
  [0, 'It ends at once, like every older key'],
  [1, 'It works for one more hour'],
  [24, 'It works for one more day'],
  [168, 'It works for one more week'],
] as const
const OVERLAP_HOURS_DEFAULT = 24
const PASSWORD_LENGTH_MAX = 256

/** Requires the password, so that a passer-by cannot create a key on an open screen. */
export function RotateKey(props: {
  mode: RotatedKey['mode']
  onRotated: (rotated: RotatedKey) => void
  onClose: () => void
}) {
  const { mode, onRotated, onClose } = props
  const [overlapHours, setOverlapHours] = useState(OVERLAP_HOURS_DEFAULT)
  const [password, setPassword] = useState('')
  const { data: account } = useAccount()
  const queries = useQueryClient()
  const rotate = useMutation<RotatedKey>({
    mutationFn: () =>
      callApi('POST', '/v1/auth/api-key/rotate', {
        body: { mode, overlap_hours: overlapHours, current_password: password },
        headers: { 'idempotency-key': newIdempotencyKey() },
        refusesPassword: true,
      }),
    onSuccess: (rotated) => {
      onRotated(rotated)
      onClose()
      return queries.invalidateQueries({ queryKey: ['account'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rotate.mutate()
  }
  const name = mode === 'live' ? 'API key' : 'test key'
  return (
    <Dialog title={`Replace the ${name}?`} onClose={onClose}>
      <form className="stack-small" onSubmit={submit}>
        <p>The new key works at once. Programs with the old key stop working when it ends.</p>
        <Field label="The old key">
          {(field) => (
            <select {...field} value={overlapHours} onChange={(event) => setOverlapHours(Number(event.target.value))}>
              {OVERLAPS.map(([hours, says]) => (
                <option key={hours} value={hours}>
                  {says}
                </option>
              ))}
            </select>
          )}
        </Field>
        <input type="email" autoComplete="username" value={account?.email ?? ''} readOnly hidden />
        <Field label="Your password">
          {(field) => (
            <input
              {...field}
              type="password"
              autoComplete="current-password"
              maxLength={PASSWORD_LENGTH_MAX}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {rotate.isError && <Problem title="The key was not replaced" error={rotate.error} />}
        <div className="row">
          <Button type="submit" busy={rotate.isPending}>{`Create a new ${name}`}</Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
