import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchFile } from '../../api/client.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'

/** Saves an answer as files: the signed document, the quoted pages, and the pack for reading. */
export function EvidenceFiles({ id, domain }: { id: string; domain: string }) {
  const showToast = useToast()
  const queries = useQueryClient()
  const pack = useMutation({
    mutationFn: async () =>
      saveFile(
        await fetchFile(`/v1/resolutions/${id}/evidence`, { query: { format: 'html' } }),
        `${domain}-evidence.html`,
      ),
    onSuccess: () => showToast('Page to print downloaded.'),
  })
  const document = useMutation({
    mutationFn: async () => {
      const options = { method: 'POST', headers: { accept: 'application/pdf' } }
      saveFile(await fetchFile(`/v1/resolutions/${id}/evidence/record`, options), `${domain}-evidence.pdf`)
    },
    onSuccess: () => {
      showToast('Signed evidence document downloaded.')
      return queries.invalidateQueries({ queryKey: ['history', 'one', id] })
    },
  })
  const pages = useMutation({
    mutationFn: async () => saveFile(await fetchFile(`/v1/resolutions/${id}/archive`), `${domain}-pages.warc.gz`),
    onSuccess: () => showToast('Kept pages downloaded.'),
  })
  return (
    <>
      <div className="row">
        <Button look="quiet" busy={document.isPending} onClick={() => document.mutate()}>
          Signed document (PDF)
        </Button>
        <Button look="quiet" busy={pages.isPending} onClick={() => pages.mutate()}>
          Kept pages (WARC)
        </Button>
        <Button look="quiet" busy={pack.isPending} onClick={() => pack.mutate()}>
          Page to print (unsigned)
        </Button>
      </div>
      {document.isError && <Problem error={document.error} />}
      {pages.isError && <Problem error={pages.error} />}
      {pack.isError && <Problem error={pack.error} />}
    </>
  )
}
