/** An evidence record's content: everything that an auditor asks about an answer, from what is stored. */
import { RECORD_KIND, RECORD_VERSION } from '../../../packages/evidence-check/index.ts'
import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { OwnDecision } from '../../decisions/index.ts'
import { type EvidencePack, type KnownResolution, methodOf, presentChecklist } from '../../resolution/index.ts'
import { VERSION } from '../../version.ts'
import { toUtc } from './canonical.ts'
import type { RegisterContent } from './register-content.ts'

const QUESTION = 'Which UK registered company runs this web site?'

export type RecordContent = ReturnType<typeof composeContent>

/** Everything but the record's own id and time. Ids and hashes are texts, and times are in UTC. */
export function composeContent(
  app: Pick<App, 'config'>,
  of: { pack: EvidencePack; register: RegisterContent; accountId: string; mode: KeyMode },
) {
  const { known, decision } = of.pack
  const { findings } = known
  return {
    kind: RECORD_KIND,
    version: RECORD_VERSION,
    mode: of.mode,
    made_by: { service: app.config.siteUrl.origin, release: VERSION },
    made_for: { account_id: of.accountId },
    question: {
      asked: QUESTION,
      domain: known.domain,
      resolution_id: known.id,
      resolved_at: known.resolvedAt.toISOString(),
    },
    answer: presentAnswer(known),
    checklist: presentChecklist(known),
    quotes: findings.evidence.map(({ contentSha256, fetchedAt, ...quote }) => ({
      ...quote,
      fetched_at: toUtc(fetchedAt),
      page_sha256: contentSha256,
    })),
    pages: findings.crawl.pages.map(({ url, status, fetchedAt, sha256 }) => ({
      url,
      status,
      fetched_at: toUtc(fetchedAt),
      sha256,
    })),
    crawl: {
      finding: findings.crawl.finding,
      reason: findings.crawl.reason,
      redirected_to: findings.crawl.redirectedTo,
    },
    candidates: findings.candidates.map(({ companyNumber, companyName, confidence, reasons }) => ({
      company_number: companyNumber,
      company_name: companyName,
      confidence,
      reasons,
    })),
    considered: findings.considered.map(({ companyNumber, companyName, says, quote, url }) => ({
      company_number: companyNumber,
      company_name: companyName,
      says,
      quote,
      url,
    })),
    method: presentMethod(known),
    register: of.register,
    decision: presentDecision(decision),
  }
}

function presentAnswer(known: KnownResolution) {
  const { outcome, companyNumber, confidence, reason, findings } = known
  const company_name =
    companyNumber === null
      ? null
      : (findings.registered?.name ??
        findings.candidates.find((one) => one.companyNumber === companyNumber)?.companyName)
  return { outcome, company_number: companyNumber, company_name: company_name ?? null, confidence, reason }
}

/** How the answer was decided: the model of weights with its version, every weight, and the second reader where it took part. */
function presentMethod(known: KnownResolution) {
  const { explanation, secondReading } = known.findings
  const { prior, features, total, margin, version, runnerUp } = explanation
  return {
    decided_by: methodOf(known),
    model_version: known.modelVersion,
    weights_version: version,
    weights: {
      prior,
      total,
      margin,
      features: features.map(({ name, says, weight }) => ({ name, says, weight })),
      runner_up: runnerUp && { company_number: runnerUp.companyNumber, company_name: runnerUp.companyName },
    },
    second_reader: secondReading
      ? {
          task: secondReading.task,
          decision: secondReading.decision,
          reason: secondReading.why,
          quote: secondReading.quote,
          url: secondReading.url,
          model: secondReading.model,
          prompt_version: secondReading.promptVersion,
        }
      : null,
  }
}

function presentDecision(decision: OwnDecision | null) {
  return (
    decision && {
      action: decision.action,
      company_number: decision.companyNumber,
      disputed_company_number: decision.disputedNumber,
      reviewer: decision.reviewer,
      reason: decision.reason,
      decided_at: decision.decidedAt.toISOString(),
    }
  )
}
