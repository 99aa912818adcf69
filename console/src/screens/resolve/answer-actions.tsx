import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Resolution } from '../../api/bodies.ts'
import { fetchFile } from '../../api/client.ts'
import { ReviewLink } from '../../reviewing/review-link.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { WatchButton } from '../../watching/watch-button.tsx'
import { Dispute } from './dispute.tsx'

/** What can be done with an answer: decide it, follow the company, file the proof, read on, say that it is wrong. */
export function AnswerActions({ resolution, onDisputed }: { resolution: Resolution; onDisputed: () => void }) {
  const { company, resolution_id: id, domain, decided_by: decidedBy } = resolution
  const say = useSay()
  const keep = useMutation({
    mutationFn: async () =>
      saveFile(
        await fetchFile(`/v1/resolutions/${id}/evidence`, { query: { format: 'html' } }),
        `${domain}-evidence.html`,
      ),
    onSuccess: () => say('The evidence pack is in your downloads.'),
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
        <Button look="quiet" busy={keep.isPending} onClick={() => keep.mutate()}>
          Save the evidence
        </Button>
        {number && (
          <Link className="button quiet" href={`/companies/${number}`}>
            Open the company
          </Link>
        )}
        {company && !decidedBy && <Dispute resolution={resolution} company={company} onDisputed={onDisputed} />}
      </div>
      {keep.isError && <Problem error={keep.error} />}
    </div>
  )
}
