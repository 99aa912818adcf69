import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkFile } from '../../../api/bodies.ts'
import { callApi } from '../../../api/client.ts'
import { uploadFile } from '../../../api/upload.ts'
import type { GivenFile } from './pasted.ts'

const PATH = '/v1/bulk/files'

/** How the person wants a file read; empty where the service decides. */
export interface Reading {
  sheet: string
  headerRows: string
}

/** Sends a file. `share` is the part of it that is sent, or null while nothing is on its way. */
export function useSendFile(onSent: (file: BulkFile) => void) {
  const queries = useQueryClient()
  const [share, setShare] = useState<number | null>(null)
  const [stop, setStop] = useState<(() => void) | null>(null)
  const sending = useMutation({
    mutationFn: ({ name, body }: GivenFile) => {
      const controller = new AbortController()
      setShare(0)
      setStop(() => () => controller.abort())
      return uploadFile<BulkFile>(PATH, { query: { name }, body, onProgress: setShare, signal: controller.signal })
    },
    onSuccess: (file) => {
      queries.setQueryData(keyOf(file.id, { sheet: '', headerRows: '' }), file)
      onSent(file)
    },
    onSettled: () => setShare(null),
  })
  return { ...sending, share, stop: () => stop?.() }
}

export function useFile(id: string, reading: Reading) {
  return useQuery({
    queryKey: keyOf(id, reading),
    queryFn: ({ signal }) =>
      callApi<BulkFile>('GET', `${PATH}/${encodeURIComponent(id)}`, {
        query: { sheet: reading.sheet, header_rows: reading.headerRows },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

const keyOf = (id: string, { sheet, headerRows }: Reading) => ['bulk-files', id, sheet, headerRows]
