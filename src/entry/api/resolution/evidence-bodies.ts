/** The evidence pack as a document. */
import { z } from 'zod'
import { describeStatus } from '../../../register/index.ts'
import type { EvidencePack } from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { presentTime, Time } from '../../http/page.ts'
import { DecidedBy, presentDecidedBy } from '../review/decided-by.ts'
import {
  CompanySummary,
  Evidence,
  Explanation,
  Method,
  presentEvidence,
  presentExplanation,
  presentReading,
  presentSummary,
  presentTimes,
  SecondReading,
  text,
} from './bodies.ts'

export const EvidenceBody = z
  .object({
    resolution_id: z.string(),
    domain: z.string(),
    outcome: z.enum(OUTCOMES),
    confidence: z.number().nullable(),
    reason: z.string(),
    method: Method,
    second_reader: SecondReading,
    evidence: z.array(Evidence),
    explanation: Explanation,
    candidates: z
      .array(
        z.object({
          company_number: z.string(),
          company_name: z.string(),
          confidence: z.number(),
          reasons: z.array(z.string()),
        }),
      )
      .describe('As they were weighed then, best first; a match is the first.'),
    considered: z
      .array(
        z.object({
          company_number: z.string(),
          company_name: z.string(),
          says: z.string(),
          quote: z.string(),
          url: z.string(),
        }),
      )
      .describe('Every company that the site names, and what it makes of it.'),
    crawl: z.object({
      finding: z.string(),
      reason: z.string(),
      redirected_to: text,
      pages: z.array(z.object({ url: z.string(), status: z.int(), fetched_at: Time, sha256: z.string() })),
    }),
    register: z.object({
      before: z
        .object({
          company_number: z.string(),
          company_name: z.string(),
          company_status: z.string(),
          company_status_text: text.describe('`company_status` in words.'),
          registered_postcode: text,
          record_changed_at: Time.describe('The version of the record that the site was compared with.'),
        })
        .nullable(),
      now: z.array(CompanySummary.extend({ record_changed_at: Time })).describe('The candidates, as of this reading.'),
    }),
    why_not: z
      .object({
        company_number: z.string(),
        company_name: text,
        answer: z.string(),
        quote: text,
        url: text,
        reasons: z.array(z.string()),
      })
      .nullable(),
    decided_by: DecidedBy.nullable(),
    model_version: z.string(),
    resolved_at: Time,
    expires_at: Time,
    read_at: Time,
  })
  .meta({ id: 'EvidencePack' })

export type EvidenceDocument = z.output<typeof EvidenceBody>

export function presentPack({ known, companies, whyNot, decision }: EvidencePack, readAt: Date): EvidenceDocument {
  const { crawl, registered, candidates, considered } = known.findings
  return {
    resolution_id: known.id,
    domain: known.domain,
    outcome: known.outcome,
    confidence: known.confidence,
    reason: known.reason,
    ...presentReading(known),
    evidence: presentEvidence(known),
    explanation: presentExplanation(known),
    candidates: candidates.map(({ companyNumber, companyName, confidence, reasons }) => ({
      company_number: companyNumber,
      company_name: companyName,
      confidence,
      reasons,
    })),
    considered: considered.map(({ companyNumber, companyName, ...rest }) => ({
      company_number: companyNumber,
      company_name: companyName,
      ...rest,
    })),
    crawl: {
      finding: crawl.finding,
      reason: crawl.reason,
      redirected_to: crawl.redirectedTo,
      pages: crawl.pages.map(({ url, status, fetchedAt, sha256 }) => ({ url, status, fetched_at: fetchedAt, sha256 })),
    },
    register: {
      before: registered && {
        company_number: registered.number,
        company_name: registered.name,
        company_status: registered.status,
        company_status_text: describeStatus({ status: registered.status, statusDetail: null }),
        registered_postcode: registered.postcode,
        record_changed_at: registered.changedAt,
      },
      now: companies.map((company) => ({
        ...presentSummary(company),
        record_changed_at: presentTime(company.changedAt),
      })),
    },
    why_not: whyNot && {
      company_number: whyNot.companyNumber,
      company_name: whyNot.companyName,
      answer: whyNot.answer,
      quote: whyNot.quote,
      url: whyNot.url,
      reasons: whyNot.reasons,
    },
    decided_by: presentDecidedBy(decision),
    model_version: known.modelVersion,
    ...presentTimes(known),
    read_at: presentTime(readAt),
  }
}
