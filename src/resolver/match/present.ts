import type { Crawl } from '../crawl/crawl.ts'
import type { Candidate, EvidenceItem, Explanation, Resolution } from '../resolution.ts'
import type { Case, Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import { type Weighed, weigh } from './weigh.ts'
import { PRIOR, WEIGHTS_VERSION } from './weights.ts'

const CANDIDATES_MAX = 5
const EVIDENCE_MAX = 12

/** The verdict with its argument: candidates weighed against each other, and the words on the pages. */
export function present(
  verdict: Verdict,
  site: Case,
): Pick<
  Resolution,
  'outcome' | 'situation' | 'reason' | 'confidence' | 'company' | 'evidence' | 'explanation' | 'candidates'
> {
  const weighed = verdict.candidates.map((dossier) => weigh(dossier, site, verdict))
  // The verdict's order stands; totals only break ties between candidates of one standing.
  const shown = weighed.slice(0, CANDIDATES_MAX)
  const [best, next] = shown
  return {
    outcome: verdict.outcome,
    situation: verdict.situation,
    reason: verdict.reason,
    confidence: best?.confidence ?? null,
    company: verdict.outcome === 'matched' ? (best?.dossier.company ?? null) : null,
    evidence: evidenceOf(shown, site),
    explanation: explanationOf(best, next ?? runnerUp(best, site, verdict)),
    candidates: shown.map(toCandidate),
  }
}

/** The next best company the site mentions, to show by how much it is behind. */
function runnerUp(best: Weighed | undefined, site: Case, verdict: Verdict): Weighed | undefined {
  if (!best) return undefined
  const others = site.dossiers.filter((dossier) => dossier !== best.dossier).slice(0, 20)
  return others.map((dossier) => weigh(dossier, site, verdict)).sort((one, other) => other.total - one.total)[0]
}

function explanationOf(best: Weighed | undefined, next: Weighed | undefined): Explanation {
  return {
    prior: PRIOR,
    features: best?.features ?? [],
    total: best?.total ?? PRIOR,
    runnerUp: next
      ? { companyNumber: next.dossier.company.number, companyName: next.dossier.company.name, total: next.total }
      : null,
    margin: best && next ? Math.round((best.total - next.total) * 10) / 10 : null,
    version: WEIGHTS_VERSION,
  }
}

function toCandidate({ dossier, confidence, features }: Weighed): Candidate {
  return {
    company: dossier.company,
    confidence,
    reasons: features.toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight)).map(({ says }) => says),
  }
}

function evidenceOf(weighed: Weighed[], site: Case): EvidenceItem[] {
  const items: EvidenceItem[] = []
  for (const { dossier } of weighed) {
    const number = dossier.company.number
    const claims = dossier.best
      ? [dossier.best, ...dossier.claims.filter((claim) => claim !== dossier.best)]
      : dossier.claims
    for (const claim of claims.slice(0, 4)) items.push(claimEvidence(claim))
    if (dossier.certificate && site.findings.pages[0]) {
      const { organisation, serialNumber, host } = dossier.certificate
      const [page] = site.findings.pages
      items.push({
        kind: 'certificate',
        supports: number,
        strength: 'decisive',
        quote: `${organisation}, ${serialNumber} (certificate of ${host})`,
        url: page.url,
        fetchedAt: page.fetchedAt,
        contentSha256: page.sha256,
      })
    }
    if (dossier.structured) {
      const { page, quote } = dossier.structured
      items.push({
        kind: 'structured_data',
        supports: number,
        strength: 'strong',
        quote,
        url: page.url,
        fetchedAt: page.fetchedAt,
        contentSha256: page.sha256,
      })
    }
  }
  for (const { passage, quote, country } of site.foreign
    .filter(({ role }) => role === 'operator' || role === 'stated')
    .slice(0, 2)) {
    items.push({
      kind: `registered_in_${country.toLowerCase().replaceAll(/\W+/g, '_')}`,
      supports: null,
      strength: 'against',
      ...source(passage.page),
      quote,
    })
  }
  return items.slice(0, EVIDENCE_MAX)
}

function claimEvidence(claim: Claim): EvidenceItem {
  const kind =
    claim.via === 'number' ? 'company_number' : claim.office === 'no' ? 'registered_name' : 'name_and_registered_office'
  return {
    kind,
    supports: claim.company.number,
    strength: strengthOf(claim),
    quote: claim.quote,
    ...source(claim.passage.page),
  }
}

function strengthOf({ role, agreement, via }: Claim): EvidenceItem['strength'] {
  if (role === 'denied' || role === 'third_party' || role === 'related' || agreement === 'conflict') return 'against'
  if (via === 'number' && agreement !== 'unnamed') return 'decisive'
  return via === 'number' || role === 'operator' ? 'strong' : 'supporting'
}

function source({ url, fetchedAt, sha256 }: Crawl['pages'][number]) {
  return { url, fetchedAt, contentSha256: sha256 }
}
