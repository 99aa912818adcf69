import { useMutation } from '@tanstack/react-query'
import type { Bulk } from '../../api/bodies.ts'
import { fetchPart } from '../../api/client.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { fileNameOf } from './bulk-words.ts'

/** Saves the signed evidence of every match. */
export function Documents({ bulk }: { bulk: Bulk }) {
  const showToast = useToast()
  const evidence = useMutation({
    mutationFn: () => saveDocuments(bulk),
    onSuccess: (parts) => showToast(parts === 1 ? 'Documents downloaded.' : `Documents downloaded, in ${parts} files.`),
  })
  return (
    <>
      <Button small look="quiet" busy={evidence.isPending} onClick={() => evidence.mutate()}>
        Signed documents (ZIP)
      </Button>
      {evidence.isError && <Problem error={evidence.error} />}
    </>
  )
}

/** As many as the rows of a bulk job need. */
const PARTS_MAX = 200

/** Saves one file for each part. A part that fails is said; those before it are saved, and all can be had again. */
async function saveDocuments(bulk: Bulk): Promise<number> {
  let path: string | null = `/v1/bulk/${bulk.id}/evidence`
  let part = 0
  for (; path !== null && part < PARTS_MAX; part += 1) {
    const { file, next } = await fetchPart(path)
    saveFile(file, `${fileNameOf(bulk)}-evidence-${part + 1}.zip`)
    path = next
  }
  return part
}
