import type { CertificateIdentity } from '../../lib/guarded-client.ts'
import { type Company, parseCompanyNumber, toNameKey } from '../../register/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { NameRelation } from '../extract/relate-names.ts'
import type { StructuredIdentity } from '../extract/structured-data.ts'
import { type Claim, relationOf } from './claims.ts'
import { isNearlySame } from './name-likeness.ts'
import type { RegisterView } from './register-view.ts'

/** How far the site ties itself to a company. */
export type Standing = 'proof' | 'plausible' | 'conflict' | 'mentioned'

/** All that a site says about one company. */
export interface Dossier {
  company: Company
  relation: NameRelation
  claims: Claim[]
  /** The claim that says most, if any is made in words. */
  best: Claim | null
  certificate: CertificateIdentity | null
  structured: StructuredIdentity | null
  standing: Standing
  /** Which kind of proof it is. */
  proof: ProofKind | null
  /** The site says outright that this company runs it. */
  isOperator: boolean
}

export type ProofKind =
  | 'number_and_name'
  | 'number_and_brand'
  | 'number_in_footer'
  | 'certificate'
  | 'structured_data'
  | 'name_and_office'

const ORDER: Record<Standing, number> = { proof: 3, plausible: 2, conflict: 1, mentioned: 0 }

export function openDossiers(findings: SiteFindings, view: RegisterView, claims: Claim[]): Dossier[] {
  const dossiers = new Map<string, Dossier>()
  const open = (company: Company): Dossier => {
    const known = dossiers.get(company.number)
    if (known) return known
    const dossier = { ...emptyDossier(company), relation: relationOf(findings, view, company) }
    dossiers.set(company.number, dossier)
    return dossier
  }
  for (const claim of claims) open(claim.company).claims.push(claim)
  for (const certificate of findings.certificates) {
    const company = certifiedCompany(certificate, view)
    if (company) open(company).certificate = certificate
  }
  for (const identity of findings.structured) {
    for (const number of identity.numbers) {
      const company = view.companies.get(number)
      if (company) open(company).structured ??= identity
    }
  }
  for (const dossier of dossiers.values()) judge(dossier, findings)
  return [...dossiers.values()].sort(
    (one, other) => ORDER[other.standing] - ORDER[one.standing] || Number(other.isOperator) - Number(one.isOperator),
  )
}

/** A company that the site says nothing about. */
export function emptyDossier(company: Company): Dossier {
  return {
    company,
    relation: { level: 'shares', with: '' },
    claims: [],
    best: null,
    certificate: null,
    structured: null,
    standing: 'mentioned',
    proof: null,
    isOperator: false,
  }
}

/** An extended-validation certificate names the company by its number; the name must be the register's. */
function certifiedCompany(certificate: CertificateIdentity, view: RegisterView): Company | null {
  if (certificate.jurisdictionCountry?.toUpperCase() !== 'GB' || !certificate.serialNumber) return null
  const company = view.companies.get(parseCompanyNumber(certificate.serialNumber) ?? '')
  if (!company || !certificate.organisation) return null
  const names = [company.name, ...company.previousNames.map(({ name }) => name)]
  return names.some((name) => isNearlySame(toNameKey(name), toNameKey(certificate.organisation ?? ''))) ? company : null
}

function judge(dossier: Dossier, findings: SiteFindings): void {
  const judged = dossier.claims.map((claim) => ({ claim, ...judgeClaim(claim) }))
  judged.sort(
    (one, other) => ORDER[other.standing] - ORDER[one.standing] || weightOf(other.claim) - weightOf(one.claim),
  )
  const [first] = judged
  dossier.best = first?.claim ?? null
  dossier.standing = first?.standing ?? 'mentioned'
  dossier.proof = first?.proof ?? null
  dossier.isOperator = dossier.claims.some(({ role, cue }) => role === 'operator' && !isLabel(cue))
  if (dossier.claims.some(({ role }) => role === 'denied')) {
    dossier.standing = 'mentioned'
    dossier.proof = null
    return
  }
  if (dossier.standing !== 'proof' && dossier.structured && structuredProves(dossier, dossier.structured)) {
    dossier.standing = 'proof'
    dossier.proof = 'structured_data'
  }
  if (dossier.standing !== 'proof' && dossier.certificate) {
    const shown = dossier.claims.some(({ role }) => role === 'operator' || role === 'stated')
    if (shown || dossier.relation.level !== 'none') {
      dossier.standing = 'proof'
      dossier.proof = 'certificate'
    } else dossier.standing = 'plausible'
  }
  if (dossier.standing === 'plausible' && isChromeDisclosure(dossier, findings)) {
    dossier.standing = 'proof'
    dossier.proof = 'number_in_footer'
  }
}

/** "Legal name:" introduces particulars, whoever's they are; a sentence says more. */
const isLabel = (cue: string): boolean => cue.endsWith(':')

function weightOf({ via, role, agreement, office }: Claim): number {
  return (
    (via === 'number' ? 8 : 0) +
    (role === 'operator' ? 4 : 0) +
    (agreement === 'name' ? 2 : 0) +
    (office === 'here' ? 1 : 0)
  )
}

function judgeClaim(claim: Claim): { standing: Standing; proof: ProofKind | null } {
  const related = claim.relation.level === 'same' || claim.relation.level === 'contains'
  const none = { standing: 'mentioned' as const, proof: null }
  const proof = (kind: ProofKind) => ({ standing: 'proof' as const, proof: kind })
  // A sentence that talks of the company under the site's own name is about the site.
  const spoken = claim.role === 'third_party' && claim.relation.level === 'same' && !isCredit(claim.cue)
  if (claim.role !== 'operator' && claim.role !== 'stated' && !spoken) return none
  if (claim.via === 'name') {
    if (claim.office !== 'no' && (related || claim.role === 'operator')) return proof('name_and_office')
    return related || claim.role === 'operator' ? { standing: 'plausible', proof: null } : none
  }
  if (claim.listed) return { standing: 'plausible', proof: null }
  switch (claim.agreement) {
    case 'name':
    case 'previous_name':
    case 'similar':
      return related || (claim.role === 'operator' && !isWeak(claim.cue))
        ? proof('number_and_name')
        : { standing: 'plausible', proof: null }
    case 'unnamed':
      if (related) return proof('number_and_brand')
      return {
        standing: claim.relation.level === 'shares' || claim.role === 'operator' ? 'plausible' : 'conflict',
        proof: null,
      }
    case 'conflict':
      return { standing: 'conflict', proof: null }
  }
}

/** Who holds data may hold it for somebody else. */
const isWeak = (cue: string): boolean => /\b(?:data|information)\b.* by$/i.test(cue)

const isCredit = (cue: string): boolean => /\b(?:by|:)\s*$|link to another|quotation/i.test(cue)

/** Data for machines proves when its number, its name and the site agree. */
function structuredProves({ company, relation }: Dossier, { names }: StructuredIdentity): boolean {
  const related = relation.level === 'same' || relation.level === 'contains'
  const registered = [company.name, ...company.previousNames.map(({ name }) => name)].map(toNameKey)
  const named = names.some((name) => registered.some((key) => isNearlySame(toNameKey(name), key)))
  return related || named
}

/**
 * The name is not the site's, but it stands with its number in the small print of the whole site, or with its registered
 * office, and nobody else does.
 */
function isChromeDisclosure({ best, claims }: Dossier, { kind, passages }: SiteFindings): boolean {
  if (best === null || best.via !== 'number' || best.role !== 'stated' || best.listed) return false
  if (best.agreement !== 'name' && best.agreement !== 'previous_name') return false
  if (kind.publicBody || kind.club || kind.notCompany || kind.commentary || kind.fictional) return false
  const others = new Set(passages.flatMap(({ numbers }) => numbers.map(({ readings }) => readings[0])))
  if (others.size > 1) return false
  const inSmallPrint = claims.some(({ passage }) => passage.region === 'footer' || passage.page.kind !== 'other')
  return inSmallPrint && (best.office === 'here' || best.passage.pages.length > 1)
}
