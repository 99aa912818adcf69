import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { fetchFile } from '../../api/client.ts'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { plural } from '../../ui/words.ts'
import { isActive } from './bulk-jobs.ts'

type Format = 'csv' | 'jsonl'

/** Offers the results file at any time, and links to the rows that need a decision. */
export function Results({ bulk }: { bulk: Bulk }) {
  const { counts } = bulk
  return (
    <Card title="Results" stacked>
      <p className="soft">
        One line per row, in your order: the company, the confidence, the cost, and the reason if there is no match.
        {isActive(bulk) && ' You can download it now. Unfinished rows are marked.'}
      </p>
      <Downloads bulk={bulk} />
      {counts.needs_review > 0 && (
        <div className="note warn">
          <p>
            {plural(counts.needs_review, 'row needs', 'rows need')} your decision: the site names companies but proves
            none of them. Decisions are free.
          </p>
          <p>
            <Link href="/review">Open Review</Link>
          </p>
        </div>
      )}
    </Card>
  )
}

function Downloads({ bulk }: { bulk: Bulk }) {
  const showToast = useToast()
  const download = useMutation({
    mutationFn: async (format: Format) =>
      saveFile(await fetchFile(bulk.results_url, { query: { format } }), `${fileNameOf(bulk)}.${format}`),
    onSuccess: () => showToast('Results downloaded.'),
  })
  const busyWith = download.isPending ? download.variables : null
  return (
    <>
      <div className="row">
        <Button busy={busyWith === 'csv'} onClick={() => download.mutate('csv')}>
          Download CSV
        </Button>
        <Button look="quiet" busy={busyWith === 'jsonl'} onClick={() => download.mutate('jsonl')}>
          Download JSON lines
        </Button>
      </div>
      {download.isError && <Problem error={download.error} />}
    </>
  )
}

function fileNameOf({ name, id }: Bulk): string {
  const plain = (name ?? '').replaceAll(/[^\p{L}\p{N} _.-]/gu, '').trim()
  return `${plain === '' ? id : plain}-results`
}
