import type { Company } from '../../register/index.ts'
import type { OpenedPage } from '../crawl/crawl.ts'
import type { Candidate, Considered, Decision, EvidenceItem, Explanation } from '../resolution.ts'
import type { Case, Verdict } from './case.ts'
import { listChecks } from './checklist.ts'
import type { Claim } from './claims.ts'
import type { Dossier } from './dossier.ts'
import { listFeatures } from './features.ts'
import { quoteOf } from './quote.ts'
import { compact } from './register-view.ts'
import { readSiteClaim } from './site-claim.ts'
import { PRIOR, roundTo, WEIGHTS_VERSION, type Weighed, weigh } from './weigh.ts'

const CANDIDATES_MAX = 5
const EVIDENCE_MAX = 12
const CLAIMS_MAX = 4
const OTHERS_MAX = 4
const CONSIDERED_MAX = 100

/** Presents a verdict with its candidates, weights and quotes. */
export function present(verdict: Verdict, site: Case): Decision {
  const weighed = verdict.candidates.map((dossier) => weigh(dossier, site, verdict))
  // Candidates keep the order of the verdict.
  const shown = weighed.slice(0, CANDIDATES_MAX)
  const [best, next] = shown
  return {
    outcome: verdict.outcome,
    situation: verdict.situation,
    reason: verdict.reason,
    confidence: best?.confidence ?? null,
    company: verdict.outcome === 'matched' ? (best?.dossier.company ?? null) : null,
    claim: verdict.outcome === 'matched' && best ? readSiteClaim(best.dossier, site) : null,
    evidence: listEvidence(shown, site),
    explanation: {
      checklist: best ? listChecks(best.dossier, site, verdict) : [],
      ...explain(best, next ?? findRunnerUp(best, site, verdict)),
    },
    candidates: toCandidates(shown),
    placeholder: site.findings.kind.placeholder,
    secondReading: null,
    ruled: null,
    considered: site.dossiers.slice(0, CONSIDERED_MAX).flatMap((dossier) => toConsidered(dossier, site, verdict)),
  }
}

/** Returns the next best company on the site, to show the margin. */
function findRunnerUp(best: Weighed | undefined, site: Case, verdict: Verdict): Weighed | undefined {
  if (!best) return undefined
  const others = site.dossiers.filter((dossier) => dossier !== best.dossier).slice(0, 20)
  return others.map((dossier) => weigh(dossier, site, verdict)).sort((one, other) => other.total - one.total)[0]
}

function explain(best: Weighed | undefined, next: Weighed | undefined): Omit<Explanation, 'checklist'> {
  return {
    prior: PRIOR,
    features: best?.features ?? [],
    total: best?.total ?? PRIOR,
    runnerUp: next
      ? { companyNumber: next.dossier.company.number, companyName: next.dossier.company.name, total: next.total }
      : null,
    margin: best && next ? roundTo(2, best.total - next.total) : null,
    version: WEIGHTS_VERSION,
  }
}

/** One company at most runs the site, so all confidences together are at most 1. */
function toCandidates(weighed: readonly Weighed[]): Candidate[] {
  let left = 1
  return weighed.map(({ dossier, confidence, features }) => {
    const share = Math.min(confidence, roundTo(4, left))
    left -= share
    const weighty = features
      .filter(({ kind, weight }) => kind !== 'calibration' && weight !== 0)
      .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    const reasons = weighty.map(({ says }) => says)
    const against = weighty.filter(({ weight }) => weight < 0).map(({ says }) => says)
    return { company: dossier.company, confidence: share, reasons, against }
  })
}

function toConsidered(dossier: Dossier, site: Case, verdict: Verdict): Considered[] {
  const [first] = dossierEvidence(dossier, site)
  if (!first) return []
  const { number: companyNumber, name: companyName } = dossier.company
  const isChosen =
    verdict.candidates.includes(dossier) && (verdict.outcome === 'matched' || verdict.outcome === 'needs_review')
  const says = isChosen || first.strength === 'against' ? first.says : describeWhyNot(dossier, verdict)
  const features = listFeatures(dossier, site).map(({ name, level }) => `${name}.${level}`)
  return [{ companyNumber, companyName, says, quote: first.quote, url: first.url, features }]
}

/** Explains why a company that the site names is not the answer. */
function describeWhyNot({ company, best }: Dossier, { outcome }: Verdict): string {
  const what = best?.via === 'number' ? `${company.name} with its number` : company.name
  return `It prints ${what}, but ${WHY_NOT[outcome]}.`
}

const WHY_NOT: Record<Verdict['outcome'], string> = {
  matched: 'not as the company that runs the site',
  needs_review: 'nothing connects that company with the site',
  no_match: 'not as the company that runs the site',
  non_uk_entity: 'says that a company outside the UK register runs the site',
  scrape_failed: 'the site could not be read',
}

function listEvidence(weighed: Weighed[], site: Case): EvidenceItem[] {
  const candidates = weighed.map(({ dossier }) => dossier)
  const others = site.dossiers.filter((dossier) => !candidates.includes(dossier)).slice(0, OTHERS_MAX)
  return [
    ...candidates.flatMap((dossier) => dossierEvidence(dossier, site)),
    ...foreignEvidence(site),
    // Other companies on the site: the answer also explains why they were not chosen.
    ...others.flatMap(({ best }) => (best ? [otherEvidence(best)] : [])),
  ].slice(0, EVIDENCE_MAX)
}

function dossierEvidence({ best, claims, certificate, structured, company }: Dossier, site: Case): EvidenceItem[] {
  const ordered = best ? [best, ...claims.filter((claim) => claim !== best)] : claims
  const items = ordered.slice(0, CLAIMS_MAX).map(claimEvidence)
  if (best?.office === 'site') items.push(...officeEvidence(company, site))
  const [home] = site.findings.pages
  if (certificate && home) {
    items.push({
      kind: 'certificate',
      supports: company.number,
      strength: 'decisive',
      says: 'The certificate of the site names the company and its number.',
      quote: `${certificate.organisation}, ${certificate.serialNumber} (certificate of ${certificate.host})`,
      ...source(home),
    })
  }
  if (structured) {
    items.push({
      kind: 'structured_data',
      supports: company.number,
      strength: 'strong',
      says: 'The site’s data for machines gives the company’s number.',
      quote: structured.quote,
      ...source(structured.page),
    })
  }
  return items
}

/** Quotes the registered office separately if it is elsewhere on the site than the name. */
function officeEvidence(company: Company, { findings: { passages } }: Case): EvidenceItem[] {
  const [code] = compact(company.address.postcode)
  for (const passage of passages) {
    const postcode = passage.postcodes.find((one) => one.code === code)
    if (!postcode) continue
    return [
      {
        kind: 'registered_office',
        supports: company.number,
        strength: 'supporting',
        says: `It prints the postcode of the registered office of ${company.name}.`,
        quote: quoteOf(passage, [postcode]),
        ...source(passage.page),
      },
    ]
  }
  return []
}

function foreignEvidence({ foreign }: Case): EvidenceItem[] {
  return foreign
    .filter(({ role }) => role === 'operator' || role === 'stated')
    .toSorted(
      (one, other) => Number(other.registered) - Number(one.registered) || other.quote.length - one.quote.length,
    )
    .slice(0, 2)
    .map(({ passage, quote, country, name }) => ({
      kind: 'foreign_company',
      supports: null,
      strength: 'against',
      says: `${name ?? 'The company it names'} is registered in ${country}, not in the UK.`,
      quote,
      ...source(passage.page),
    }))
}

function claimEvidence(claim: Claim): EvidenceItem {
  const named = claim.office === 'here' ? 'name_and_registered_office' : 'registered_name'
  return {
    kind: claim.via === 'number' ? 'company_number' : named,
    supports: claim.company.number,
    strength: strengthOf(claim),
    says: describeClaim(claim),
    quote: claim.quote,
    ...source(claim.passage.page),
  }
}

/** Marks evidence for a company that was not chosen as `against`. */
function otherEvidence(claim: Claim): EvidenceItem {
  const evidence = claimEvidence(claim)
  if (evidence.strength === 'against') return evidence
  return { ...evidence, strength: 'against', says: `${evidence.says} The site does not present it as its own company.` }
}

/** Describes the role that a sentence gives the company, and what the quote shows of it. */
function describeClaim({ role, words, agreement, company, printedName, via, quote }: Claim): string {
  const { name } = company
  const because = words === '' ? '' : ` (“${words}”)`
  if (role === 'denied') return `It says that ${name} does not run the site${because}.`
  if (role === 'related') return `It names ${name} as related to the company that runs the site${because}.`
  if (role === 'third_party') return `It names ${name} as another party${because}.`
  if (agreement === 'conflict') return `The number is that of ${name}, but it is printed with the name ${printedName}.`
  // The name may be elsewhere on the page.
  const isNamed = printedName !== null && plain(quote).includes(plain(printedName))
  if (agreement === 'unnamed' || (via === 'number' && !isNamed && role !== 'operator'))
    return `It prints the number of ${name}.`
  const known = agreement === 'previous_name' ? `${printedName} (a former name of ${name})` : name
  const what = via === 'number' ? `${known} with its number` : known
  return role === 'operator' ? `It says that ${name} runs the site${because}.` : `It prints ${what}.`
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase()

function strengthOf({ role, agreement, via }: Claim): EvidenceItem['strength'] {
  if (role === 'denied' || role === 'third_party' || role === 'related' || agreement === 'conflict') return 'against'
  if (via === 'number' && agreement !== 'unnamed') return 'decisive'
  return via === 'number' || role === 'operator' ? 'strong' : 'supporting'
}

function source({ url, fetchedAt, sha256 }: OpenedPage) {
  return { url, fetchedAt, contentSha256: sha256 }
}
