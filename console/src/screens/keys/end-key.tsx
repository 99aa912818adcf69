import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndedKey, LivingApiKey } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Revokes one key after confirmation. */
export function EndKey({ apiKey: { id, last4, ends_at: endsAt } }: { apiKey: LivingApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const showToast = useToast()
  const end = useMutation<EndedKey>({
    mutationFn: () => callApi('DELETE', `/v1/auth/api-keys/${encodeURIComponent(id)}`),
    onSuccess: () => {
      setAsking(false)
      showToast(`The key …${last4} is revoked.`)
      return queries.invalidateQueries({ queryKey: ['account'] })
    },
  })
  return (
    <>
      <Button look="danger" small aria-label={`Revoke the key that ends in ${last4}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke the key …${last4}?`}
          action="Revoke it"
          look="danger"
          change={end}
          onClose={() => setAsking(false)}
        >
          <p>Programs that use it lose access at once. You cannot undo this.</p>
          {endsAt === null && <p>A new key replaces it. To see the new key, replace it here or log in over the API.</p>}
        </Confirm>
      )}
    </>
  )
}
