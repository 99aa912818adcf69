import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { findOwnDecision, type OwnDecision } from '../../decisions/index.ts'
import { DomainError } from '../../errors.ts'
import { formatPercent } from '../../lib/text/wording.ts'
import { type Company, findCompanies } from '../../register/index.ts'
import { isRefunded } from '../money/payments.ts'
import { findTestResolution } from '../test-mode/test-answers.ts'
import { findResolution, type KnownResolution } from './known.ts'

/** An answer as it is filed: the words, the pages, the register's record then and now, and why not another company. */
export interface EvidencePack {
  known: KnownResolution
  /** The companies of the answer as the register has them now, best first. */
  companies: Company[]
  whyNot: WhyNot | null
  /** The reading account's own decision. The pack shows the shared answer all the same. */
  decision: OwnDecision | null
}

export interface WhyNot {
  companyNumber: string
  companyName: string | null
  /** One sentence. */
  answer: string
  /** The site's words on that company, if any. */
  quote: string | null
  url: string | null
  reasons: string[]
}

/** Null when there is no such answer in the mode of the reader. With a number, says why the answer is not that company. */
export async function readEvidencePack(
  app: App,
  ask: { resolutionId: string; accountId: string; mode: KeyMode; whyNot: string | null },
): Promise<EvidencePack | null> {
  const { resolutionId, mode } = ask
  const known =
    mode === 'test' ? findTestResolution(resolutionId, app.clock.now()) : await findResolution(app.db, resolutionId)
  if (!known) return null
  await assertNotRefunded(app, ask.accountId, known)
  const numbers = known.findings.candidates.map(({ companyNumber }) => companyNumber)
  const found = await findCompanies(app.db, ask.whyNot === null ? numbers : [...numbers, ask.whyNot])
  const byNumber = new Map(found.map((company) => [company.number, company]))
  return {
    known,
    companies: numbers.flatMap((number) => byNumber.get(number) ?? []),
    decision: await findOwnDecision(app.db, { ...known, accountId: ask.accountId }),
    whyNot: ask.whyNot === null ? null : explainWhyNot(known, ask.whyNot, byNumber.get(ask.whyNot) ?? null),
  }
}

/** A refunded answer is not shown any more. */
async function assertNotRefunded(
  app: App,
  accountId: string,
  { domain, companyNumber }: KnownResolution,
): Promise<void> {
  if (companyNumber === null) return
  if (!(await isRefunded(app.db, { accountId, fact: { domain, companyNumber }, at: app.clock.now() }))) return
  throw new DomainError(
    'not_found',
    'Your account disputed this match and got a refund, so the evidence is closed. Withdraw the dispute and resolve the domain again to open it.',
  )
}

/** Explains from the stored findings alone, without reading the site again. */
export function explainWhyNot(known: KnownResolution, companyNumber: string, company: Company | null): WhyNot {
  const { candidates, considered, crawl } = known.findings
  const candidate = candidates.find((one) => one.companyNumber === companyNumber)
  const mention = considered.find((one) => one.companyNumber === companyNumber)
  const name = company?.name ?? mention?.companyName ?? candidate?.companyName ?? null
  const why = {
    companyNumber,
    companyName: name,
    quote: mention?.quote ?? null,
    url: mention?.url ?? null,
    reasons: candidate?.reasons ?? [],
  }
  if (known.companyNumber === companyNumber) return { ...why, answer: 'It is the answer.' }
  if (name === null) return { ...why, answer: `The register has no company ${companyNumber}.` }
  if (candidate) {
    const chance = formatPercent(candidate.confidence)
    return { ...why, answer: `${name} is a candidate, at ${chance}. It was not decided, because: ${known.reason}` }
  }
  if (mention && known.outcome === 'matched') {
    return { ...why, answer: `The site names ${name}, but not as its own. ${mention.says}` }
  }
  if (mention)
    return { ...why, answer: `The site names ${name}: ${mention.says} It is not the answer, because: ${known.reason}` }
  if (crawl.pages.length === 0) return { ...why, answer: `No page of the site could be read: ${crawl.reason}` }
  const pages =
    crawl.pages.length === 1 ? 'The page that was read prints' : `The ${crawl.pages.length} pages read print`
  return { ...why, answer: `${pages} neither the number ${companyNumber} nor ${name} as a company’s name.` }
}
