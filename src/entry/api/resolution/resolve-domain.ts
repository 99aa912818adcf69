import { z } from 'zod'
import type { App } from '../../../app.ts'
import type { Charge, FullAnswer } from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { DecidedBy, presentDecidedBy } from '../review/decided-by.ts'
import {
  Charged,
  ChargeReason,
  CompanySummary,
  DomainBody,
  Evidence,
  Explanation,
  PendingJob,
  presentCandidate,
  presentCharge,
  presentEvidence,
  presentExplanation,
  presentSummary,
  presentTimes,
  ReviewCandidate,
} from './bodies.ts'
import { answerDomainOnce, type Shape } from './domain-exchange.ts'

export const ResolutionBody = z
  .object({
    status: z.literal('completed'),
    resolution_id: z.string().describe('Of the evidence pack.'),
    input_domain: z.string(),
    domain: z.string().describe('The registrable domain.'),
    outcome: z.enum(OUTCOMES),
    confidence: z.number().nullable(),
    reason: z.string().describe('What decided it, in one sentence.'),
    company: CompanySummary.nullable(),
    evidence: z.array(Evidence),
    explanation: Explanation,
    candidates: z.array(ReviewCandidate),
    actions: z
      .array(z.object({ action: z.string(), says: z.string(), url: z.string() }))
      .describe('What can be done next.'),
    resolved_at: Time,
    expires_at: Time,
    charged: Charged,
    charge_reason: ChargeReason,
    decided_by: DecidedBy.nullable(),
  })
  .meta({ id: 'Resolution' })

const SHAPE: Shape = {
  name: 'resolution',
  statusUrl: (jobId) => `/v1/enrich/status/${jobId}`,
  needsDetails: false,
  present: presentResolution,
}

export function resolveDomainRoutes(app: App, server: Server): void {
  server.post('/v1/resolve/domain', RESOLVE, async (request, reply) => {
    const caller = callerOf(request)
    return answerDomainOnce(app, { request, reply, caller }, request.body, SHAPE)
  })
}

export function presentResolution(
  input: string,
  { known, company, candidates }: FullAnswer,
  charge: Charge,
): z.input<typeof ResolutionBody> {
  return {
    status: 'completed',
    resolution_id: known.id,
    input_domain: input,
    domain: known.domain,
    outcome: known.outcome,
    confidence: known.confidence,
    reason: known.reason,
    company: company && presentSummary(company),
    evidence: presentEvidence(known),
    explanation: presentExplanation(known),
    candidates: candidates.map(presentCandidate),
    actions: actionsFor(known, company?.number ?? null),
    ...presentTimes(known),
    ...presentCharge(charge),
    decided_by: presentDecidedBy(known.decision),
  }
}

function actionsFor({ id, outcome, decision }: FullAnswer['known'], companyNumber: string | null) {
  const file = { action: 'file', says: 'The evidence pack, to file.', url: `/v1/resolutions/${id}/evidence` }
  const review = { action: 'review', says: 'Decide it yourself, in your list of reviews.', url: '/v1/reviews' }
  if (companyNumber === null) return outcome === 'needs_review' ? [file, review] : [file]
  const wrong = 'If it is another company: we refund the credit.'
  const dispute = { action: 'dispute', says: wrong, url: `/v1/resolutions/${id}/dispute` }
  return [
    file,
    { action: 'profile', says: 'What the register says of the company.', url: `/v1/companies/${companyNumber}` },
    { action: 'signals', says: 'What changed at the company.', url: `/v1/companies/${companyNumber}/signals` },
    ...(decision === null ? [dispute] : []),
  ]
}

const RESOLVE = describeRoute({
  operationId: 'resolveDomain',
  summary: 'The company behind a domain, with the proof',
  description:
    'The outcome with the words on the pages that prove it, the weights of the argument and the candidates not chosen. ' +
    'Known answers come at once; otherwise ask at `status_url`, or send `Prefer: wait=30`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  idempotent: true,
  body: DomainBody,
  answers: {
    200: { description: 'The answer.', schema: ResolutionBody },
    202: { description: 'The site is being read.', schema: PendingJob },
  },
  errors: ['invalid_domain', 'insufficient_credits'],
})
