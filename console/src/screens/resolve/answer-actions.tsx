import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Resolution } from '../../api/bodies.ts'
import { fetchFile } from '../../api/client.ts'
import { ReviewLink } from '../../reviewing/review-link.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { WatchButton } from '../../watching/watch-button.tsx'
import { Dispute } from './dispute.tsx'

/** The actions on an answer: decide it, watch the company, save the evidence, open the company, dispute it. */
export function AnswerActions({ resolution, onDisputed }: { resolution: Resolution; onDisputed: () => void }) {
  const { company, resolution_id: id, domain, decided_by: decidedBy } = resolution
  const showToast = useToast()
  const download = useMutation({
    mutationFn: async () =>
      saveFile(
        await fetchFile(`/v1/resolutions/${id}/evidence`, { query: { format: 'html' } }),
        `${domain}-evidence.html`,
      ),
    onSuccess: () => showToast('Evidence pack downloaded.'),
  })
  const number = company?.company_number
  return (
    <div className="stack-small">
      <div className="row">
        {resolution.outcome === 'needs_review' && (
          <ReviewLink domain={domain} status="open" look="button">
            Decide it
          </ReviewLink>
        )}
        {company && <WatchButton company={{ number: company.company_number, name: company.company_name }} />}
        <Button look="quiet" busy={download.isPending} onClick={() => download.mutate()}>
          Save the evidence
        </Button>
        {number && (
          <Link className="button quiet" href={`/companies/${number}`}>
            Open the company
          </Link>
        )}
        {company && !decidedBy && <Dispute resolution={resolution} company={company} onDisputed={onDisputed} />}
      </div>
      {download.isError && <Problem error={download.error} />}
    </div>
  )
}
