import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EvidencePack, Resolution } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Reasons } from '../../reviewing/reasons.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { Badge, Button, Card, Problem } from '../../ui/parts.tsx'
import { showShare } from '../../ui/words.ts'

interface Other {
  number: string
  name: string
  reasons: string[]
  /** The reasons that speak against the company. */
  against: string[]
  confidence: number | null
}

/** Lists the other companies considered, and the reasons against them. */
export function Others({ resolution, pack }: { resolution: Resolution; pack: EvidencePack | null }) {
  const others = othersOf(resolution, pack)
  const isReview = resolution.outcome === 'needs_review'
  const isUnread = resolution.outcome === 'scrape_failed'
  return (
    <Card title={isReview ? 'Candidates' : 'Not chosen'}>
      {others.length === 0 && (
        <p className="soft">
          {isUnread ? 'We could not read the site, so we compared no company.' : 'The site names no other UK company.'}
        </p>
      )}
      <ul className="list">
        {others.map(({ number, name, reasons, against, confidence }) => (
          <li key={number}>
            <div className="row spread">
              <strong>{name}</strong>
              {confidence !== null && <Badge>{showShare(confidence)}</Badge>}
            </div>
            <p className="small soft mono">{number}</p>
            <Reasons reasons={reasons} against={against} />
          </li>
        ))}
      </ul>
      <WhyNot resolutionId={resolution.resolution_id} />
    </Card>
  )
}

/** Returns all reasons for a candidate in review, and only the reasons against a company that was not chosen. */
function othersOf({ company, candidates, outcome }: Resolution, pack: EvidencePack | null): Other[] {
  const others = new Map<string, Other>()
  const isOpen = outcome === 'needs_review'
  for (const {
    company_number: number,
    company_name: name,
    reasons,
    reasons_against: against,
    confidence,
  } of candidates) {
    if (isOpen) others.set(number, { number, name, reasons, against, confidence })
  }
  for (const { company_number: number, company_name: name, says } of pack?.considered ?? []) {
    if (!others.has(number)) others.set(number, { number, name, reasons: [says], against: [says], confidence: null })
  }
  others.delete(company?.company_number ?? '')
  return [...others.values()]
}

function WhyNot({ resolutionId }: { resolutionId: string }) {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const answer = useQuery({
    queryKey: ['why-not', resolutionId, asked],
    enabled: asked !== '',
    queryFn: () =>
      callApi<EvidencePack>('GET', `/v1/resolutions/${resolutionId}/evidence`, { query: { company_number: asked } }),
    refetchOnWindowFocus: false,
  })
  const whyNot = answer.data?.why_not
  return (
    <Form className="stack-small why-not" onSubmit={() => setAsked(typed.trim())}>
      <div className="row end">
        <div className="grow">
          <TextField
            label="Why not another company?"
            value={typed}
            onChange={setTyped}
            placeholder="Company number"
            maxLength={12}
          />
        </div>
        <Button type="submit" look="quiet" busy={answer.isFetching}>
          Ask
        </Button>
      </div>
      {answer.isError && <Problem error={answer.error} />}
      {whyNot && (
        <div className="note" role="status">
          <strong>{whyNot.company_name ?? whyNot.company_number}</strong>
          <p>{whyNot.answer}</p>
          {whyNot.quote && <blockquote>{whyNot.quote}</blockquote>}
        </div>
      )}
    </Form>
  )
}
