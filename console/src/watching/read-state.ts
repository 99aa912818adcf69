import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MarkedSignals, ReadState } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { useToast } from '../ui/toast.tsx'

const UNREAD = ['signals', 'unread']
const REFRESH_MS = 60_000

/** Returns how many signals are not read. */
export function useUnread() {
  return useQuery({
    queryKey: UNREAD,
    queryFn: ({ signal }) => callApi<ReadState>('GET', '/v1/signals/unread', { signal }),
    refetchInterval: REFRESH_MS,
  })
}

type Mark = { ids: string[]; read: boolean } | { through: string | null }

/** Marks signals as read or unread, and shows it wherever they are shown. */
export function useMarkSignals() {
  const queries = useQueryClient()
  const showToast = useToast()
  const refresh = () => queries.invalidateQueries({ queryKey: ['signals'] })
  const send = (body: Mark) => callApi<MarkedSignals>('POST', '/v1/signals/read', { body })
  const undo = useMutation({ mutationFn: (through: string) => send({ through }), onSuccess: refresh })
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ previous_read_through: previous }) => {
      const run = () => {
        if (previous !== null) undo.mutate(previous)
      }
      if (previous !== null) showToast('All signals are marked as read.', { text: 'Undo', onClick: run })
      await refresh()
    },
  })
}
