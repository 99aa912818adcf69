import { useMutation } from '@tanstack/react-query'
import { fetchFile } from '../../api/client.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'

/** Downloads the ledger as CSV, newest first. */
export function LedgerDownload() {
  const showToast = useToast()
  const download = useMutation({
    mutationFn: async () => saveFile(await fetchFile('/v1/account/ledger/export'), 'nameplate-ledger.csv'),
    onSuccess: () => showToast('Ledger downloaded.'),
  })
  return (
    <div className="stack-small">
      <Button look="quiet" small busy={download.isPending} onClick={() => download.mutate()}>
        Download as CSV
      </Button>
      {download.isError && <Problem error={download.error} />}
    </div>
  )
}
