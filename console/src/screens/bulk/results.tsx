import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { fetchFile } from '../../api/client.ts'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { plural } from '../../ui/words.ts'
import { isAtWork } from './bulks.ts'

type Format = 'csv' | 'jsonl'

/** The file with a line for every row, at any time; and the way to what a person must decide. */
export function Results({ bulk }: { bulk: Bulk }) {
  const { counts } = bulk
  return (
    <Card title="Results">
      <div className="stack-small">
        <p className="soft">
          A line for every row you sent, in your order: the company, how sure it is, what it cost, and why where there
          is none.
          {isAtWork(bulk) && ' You need not wait: rows that are not done yet say so.'}
        </p>
        <Downloads bulk={bulk} />
        {counts.needs_review > 0 && (
          <div className="note warn">
            <p>
              {plural(counts.needs_review, 'row needs', 'rows need')} a person: the site names companies, and proves
              none. What you decide costs nothing, and is kept.
            </p>
            <p>
              <Link href="/review">Decide in Review</Link>
            </p>
          </div>
        )}
      </div>
    </Card>
  )
}

function Downloads({ bulk }: { bulk: Bulk }) {
  const say = useSay()
  const keep = useMutation({
    mutationFn: async (format: Format) =>
      saveFile(await fetchFile(bulk.results_url, { query: { format } }), `${fileNameOf(bulk)}.${format}`),
    onSuccess: () => say('The results are in your downloads.'),
  })
  const busyWith = keep.isPending ? keep.variables : null
  return (
    <>
      <div className="row">
        <Button busy={busyWith === 'csv'} onClick={() => keep.mutate('csv')}>
          Download CSV
        </Button>
        <Button look="quiet" busy={busyWith === 'jsonl'} onClick={() => keep.mutate('jsonl')}>
          Download JSON lines
        </Button>
      </div>
      {keep.isError && <Problem error={keep.error} />}
    </>
  )
}

function fileNameOf({ name, id }: Bulk): string {
  const plain = (name ?? '').replaceAll(/[^\p{L}\p{N} _.-]/gu, '').trim()
  return `${plain === '' ? id : plain}-results`
}
