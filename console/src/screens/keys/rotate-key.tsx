import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RotatedKey } from '../../api/bodies.ts'
import { callApi, newIdempotencyKey } from '../../api/client.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/parts.tsx'
import type { Mode } from './api-keys.tsx'

const OVERLAPS = [
  [0, 'It ends at once'],
  [1, 'It works for one more hour'],
  [24, 'It works for one more day'],
  [168, 'It works for one more week'],
] as const
const OVERLAP_HOURS_DEFAULT = 24

export function RotateKey(props: { mode: Mode; onRotated: (rotated: RotatedKey) => void; onClose: () => void }) {
  const { mode, onRotated, onClose } = props
  const [overlapHours, setOverlapHours] = useState(OVERLAP_HOURS_DEFAULT)
  const queries = useQueryClient()
  const rotate = useMutation<RotatedKey>({
    mutationFn: () =>
      callApi('POST', '/v1/auth/api-key/rotate', {
        body: { mode, overlap_hours: overlapHours },
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: (rotated) => {
      onRotated(rotated)
      onClose()
      return queries.invalidateQueries({ queryKey: ['account'] })
    },
  })
  const name = mode === 'live' ? 'API key' : 'test key'
  return (
    <Confirm title={`Replace the ${name}?`} action={`Make a new ${name}`} change={rotate} onClose={onClose}>
      <p>A new key is made and works at once. Programs that still use the old one stop when it ends.</p>
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
    </Confirm>
  )
}
