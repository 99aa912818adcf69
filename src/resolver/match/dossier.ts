import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import { type Company, parseCompanyNumber, toNameKey } from '../../register/words/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { isOwnName, type NameRelation } from '../extract/relate-names.ts'
import type { SiteKind } from '../extract/site-kind.ts'
import type { StructuredIdentity } from '../extract/structured-data.ts'
import { type Claim, relateCompany } from './claims.ts'
import { isLegalText } from './legal-text.ts'
import { isNearlySame } from './name-likeness.ts'
import type { RegisterView } from './register-view.ts'

/** How strongly the site connects itself with a company. */
type Standing = 'proof' | 'plausible' | 'conflict' | 'mentioned'

/** Everything that a site says about one company. */
export interface Dossier {
  company: Company
  relation: NameRelation
  claims: Claim[]
  /** The strongest claim; null if the company is only in certificates or structured data. */
  best: Claim | null
  certificate: CertificateIdentity | null
  structured: StructuredIdentity | null
  standing: Standing
  /** The kind of proof; only with the standing `proof`. */
  proof: ProofKind | null
  /** The site states explicitly that this company runs it. */
  isOperator: boolean
  /** The highest `rankOf` of its claims. */
  rank: number
}

type ProofKind =
  | 'number_and_name'
  | 'number_and_brand'
  | 'number_in_footer'
  | 'certificate'
  | 'structured_data'
  | 'name_and_office'

const STANDING_ORDER: Record<Standing, number> = { proof: 3, plausible: 2, conflict: 1, mentioned: 0 }

/** Returns what a site says about each company. */
export function openDossiers(findings: SiteFindings, view: RegisterView, claims: Claim[]): Dossier[] {
  const dossiers = new Map<string, Dossier>()
  const open = (company: Company): Dossier => {
    const known = dossiers.get(company.number)
    if (known) return known
    const dossier = { ...emptyDossier(company), relation: relateCompany(findings, view, company) }
    dossiers.set(company.number, dossier)
    return dossier
  }
  for (const claim of claims) open(claim.company).claims.push(claim)
  for (const certificate of findings.certificates) {
    const company = findCertifiedCompany(certificate, view)
    if (company) open(company).certificate = certificate
  }
  for (const identity of findings.structured) {
    for (const number of identity.numbers) {
      const company = view.companies.get(number)
      if (company) open(company).structured ??= identity
    }
  }
  for (const dossier of dossiers.values()) assess(dossier, findings)
  return [...dossiers.values()]
}

/** Sorts dossiers by how strongly the site connects itself with each company. */
export function sortDossiers(dossiers: readonly Dossier[]): Dossier[] {
  return dossiers.toSorted(
    (one, other) =>
      STANDING_ORDER[other.standing] - STANDING_ORDER[one.standing] ||
      Number(other.isOperator) - Number(one.isOperator),
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
    rank: 0,
  }
}

/** Returns the company that an extended-validation certificate names by number; its name must fit the register's. */
function findCertifiedCompany(certificate: CertificateIdentity, view: RegisterView): Company | null {
  if (certificate.jurisdictionCountry?.toUpperCase() !== 'GB' || !certificate.serialNumber) return null
  const company = view.companies.get(parseCompanyNumber(certificate.serialNumber) ?? '')
  if (!company || !certificate.organisation) return null
  const names = [company.name, ...company.previousNames.map(({ name }) => name)]
  return names.some((name) => isNearlySame(toNameKey(name), toNameKey(certificate.organisation ?? ''))) ? company : null
}

/** Sets standing, proof and rank from the claims, certificate and structured data. */
function assess(dossier: Dossier, findings: SiteFindings): void {
  const assessed = dossier.claims.map((claim) => ({ claim, ...assessClaim(claim, findings) }))
  assessed.sort(
    (one, other) =>
      STANDING_ORDER[other.standing] - STANDING_ORDER[one.standing] || weightOf(other.claim) - weightOf(one.claim),
  )
  const [strongest] = assessed
  dossier.best = strongest?.claim ?? null
  dossier.standing = strongest?.standing ?? 'mentioned'
  dossier.proof = strongest?.proof ?? null
  dossier.isOperator = dossier.claims.some(({ role, scope }) => role === 'operator' && scope !== 'label')
  dossier.rank = Math.max(0, ...dossier.claims.map(rankOf))
  if (isRuledOut(dossier)) {
    dossier.standing = 'mentioned'
    dossier.proof = null
    return
  }
  if (dossier.standing !== 'proof' && dossier.structured && structuredProves(dossier, dossier.structured)) {
    prove(dossier, 'structured_data')
  }
  if (dossier.standing !== 'proof' && dossier.certificate) {
    const isStated = dossier.claims.some(({ role, isBare }) => role === 'operator' || (role === 'stated' && isBare))
    if (isStated || dossier.relation.level !== 'none') prove(dossier, 'certificate')
    else dossier.standing = 'plausible'
  }
}

export function prove(dossier: Dossier, proof: ProofKind): void {
  dossier.standing = 'proof'
  dossier.proof = proof
  dossier.rank = Math.max(2, dossier.rank)
}

/** True if the site states explicitly that this company does not run it, and nowhere that it does. */
function isRuledOut({ claims, relation, isOperator }: Dossier): boolean {
  const isOwn = isOwnName(relation)
  const isDisclosed = isOwn && claims.some(isOwnDisclosure)
  if (claims.some(({ role }) => role === 'denied')) return !isDisclosed
  if (isOperator) return false
  const contrary = claims.filter(({ role, isExplicit }) => isExplicit && (role === 'related' || role === 'third_party'))
  // A site mentions its own name in many roles; only a parent, licensor or franchisor is another company.
  return isOwn ? !isDisclosed && contrary.some(({ cue }) => SUPERIOR.has(cue)) : contrary.length > 0
}

/** The number and the registered name in the footer, or alone in the legal text: no other sentence outweighs it. */
const isOwnDisclosure = ({ via, agreement, role, passage, isPure, relation }: Claim): boolean =>
  via === 'number' &&
  (agreement === 'name' || agreement === 'previous_name') &&
  (role === 'operator' || role === 'stated') &&
  (relation.level === 'same' || passage.region === 'footer' || (isPure && isLegalText(passage)))

/** Cues of a company above the one that runs the site. */
const SUPERIOR = new Set([
  'parent_of_site',
  'superior',
  'representative_of',
  'under_licence_from',
  'wholly_owned_by',
  'subsidiary_of',
  'is_parent',
  'licenses_name',
  'in_brackets_parent',
])

function weightOf({ via, role, agreement, office }: Claim): number {
  return (
    (via === 'number' ? 8 : 0) +
    (role === 'operator' ? 4 : 0) +
    (agreement === 'name' ? 2 : 0) +
    (office === 'here' ? 1 : 0)
  )
}

/** How clearly a claim makes the company the site's operator: 3 states it, 2 gives its details, 1 only uses the site's name. */
function rankOf({ role, cue, scope }: Claim): number {
  if (role === 'operator') return scope === 'label' ? 2.5 : 3
  // The owner of a trade mark may not run the site.
  if (role === 'stated') return cue === 'trade_mark' ? 1 : 2
  return role === 'named' ? 1 : 0
}

const MENTIONED = { standing: 'mentioned', proof: null } as const
const PLAUSIBLE = { standing: 'plausible', proof: null } as const
const CONFLICT = { standing: 'conflict', proof: null } as const
const toProof = (proof: ProofKind) => ({ standing: 'proof', proof }) as const

/** A company of the site's own name needs no wording; a stranger needs a statement that it runs this site. */
function assessClaim(claim: Claim, { kind }: SiteFindings): { standing: Standing; proof: ProofKind | null } {
  const rank = rankOf(claim)
  if (rank === 0) return MENTIONED
  const hasSiteName = isOwnName(claim.relation)
  const runsSite = claim.role === 'operator' && claim.scope === 'site'
  if (claim.via === 'name') {
    if (claim.office !== 'no' && ((hasSiteName && rank >= 2) || runsSite)) return toProof('name_and_office')
    const isAddressed = claim.isPure && claim.office === 'here'
    return hasSiteName || claim.role === 'operator' || isAddressed ? PLAUSIBLE : MENTIONED
  }
  if (claim.listed) return PLAUSIBLE
  const isTied = hasSiteName && (rank >= 2 || (rank === 1 && isOrdinary(claim, kind)))
  switch (claim.agreement) {
    case 'name':
    case 'previous_name':
    case 'similar':
      return isTied || runsSite ? toProof('number_and_name') : PLAUSIBLE
    case 'unnamed':
      if (isTied) return toProof('number_and_brand')
      return claim.relation.level === 'shares' || claim.role === 'operator' || claim.isPure ? PLAUSIBLE : CONFLICT
    case 'conflict':
      return CONFLICT
  }
}

/** True if a mention in passing is enough: a company with the site's name and a number, on an ordinary company's site. */
function isOrdinary({ company }: Claim, kind: SiteKind): boolean {
  if (kind.publicBody || kind.club || kind.commentary || kind.notCompany || kind.franchise) return false
  return !isOffshoot(company)
}

/** True for a company named after a body that is not the body itself: "… Trading", "… Trustees". */
export const isOffshoot = ({ name }: Company): boolean => OFFSHOOT.test(toNameKey(name))

const OFFSHOOT =
  /\b(?:TRADING|ENTERPRISES|PROPERTIES|HOLDINGS?|ESTATES|TRUSTEES?|NOMINEES|PENSIONS?|FRANCHIS\w+|CATERING)$/

/** Structured data is proof if its number comes with the registered name or the site's name. */
function structuredProves({ company, relation }: Dossier, { names }: StructuredIdentity): boolean {
  const registered = [company.name, ...company.previousNames.map(({ name }) => name)].map(toNameKey)
  const named = names.some((name) => registered.some((key) => isNearlySame(toNameKey(name), key)))
  return isOwnName(relation) || named
}
