import { z } from 'zod'
import type { App } from '../../../app.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import type { Charge, FullAnswer } from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { listCompanySignals, presentSignal } from '../../../signals/index.ts'
import { CalendarDate, Time } from '../../http/page.ts'
import { DerivedFacts } from '../register/company-facts.ts'
import { Profile, presentProfile } from '../register/company-profile.ts'
import { SignalBody } from '../register/company-signals.ts'
import { StatusDetail } from '../register/status-detail.ts'
import { DecidedBy, presentDecidedBy } from '../review/decided-by.ts'
import {
  Charged,
  ChargeReason,
  CompanySummary,
  Evidence,
  Explanation,
  GroupNotes,
  InputDomain,
  Method,
  presentCandidate,
  presentCharge,
  presentEvidence,
  presentExplanation,
  presentReading,
  presentSummary,
  presentTimes,
  ReadDomain,
  ReviewCandidate,
  SecondReading,
  text,
} from './bodies.ts'

const NO_FACTS = Object.fromEntries(Object.keys(DerivedFacts.shape).map((name) => [name, null]))

export const CompanyResult = DerivedFacts.extend({
  match_status: z.enum(OUTCOMES),
  company_name: text,
  company_number: text,
  company_status: text,
  ...StatusDetail,
  registered_postcode: text,
  incorporated_on: CalendarDate.nullable(),
  match_confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Calibrated: of answers at 0.9, nine in ten are right. Of the best candidate, also where review is needed.',
    ),
  review_candidates: z.array(ReviewCandidate).describe('Best first, at most five; empty when matched.'),
}).meta({ id: 'CompanyResult', description: 'Computed from the register for today in London.' })

export const FlatAnswer = z
  .object({
    status: z.literal('completed'),
    input_domain: InputDomain,
    domain: ReadDomain,
    charged: Charged,
    charge_reason: ChargeReason,
    method: Method,
    decided_by: DecidedBy.nullable(),
    result: CompanyResult,
  })
  .meta({ id: 'FlatAnswer' })

/** The flat answer, with today's facts. */
export function presentFlat(input: string, answer: FullAnswer, charge: Charge): z.input<typeof FlatAnswer> {
  const { known, today, candidates } = answer
  return {
    status: 'completed',
    input_domain: input,
    domain: known.domain,
    ...presentCharge(charge),
    method: presentReading(known).method,
    decided_by: presentDecidedBy(known.decision),
    result: {
      ...(today ? today.facts : NO_COMPANY),
      match_status: known.outcome,
      match_confidence: known.confidence,
      review_candidates: known.outcome === 'matched' ? [] : candidates.map(presentCandidate),
    },
  }
}

const NO_COMPANY = {
  ...(NO_FACTS as Omit<z.input<typeof DerivedFacts>, 'recent_resignations'>),
  recent_resignations: [],
  company_name: null,
  company_number: null,
  company_status: null,
  company_status_detail: null,
  company_status_text: null,
  registered_postcode: null,
  incorporated_on: null,
}

export const ResolutionBody = z
  .object({
    status: z.literal('completed'),
    resolution_id: z.string().describe('Of the evidence pack.'),
    input_domain: z.string(),
    domain: z.string().describe('The registrable domain.'),
    outcome: z.enum(OUTCOMES),
    confidence: z.number().nullable(),
    reason: z.string().describe('What decided it, in one sentence.'),
    method: Method,
    second_reader: SecondReading,
    company: CompanySummary.nullable(),
    evidence: z.array(Evidence),
    explanation: Explanation,
    candidates: z.array(ReviewCandidate),
    group_notes: GroupNotes,
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

export function presentResolution(
  input: string,
  { known, company, candidates, groupNotes }: FullAnswer,
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
    ...presentReading(known),
    company: company && presentSummary(company),
    evidence: presentEvidence(known),
    explanation: presentExplanation(known),
    candidates: candidates.map(presentCandidate),
    group_notes: groupNotes,
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

const SIGNALS_MAX = 10

export const Enrichment = FlatAnswer.extend({
  company: Profile.nullable(),
  evidence: z.array(Evidence),
  explanation: Explanation,
  second_reader: SecondReading,
  signals: z.array(SignalBody).describe('The newest of the matched company.'),
  resolved_at: Time,
  as_of: CalendarDate.describe('The day for which the facts were computed.'),
  expires_at: Time.describe('From then on the next request has the site read again.'),
}).meta({ id: 'Enrichment' })

export async function presentEnrichment(
  app: App,
  input: string,
  answer: FullAnswer,
  charge: Charge,
): Promise<z.input<typeof Enrichment>> {
  const { known, today } = answer
  const day = toLondonDate(app.clock.now())
  const signals = today
    ? await listCompanySignals(app.db, {
        companyNumber: today.details.company.number,
        viewer: null,
        limit: SIGNALS_MAX,
        cursor: undefined,
      })
    : { signals: [] }
  return {
    ...presentFlat(input, answer, charge),
    company: today && presentProfile(today.details, day, { ...app.config, isInAnswer: true }),
    evidence: presentEvidence(known),
    explanation: presentExplanation(known),
    second_reader: presentReading(known).second_reader,
    signals: signals.signals.map(presentSignal),
    ...presentTimes(known),
    as_of: day,
  }
}
