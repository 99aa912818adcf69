import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { DecidedBy, EvidencePack, Resolution } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { ReviewLink } from '../../reviewing/review-link.tsx'
import { SecondReading } from '../../reviewing/second-reading.tsx'
import { Badge, Button, Card, Facts } from '../../ui/parts.tsx'
import { toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import { showDay, showMoment, showShare, showTime } from '../../ui/words.ts'
import { WatchButton } from '../../watching/watch-button.tsx'
import { Argument } from './argument.tsx'
import { describeCharge } from './charge-words.ts'
import { Dispute } from './dispute.tsx'
import { EvidenceFiles } from './evidence-files.tsx'
import { Others } from './others.tsx'
import { Proof } from './proof.tsx'

/** Shows the whole answer: the company, the confidence, the quoted proof and the other companies considered. */
export function Answer({ resolution, onDisputed, onReadAgain }: AnswerProps) {
  const { company, evidence, explanation } = resolution
  const pack = useQuery({
    queryKey: ['evidence', resolution.resolution_id],
    queryFn: () => callApi<EvidencePack>('GET', `/v1/resolutions/${resolution.resolution_id}/evidence`),
    // It is as it was stored; the service closes it when the match is refunded.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <article className="answer stack" id="answer" tabIndex={-1} aria-label={`Answer for ${resolution.domain}`}>
      <Summary resolution={resolution} onDisputed={onDisputed} onReadAgain={onReadAgain} />
      {explanation.features.length > 0 && <Argument explanation={explanation} confidence={resolution.confidence} />}
      <SecondReading reading={resolution.second_reader} />
      <Proof
        evidence={evidence}
        about={company?.company_number ?? null}
        pages={pack.data?.crawl.pages.length ?? null}
        outcome={resolution.outcome}
      />
      <Others resolution={resolution} pack={pack.data ?? null} />
      <p className="small soft">
        Read {showMoment(resolution.resolved_at)}. Valid until {showMoment(resolution.expires_at)}. Rules{' '}
        {explanation.version}. {describeCharge(resolution.charge_reason)}
      </p>
    </article>
  )
}

interface AnswerProps {
  resolution: Resolution
  onDisputed: () => void
  onReadAgain: () => void
}

function Summary({ resolution, onDisputed, onReadAgain }: AnswerProps) {
  const { company, outcome, confidence, decided_by: decidedBy } = resolution
  return (
    <Card
      title={
        <span className="row">
          <span className="domain">{resolution.domain}</span>
          <Badge tone={toneOfOutcome(outcome)}>{wordOfOutcome(outcome)}</Badge>
          {confidence !== null && outcome === 'matched' && <Badge>{showShare(confidence)} confidence</Badge>}
        </span>
      }
    >
      <div className="stack">
        {company && (
          <div>
            <h3 className="company-name">{company.company_name}</h3>
            <p className="soft">
              Company number <span className="mono">{company.company_number}</span>
            </p>
          </div>
        )}
        {decidedBy ? <OwnAnswer resolution={resolution} decidedBy={decidedBy} /> : <p>{resolution.reason}</p>}
        {resolution.group_notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {company && <CompanyFacts company={company} />}
        {outcome === 'scrape_failed' && <ReadAgain readAt={resolution.resolved_at} onReadAgain={onReadAgain} />}
        <AnswerActions resolution={resolution} onDisputed={onDisputed} />
      </div>
    </Card>
  )
}

function CompanyFacts({ company }: { company: NonNullable<Resolution['company']> }) {
  const names = company.previous_names.map(({ name }) => name).join(', ')
  const trade = company.sic_codes_text?.filter((name) => name !== null).join('; ')
  return (
    <Facts
      rows
      facts={[
        ['Status', <StatusBadge key="status" company={company} />],
        ['Type', company.company_type_text ?? null],
        ...(trade ? [['Trade', trade] as const] : []),
        ['Incorporated', showDay(company.incorporated_on)],
        ['Registered postcode', company.registered_postcode],
        ...(company.dissolved_on ? [['Dissolved', showDay(company.dissolved_on)] as const] : []),
        ...(names ? [['Previous names', names] as const] : []),
      ]}
    />
  )
}

/** Shows the decision of the account that replaces the shared answer: what, who, when and why. */
function OwnAnswer({ resolution, decidedBy }: { resolution: Resolution; decidedBy: DecidedBy }) {
  const { candidates, company } = resolution
  return (
    <div className="note good">
      <strong>Your decision: {describeDecision(decidedBy, company ? [company, ...candidates] : candidates)}</strong>
      {decidedBy.reason && <p>“{decidedBy.reason}”</p>}
      <p className="small">
        {decidedBy.reviewer}, {showMoment(decidedBy.decided_at)}. Only your account gets this answer.{' '}
        <ReviewLink domain={resolution.domain} status="decided">
          See or change it in Review
        </ReviewLink>
      </p>
    </div>
  )
}

/** The service reads a site at most once in this time, whichever account asks. */
const BETWEEN_READINGS_MS = 15 * 60_000

/** Offers to read the site again, as soon as the service allows it. */
function ReadAgain({ readAt, onReadAgain }: { readAt: string; onReadAgain: () => void }) {
  const from = Date.parse(readAt) + BETWEEN_READINGS_MS
  const [isEarly, setEarly] = useState(() => Date.now() < from)
  useEffect(() => {
    const wait = from - Date.now()
    if (wait <= 0) return
    const timer = setTimeout(() => setEarly(false), wait)
    return () => clearTimeout(timer)
  }, [from])
  return (
    <div className="row">
      <Button look="quiet" disabled={isEarly} onClick={onReadAgain}>
        Read again
      </Button>
      {isEarly && <span className="small soft">You can read the site again from {showTime(from)}.</span>}
    </div>
  )
}

/** The actions on an answer: decide it, watch the company, save the evidence, open the company, dispute it. */
function AnswerActions({ resolution, onDisputed }: { resolution: Resolution; onDisputed: () => void }) {
  const { company, resolution_id: id, domain, decided_by: decidedBy } = resolution
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
        <Link className="button quiet" href={`/resolutions/${id}`}>
          History and sharing
        </Link>
        {number && (
          <Link className="button quiet" href={`/companies/${number}`}>
            Open the company
          </Link>
        )}
        {company && !decidedBy && <Dispute resolution={resolution} company={company} onDisputed={onDisputed} />}
      </div>
      <EvidenceFiles id={id} domain={domain} />
    </div>
  )
}
