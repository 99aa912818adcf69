/** The parts that all resolution endpoints have in common: a job under way, and the pieces of an answer. */
import { z } from 'zod'
import { type Company, describeCode, describeSector, presentStatusDetail } from '../../../register/index.ts'
import {
  type CandidateToday,
  CHARGE_REASONS,
  type Charge,
  JOB_STATUSES,
  type KnownResolution,
  METHODS,
  methodOf,
  type Progress,
  presentChecklist,
  type ResolutionJob,
} from '../../../resolution/index.ts'
import { CalendarDate, presentTime, Time } from '../../http/page.ts'
import { CodesInWords, StatusDetail } from '../register/status-detail.ts'

export const text = z.string().nullable()

export const Charged = z.boolean().describe('Whether this answer cost a credit.')
export const ChargeReason = z.enum(CHARGE_REASONS).describe('Why it did, or why not.')

export const InputDomain = z.string().describe('What was typed, without user name and password, query and fragment.')
export const ReadDomain = z.string().describe('The registrable domain in it, whose site is read.')

export const DomainBody = z.object({
  domain: z.string().min(1).max(2_048).describe('A domain, an address or an e-mail address: whatever you have.'),
  max_age_days: z.number().int().min(0).max(30).optional().describe('Take nothing older from what is known.'),
  second_reader: z
    .boolean()
    .optional()
    .describe(
      'Accepted and ignored. An account opts out of the language model in its settings: see PATCH /v1/account/settings.',
    ),
})

const JobProgress = z
  .object({
    step: z.enum(['queued', 'reading', 'deciding']),
    pages: z.array(z.object({ url: z.string(), status: z.int() })).describe('What was fetched so far, at most ten.'),
    started_at: Time.nullable(),
  })
  .meta({ id: 'JobProgress', description: 'How far the site is read: to be shown to a person, not to be relied upon.' })

export const PendingJob = z
  .object({
    status: z.enum(JOB_STATUSES).exclude(['completed']),
    input_domain: InputDomain,
    domain: ReadDomain,
    job_id: z.string(),
    charged: Charged,
    charge_reason: ChargeReason,
    status_url: z.string().describe('Ask here, as often as `Retry-After` says.'),
    error_message: text,
    progress: JobProgress.nullable().describe('Null where nothing is known of it.'),
  })
  .meta({ id: 'PendingJob' })

export const GroupNotes = z
  .array(z.string())
  .describe(
    'Which of several candidates belong to one group, in sentences: parent and subsidiary, or sisters. Empty where no review is needed.',
  )

export const ReviewCandidate = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string(),
    ...StatusDetail,
    registered_postcode: text,
    confidence: z.number(),
    reasons: z.array(z.string()).describe('For and against, the weightiest first.'),
    reasons_against: z.array(z.string()).describe('Those of `reasons` that speak against the company.'),
  })
  .meta({ id: 'ReviewCandidate' })

export const Evidence = z
  .object({
    kind: z.string(),
    supports: text.describe('The company number it is about.'),
    strength: z.enum(['decisive', 'strong', 'supporting', 'against']),
    says: z.string(),
    quote: z.string().describe('The words on the page.'),
    url: z.string(),
    fetched_at: Time,
    content_sha256: z.string(),
  })
  .meta({ id: 'Evidence' })

export const Explanation = z
  .object({
    checklist: z.array(
      z.object({
        name: z.enum(['number', 'name', 'office', 'own_name', 'runs_site', 'no_other_claimant']),
        met: z.boolean(),
        says: z.string(),
      }),
    ),
    prior: z.number(),
    features: z.array(
      z.object({
        kind: z.enum(['evidence', 'veto', 'calibration']),
        name: z.string(),
        level: z.string(),
        says: z.string(),
        weight: z.number(),
        found: text,
        registered: text,
      }),
    ),
    total: z.number().describe('The log-odds of `confidence`, in bits.'),
    runner_up: z.object({ company_number: z.string(), company_name: z.string(), total: z.number() }).nullable(),
    margin: z.number().nullable(),
    version: z.string(),
  })
  .meta({
    id: 'Explanation',
    description:
      'The argument for the best candidate: a checklist, and additive weights in bits. `prior` and the weights of all features, vetoes and the calibration included, make the `total`.',
  })

export const Method = z
  .enum(METHODS)
  .describe('Who decided the outcome: the rules, or a language model whose words were verified.')

export const SecondReading = z
  .object({
    task: z.enum(['find', 'check']).describe('`find`: the rules had no match. `check`: they had one.'),
    decision: z.enum(['match', 'confirm', 'object']),
    reason: z.string(),
    quote: text.describe('Words that were found on a page; null if it confirmed without any.'),
    url: text,
    model: z.string(),
    prompt_version: z.string(),
  })
  .nullable()
  .meta({ id: 'SecondReading', description: 'What a language model said of the site, as far as code verified it.' })

export function presentReading(known: KnownResolution): {
  method: z.input<typeof Method>
  second_reader: z.input<typeof SecondReading>
} {
  const reading = known.findings.secondReading ?? null
  return {
    method: methodOf(known),
    second_reader: reading && {
      task: reading.task,
      decision: reading.decision,
      reason: reading.why,
      quote: reading.quote,
      url: reading.url,
      model: reading.model,
      prompt_version: reading.promptVersion,
    },
  }
}

export const CompanySummary = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string(),
    ...StatusDetail,
    company_type: z.string(),
    ...CodesInWords,
    incorporated_on: CalendarDate.nullable(),
    dissolved_on: CalendarDate.nullable(),
    registered_postcode: text,
    sic_codes: z.array(z.string()),
    previous_names: z.array(z.object({ name: z.string(), ceased_on: CalendarDate.nullable() })),
  })
  .meta({ id: 'CompanySummary' })

/** Where to ask for a job. */
export const statusUrl = (jobId: string): string => `/v1/enrich/status/${jobId}`

export function presentPending(
  job: ResolutionJob,
  statusUrl: string,
  progress: Progress | null,
): z.input<typeof PendingJob> {
  return {
    status: job.status === 'completed' ? 'processing' : job.status,
    input_domain: job.input,
    domain: job.subject,
    job_id: job.id,
    charged: job.charged,
    charge_reason: job.chargeReason,
    status_url: statusUrl,
    error_message: job.errorMessage,
    progress: progress && presentProgress(progress),
  }
}

function presentProgress({ step, pages, startedAt }: Progress): z.input<typeof JobProgress> {
  return { step, pages, started_at: startedAt && presentTime(startedAt) }
}

export function presentCharge({ charged, reason }: Charge) {
  return { charged, charge_reason: reason }
}

export function presentCandidate({
  company,
  confidence,
  reasons,
  against,
}: CandidateToday): z.input<typeof ReviewCandidate> {
  return {
    company_number: company.number,
    company_name: company.name,
    company_status: company.status,
    ...presentStatusDetail(company),
    registered_postcode: company.address.postcode,
    confidence,
    reasons,
    reasons_against: against,
  }
}

export function presentEvidence({ findings }: KnownResolution): Array<z.input<typeof Evidence>> {
  return findings.evidence.map(({ fetchedAt, contentSha256, strength, ...item }) => ({
    ...item,
    strength: strength as 'decisive',
    fetched_at: fetchedAt,
    content_sha256: contentSha256,
  }))
}

export function presentExplanation(known: KnownResolution): z.input<typeof Explanation> {
  const { runnerUp, features, ...explanation } = known.findings.explanation
  return {
    ...explanation,
    checklist: presentChecklist(known),
    features: features.map((feature) => ({ ...feature, kind: feature.kind ?? 'evidence', level: feature.level ?? '' })),
    runner_up: runnerUp && {
      company_number: runnerUp.companyNumber,
      company_name: runnerUp.companyName,
      total: runnerUp.total,
    },
  }
}

export function presentSummary(company: Company): z.input<typeof CompanySummary> {
  return {
    company_number: company.number,
    company_name: company.name,
    company_status: company.status,
    ...presentStatusDetail(company),
    company_type: company.type,
    company_type_text: describeCode('company_type', company.type),
    incorporated_on: company.incorporatedOn,
    dissolved_on: company.dissolvedOn,
    registered_postcode: company.address.postcode,
    sic_codes: company.sicCodes,
    sic_codes_text: company.sicCodes.map(describeSector),
    previous_names: company.previousNames,
  }
}

export const presentTimes = ({ resolvedAt, expiresAt }: KnownResolution) => ({
  resolved_at: presentTime(resolvedAt),
  expires_at: presentTime(expiresAt),
})
