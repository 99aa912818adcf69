import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import { type Company, parseCompanyNumber, toNameKey } from '../../register/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { Passage } from '../extract/passages.ts'
import { isOwnName, type NameRelation } from '../extract/relate-names.ts'
import { PART_OF, TRADE_MARK } from '../extract/role.ts'
import type { SiteKind } from '../extract/site-kind.ts'
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
  /** Of its best claim; see `rankOf`. */
  rank: number
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
    rank: 0,
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
  const judged = dossier.claims.map((claim) => ({ claim, ...judgeClaim(claim, findings.kind) }))
  judged.sort(
    (one, other) => ORDER[other.standing] - ORDER[one.standing] || weightOf(other.claim) - weightOf(one.claim),
  )
  const [first] = judged
  dossier.best = first?.claim ?? null
  dossier.standing = first?.standing ?? 'mentioned'
  dossier.proof = first?.proof ?? null
  dossier.isOperator = dossier.claims.some(({ role, cue }) => role === 'operator' && !isLabel(cue))
  dossier.rank = Math.max(0, ...dossier.claims.map(rankOf))
  if (isRuledOut(dossier)) {
    dossier.standing = 'mentioned'
    dossier.proof = null
    return
  }
  if (dossier.standing !== 'proof' && dossier.structured && structuredProves(dossier, dossier.structured)) {
    dossier.standing = 'proof'
    dossier.proof = 'structured_data'
    dossier.rank = Math.max(2, dossier.rank)
  }
  if (dossier.standing !== 'proof' && dossier.certificate) {
    const shown = dossier.claims.some(({ role }) => role === 'operator' || role === 'stated')
    if (shown || dossier.relation.level !== 'none') {
      dossier.standing = 'proof'
      dossier.proof = 'certificate'
      dossier.rank = Math.max(2, dossier.rank)
    } else dossier.standing = 'plausible'
  }
  if (dossier.standing === 'plausible' && isChromeDisclosure(dossier, findings)) {
    dossier.standing = 'proof'
    dossier.proof = 'number_in_footer'
  }
}

/** Somewhere on the site it is said outright that this company is not it, and nowhere that it is. */
function isRuledOut({ claims, relation, isOperator }: Dossier): boolean {
  if (claims.some(({ role }) => role === 'denied')) return true
  if (isOperator) return false
  const against = claims.filter(({ role, isExplicit }) => isExplicit && (role === 'related' || role === 'third_party'))
  // Of its own name a site says many things; only a superior of that name is somebody else.
  return isOwnName(relation) ? against.some(({ cue }) => SUPERIOR.test(cue)) : against.length > 0
}

const SUPERIOR =
  /\b(?:parent|holding|franchisors?|principal|appointed representative|licensors?|under licen[cs]e|owned by|subsidiar(?:y|ies) of|licen[cs]es)\b/i

/** "Legal name:" introduces particulars, whoever's they are; a sentence says more. */
const isLabel = (cue: string): boolean => /[:|]$/.test(cue)

function weightOf({ via, role, agreement, office }: Claim): number {
  return (
    (via === 'number' ? 8 : 0) +
    (role === 'operator' ? 4 : 0) +
    (agreement === 'name' ? 2 : 0) +
    (office === 'here' ? 1 : 0)
  )
}

/** How plainly a claim makes the company the site's: 3 says so, 2 states its particulars, 1 speaks of it by the site's name. */
function rankOf({ role, cue }: Claim): number {
  if (role === 'operator') return isLabel(cue) ? 2.5 : 3
  // The owner of a mark need not run the site.
  if (role === 'stated') return cue === TRADE_MARK ? 1 : 2
  return role === 'named' ? 1 : 0
}

function judgeClaim(claim: Claim, kind: SiteKind): { standing: Standing; proof: ProofKind | null } {
  const related = isOwnName(claim.relation)
  const isTied = related && (rankOf(claim) >= 2 || (rankOf(claim) === 1 && isOrdinary(claim, kind)))
  const isOperator = claim.role === 'operator' && !isWeak(claim.cue)
  const proof = (kind: ProofKind) => ({ standing: 'proof' as const, proof: kind })
  const plausible = { standing: 'plausible' as const, proof: null }
  if (rankOf(claim) === 0) return { standing: 'mentioned', proof: null }
  if (claim.via === 'name') {
    if (claim.office !== 'no' && ((related && rankOf(claim) >= 2) || isOperator)) return proof('name_and_office')
    return related || claim.role === 'operator' ? plausible : { standing: 'mentioned', proof: null }
  }
  if (claim.listed) return plausible
  switch (claim.agreement) {
    case 'name':
    case 'previous_name':
    case 'similar':
      return isTied || isOperator ? proof('number_and_name') : plausible
    case 'unnamed':
      if (isTied) return proof('number_and_brand')
      return claim.relation.level === 'shares' || claim.role === 'operator'
        ? plausible
        : { standing: 'conflict', proof: null }
    case 'conflict':
      return { standing: 'conflict', proof: null }
  }
}

/** Of a company that has the site's name and its number printed, a passing mention is enough, unless the site is somebody else's. */
function isOrdinary({ company }: Claim, kind: SiteKind): boolean {
  if (kind.publicBody || kind.club || kind.commentary || kind.notCompany || kind.franchise) return false
  return !isOffshoot(company)
}

/** A company that has a body's name and is not the body. */
export const isOffshoot = ({ name }: Company): boolean => OFFSHOOT.test(toNameKey(name))

const OFFSHOOT =
  /\b(?:TRADING|ENTERPRISES|PROPERTIES|PROPERTY|HOLDINGS?|ESTATES|TRUSTEES?|NOMINEES|PENSIONS?|MANAGEMENT|FRANCHIS\w+|CATERING|DEVELOPMENTS?)$/

/** Who holds data may hold it for somebody else. */
const isWeak = (cue: string): boolean => /\b(?:data|information)\b.* by$/i.test(cue)

/** Data for machines proves when its number, its name and the site agree. */
function structuredProves({ company, relation }: Dossier, { names }: StructuredIdentity): boolean {
  const registered = [company.name, ...company.previousNames.map(({ name }) => name)].map(toNameKey)
  const named = names.some((name) => registered.some((key) => isNearlySame(toNameKey(name), key)))
  return isOwnName(relation) || named
}

/**
 * The name is not the site's, but it stands with its number where a site says who it is, and nobody else does. Footers are
 * copied with the design of a site, so something must tie it: a word of the name, a copyright, or a second place.
 */
function isChromeDisclosure({ company, best, claims, relation }: Dossier, findings: SiteFindings): boolean {
  const { kind } = findings
  if (best === null || best.via !== 'number' || best.role !== 'stated' || best.listed) return false
  if (best.agreement !== 'name' && best.agreement !== 'previous_name') return false
  if (kind.publicBody || kind.club || kind.notCompany || kind.commentary || kind.fictional || kind.franchise)
    return false
  // A group's name in a footer says whose brand it is, not which of its companies runs it.
  if (/\b(?:GROUP|HOLDINGS?|PLC|NETWORK|INTERNATIONAL|FRANCHIS\w+)\b/.test(company.name.toUpperCase())) return false
  const places = claims.filter(({ passage }) => isSmallPrint(passage))
  if (places.length === 0 || hasOtherNumber(company, findings)) return false
  const isShared = relation.level === 'shares'
  const isCopyright = places.some(({ role, cue }) => role === 'stated' && (cue === '©' || cue === PART_OF))
  const isRepeated = new Set(claims.map(({ passage }) => passage)).size > 1 && best.office === 'here'
  return isShared || isCopyright || isRepeated
}

const isSmallPrint = ({ region, pages, page, row }: Passage): boolean =>
  region === 'footer' || pages.length > 1 || (LEGAL_PAGES.has(page.kind) && row === null)

/** Another company's number stands in the small print of the whole site. */
function hasOtherNumber({ number }: Company, { passages }: SiteFindings): boolean {
  return passages.some(
    ({ region, pages, numbers }) =>
      (region === 'footer' || pages.length > 1) && numbers.some(({ readings }) => !readings.includes(number)),
  )
}

const LEGAL_PAGES = new Set(['legal', 'terms', 'privacy', 'cookies', 'about', 'contact'])
