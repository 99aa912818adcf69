import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndedKey, LivingApiKey } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'

/** A button that ends one key after a question. */
export function EndKey({ apiKey: { id, last4, ends_at: endsAt } }: { apiKey: LivingApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const say = useSay()
  const end = useMutation<EndedKey>({
    mutationFn: () => callApi('DELETE', `/v1/auth/api-keys/${encodeURIComponent(id)}`),
    onSuccess: () => {
      setAsking(false)
      say(`The key …${last4} has ended.`)
      return queries.invalidateQueries({ queryKey: ['account'] })
    },
  })
  return (
    <>
      <Button look="danger" small aria-label={`End the key that ends in ${last4}`} onClick={() => setAsking(true)}>
        End
      </Button>
      {isAsking && (
        <Confirm
          title={`End the key …${last4}?`}
          action="End it"
          look="danger"
          change={end}
          onClose={() => setAsking(false)}
        >
          <p>Programs that use it are refused from this moment. It cannot be brought back.</p>
          {endsAt === null && <p>A new key takes its place. To see it, replace it here, or log in over the API.</p>}
        </Confirm>
      )}
    </>
  )
}
