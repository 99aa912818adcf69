import { toNameKey } from '../../register/words/index.ts'
import { sentenceAt } from '../extract/passages.ts'
import { isOwnName } from '../extract/relate-names.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import { type Dossier, emptyDossier, isOffshoot } from './dossier.ts'

/** Decides a site with at least one proven company: a match, or a review with the objection. */
export function decideProven(site: Case): Verdict | null {
  const proven = withoutNamesakes(site.dossiers.filter(({ standing }) => standing === 'proof'))
  const [first, ...others] = proven.toSorted((one, other) => other.rank - one.rank)
  if (!first) return null
  const contenders = site.dossiers.filter((other) => other !== first && isContender(other, first))
  const rivals = [...others, ...contenders].filter((one) => !isNegligible(one, first))
  const equal = findEqual(first, site)
  if (equal && rivals.length === 0) {
    const reason = `The site prints ${equal.company.name} with its number too, and does not say which company runs it.`
    return review('several', reason, [first, equal])
  }
  if (rivals.length > 0) {
    const all = [...new Set([...proven, ...contenders])]
    return review(
      'several',
      `The site gives the details of ${all.length} companies and does not say which runs it.`,
      all,
    )
  }
  return (
    findObjection(first, site) ?? {
      outcome: 'matched',
      situation: 'proven',
      reason: describeProof(first),
      candidates: [first],
    }
  )
}

/** True if a company is no objection to the first one: a predecessor, one of a list, or mentioned in passing. */
function isNegligible(one: Dossier, first: Dossier): boolean {
  // A predecessor in the company's history.
  if (one.company.status === 'dissolved' && one.rank < first.rank && first.company.status !== 'dissolved') return true
  if (!first.isOperator) return isOffshoot(one.company) && one.rank <= 1 && !isOffshoot(first.company)
  if (one.standing !== 'proof' || (saysItRuns(first) && !one.isOperator && !one.structured && !one.certificate))
    return true
  const isOnlyListed = one.claims.length > 0 && one.claims.every(({ passage }) => passage.row !== null)
  return one.rank <= 1 || (!one.isOperator && isOnlyListed)
}

/** A sentence about the site itself, not a contract or a label. */
const saysItRuns = ({ claims }: Dossier): boolean =>
  claims.some(({ role, scope }) => role === 'operator' && scope === 'site')

/** True for another company with the site's name and a printed number: probably a sister company. */
function isContender({ relation, best, rank, standing, company }: Dossier, first: Dossier): boolean {
  return (
    isOwnName(relation) &&
    rank >= 1 &&
    standing !== 'mentioned' &&
    best?.via === 'number' &&
    !isPrintedName(first, company.name)
  )
}

/**
 * Finds another company of the site's name with its number, where neither is in the footer or stated to run the site: terms
 * and privacy notice name one each.
 */
function findEqual(first: Dossier, { dossiers }: Case): Dossier | undefined {
  if (saysItRuns(first) || isInFooter(first) || !isOwnName(first.relation)) return undefined
  return dossiers.find(
    ({ company, relation, claims }) =>
      company !== first.company &&
      company.status !== 'dissolved' &&
      isOwnName(relation) &&
      !isPrintedName(first, company.name) &&
      claims.some(
        ({ via, role, agreement, passage }) =>
          via === 'number' && agreement === 'name' && role !== 'denied' && role !== 'related' && passage.row === null,
      ),
  )
}

/** Drops companies proven by name and office if a company with the same name is proven by its number. */
function withoutNamesakes(proven: Dossier[]): Dossier[] {
  const numbered = proven.filter(({ proof, company }) => proof !== 'name_and_office' && company.status !== 'dissolved')
  return proven.filter(
    (one) => one.proof !== 'name_and_office' || !numbered.some((other) => isPrintedName(other, one.company.name)),
  )
}

function findObjection(first: Dossier, site: Case): Verdict | null {
  const { kind } = site.findings
  const name = first.company.name
  if (first.company.status === 'dissolved') {
    return review('dissolved', `${name} is dissolved; a successor may run the site now.`, [
      first,
      ...listSuccessors(first, site),
    ])
  }
  if ((kind.franchise || FRANCHISOR.test(name)) && !first.isOperator && !hasWholeLabel(first, site)) {
    return review('franchise', `The site is a franchise, and ${name} may be the franchisor.`, [
      ...listNamedWithoutNumber(first, site),
      first,
    ])
  }
  if (kind.commentary && !first.isOperator) {
    if (kind.aboutOthers && !isInFooter(first))
      return noMatch(`The site is about ${name} and not theirs: “${kind.aboutOthers}”.`)
    return review('commentary', `The site seems to be about ${name} rather than theirs: “${kind.commentary}”.`, [first])
  }
  if (kind.reused) {
    return review('commentary', `The domain seems to have been taken over: “${kind.reused}”.`, [first])
  }
  if (kind.imitation) {
    return review('commentary', `The site may imitate that of ${name}: “${kind.imitation}”.`, [first])
  }
  if (isOnAnothersSite(first, site)) {
    return review('untied', `The domain leads to a page of the site of ${name}, who may not be its owner.`, [first])
  }
  const namesake = findCurrentNamesake(first, site)
  if (namesake) {
    const reason = `${first.best?.printedName} is a former name of ${name}, and the present name of another company.`
    return review('several', reason, [first, namesake])
  }
  const mismatch = findNumberMismatch(first, site)
  if (mismatch) return review('contradiction', mismatch.reason, [first, ...mismatch.others])
  const rival = findRival(first, site)
  return rival ? review('rival', `The site also says that ${rival.company.name} runs it.`, [first, rival]) : null
}

/** A company that licenses a name to others says so in its own. */
const FRANCHISOR = /\bFRANCHIS/i

/** Finds the company that has the printed name now, if the proven one had it before and no number is printed. */
function findCurrentNamesake({ proof, best, company }: Dossier, { dossiers }: Case): Dossier | undefined {
  if (proof !== 'name_and_office' || best?.agreement !== 'previous_name') return undefined
  return dossiers.find(
    (other) => other.company !== company && other.claims.some(({ agreement }) => agreement === 'name'),
  )
}

/** True if the domain is the start of the company's name: a franchisor's own site, since a branch adds its town. */
function hasWholeLabel({ company, best }: Dossier, { findings: { identity } }: Case): boolean {
  const letters = toNameKey(company.name)
    .replaceAll(/[^A-Z0-9]/g, '')
    .toLowerCase()
  const label = identity.label.replaceAll('-', '')
  return label.length >= 5 && letters.startsWith(label) && best?.passage.region === 'footer'
}

function describeProof({ company, best, proof }: Dossier): string {
  const { name, number } = company
  switch (proof) {
    case 'number_and_name':
      return best?.agreement === 'previous_name'
        ? `The site prints ${best.printedName}, a former name of ${name}, with its number ${number} as its own.`
        : `The site prints ${name} with its number ${number} as its own.`
    case 'number_and_brand':
      return `The site prints ${number}, the number of ${name}, which is the site's own name.`
    case 'number_in_footer':
      return `The small print of the site gives ${name}, ${number}, and no other company.`
    case 'certificate':
      return `The site's certificate was issued to ${name}, ${number}.`
    case 'structured_data':
      return `The site's data for machines gives ${number}, the number of ${name}.`
    case 'name_and_office':
      return `The site prints ${best?.printedName ?? name} with its registered office, ${company.address.postcode}.`
    case null:
      return `The site is tied to ${name}.`
  }
}

function listSuccessors(dissolved: Dossier, { dossiers, view }: Case): Dossier[] {
  const mayBeSuccessor = ({ company, relation }: Dossier) =>
    company !== dissolved.company && company.status !== 'dissolved' && relation.level !== 'none'
  const known = dossiers.filter(mayBeSuccessor)
  if (known.length > 0) return known
  const { postcode } = dissolved.company.address
  return [...view.companies.values()]
    .filter((company) => company.status !== 'dissolved' && postcode !== null && company.address.postcode === postcode)
    .map(emptyDossier)
}

/** Lists other companies that a franchise's site names without a number: one of them may be the branch. */
function listNamedWithoutNumber(first: Dossier, { dossiers }: Case): Dossier[] {
  return dossiers.filter(
    ({ company, claims }) =>
      company !== first.company && claims.some(({ role, via }) => via === 'name' && role !== 'denied'),
  )
}

/** Finds a number printed with the proven name that belongs to another company, or to none. */
function findNumberMismatch(first: Dossier, { dossiers, unknown }: Case): { reason: string; others: Dossier[] } | null {
  if (first.proof !== 'name_and_office') return null
  const hasName = (name: string | null | undefined) => typeof name === 'string' && isPrintedName(first, name)
  const others = dossiers.filter(
    (one) =>
      one.standing === 'conflict' && !(isVagueNumber(one) && isInOtherSentence(one)) && hasName(one.best?.printedName),
  )
  const [other] = others
  if (other) {
    const reason = `The number ${other.company.number}, printed with ${first.company.name}, belongs to ${other.company.name}.`
    return { reason, others }
  }
  const unregistered = unknown.find(
    ({ reading, printedName, printed }) =>
      isClaimed(reading.role) && hasName(printedName) && !isMisprint(printed, first.company.number),
  )
  if (!unregistered) return null
  return {
    reason: `The number ${unregistered.printed}, printed with ${first.company.name}, is not on the register.`,
    others: [],
  }
}

/** True if a digit of the number is missing, wrong, or in another position: name and office say which company is meant. */
function isMisprint(printed: string, number: string): boolean {
  const [one, other] = [printed, number].map((text) => text.replaceAll(/\D/g, '').replace(/^0+/, ''))
  if (one === undefined || other === undefined || other.length < 6) return false
  const sorted = (digits: string) => digits.split('').sort().join('')
  if (sorted(one) === sorted(other)) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1)
}

const isClaimed = (role: string) => role === 'operator' || role === 'stated'

/** Finds another company that the site says runs it, or whose role on the site is unexplained. */
function findRival(first: Dossier, { dossiers }: Case): Dossier | null {
  const others = dossiers.filter(
    (one) => one.company !== first.company && !isPrintedName(first, one.company.name) && !isVagueNumber(one),
  )
  return (
    others.find((other) => isStatedOperator(other, first)) ??
    (first.isOperator ? undefined : others.find(isManagingAgent)) ??
    others.find(isPrincipalInFooter) ??
    (isOwnName(first.relation) ? undefined : others.find(hasSiteName)) ??
    (isInFooter(first) ? undefined : others.find((other) => isInFooter(other) && isPlain(other))) ??
    (first.isOperator ? undefined : others.find((other) => isUnexplainedNeighbour(other, first))) ??
    null
  )
}

/** A label makes a stranger no rival of a company with the site's name. */
const isStatedOperator = ({ claims, standing, relation }: Dossier, first: Dossier): boolean =>
  standing !== 'mentioned' &&
  claims.some(
    ({ role, scope, printedName }) =>
      role === 'operator' &&
      printedName !== null &&
      (scope !== 'label' || isOwnName(relation) || !isOwnName(first.relation)),
  )

const isManagingAgent = ({ claims }: Dossier): boolean => claims.some(({ cue }) => cue === 'managing_agent')

/** The site is run on its behalf, so it may be the company to name. */
const isPrincipalInFooter = ({ claims }: Dossier): boolean =>
  claims.some(({ cue, via, passage }) => via === 'number' && cue === 'on_behalf_of' && passage.region === 'footer')

/** The site prints this company's details, and its name is the site's. */
const hasSiteName = ({ relation, rank, company }: Dossier): boolean =>
  isOwnName(relation) && rank >= 2 && company.status !== 'dissolved'

/** Its number is printed beside the first company's, and the site does not explain its role. */
const isUnexplainedNeighbour = ({ standing, best }: Dossier, first: Dossier): boolean =>
  standing === 'plausible' &&
  best?.via === 'number' &&
  (best.isPure || best.passage === first.best?.passage) &&
  isBeside(best, first.best) &&
  !isFinance(best.passage.text)

/** Details and nothing else, or the site's own name. A sentence about a stranger makes it a supplier. */
const isPlain = ({ claims, relation }: Dossier): boolean => isOwnName(relation) || claims.some(({ isPure }) => isPure)

/** Digits that no words call a company's, beside no company's name: "Design registration 1177834". */
const isVagueNumber = ({ claims }: Dossier): boolean =>
  claims.length > 0 &&
  claims.every(
    ({ via, agreement, number }) =>
      via === 'number' && number?.certainty === 'implied' && (agreement === 'unnamed' || agreement === 'conflict'),
  )

/** The number is in another sentence than the name that it was compared with. */
function isInOtherSentence({ best }: Dossier): boolean {
  if (!best?.number || best.printedName === null) return true
  const at = best.passage.text.lastIndexOf(best.printedName, best.number.start)
  return at < 0 || sentenceAt(best.passage, at).start !== sentenceAt(best.passage, best.number.start).start
}

/** True if the domain leads to a page of a site that has nothing of its name: a stall of a marketplace, a directory's entry. */
function isOnAnothersSite({ company }: Dossier, { findings: { identity, pages } }: Case): boolean {
  const { askedLabel, brands, label } = identity
  if (askedLabel === null) return false
  const path = URL.parse(pages[0]?.url ?? '')?.pathname ?? ''
  const names = [company.name, ...company.previousNames.map((previous) => previous.name)].map(toNameKey)
  const words = [...names, ...brands.map(({ key }) => key), label, path]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 4)
  if (words.some((word) => askedLabel.includes(word))) return false
  const texts = pages[0]?.document.blocks.map(({ text }) => text) ?? []
  return !texts.some(
    (text) => MERGED.test(text) && toNameKey(text).replaceAll(' ', '').toLowerCase().includes(askedLabel),
  )
}

/** "Penwith Tax is now part of Trelawney Baxter". */
const MERGED = /\b(?:joined|part of|merged|acquired|bought|became|now (?:called|known as|trading as|with))\b/i

/** True if its number is in the footer or on several pages, without a role that explains it. */
const isInFooter = ({ standing, claims }: Dossier): boolean =>
  standing !== 'mentioned' &&
  claims.some(
    ({ via, role, passage }) =>
      via === 'number' &&
      isClaimed(role) &&
      (passage.region === 'footer' || passage.pages.length > 1) &&
      !isFinance(passage.text),
  )

const LEGAL_PAGES = new Set(['legal', 'terms', 'privacy'])

/** True for claims in the same passage, or on the same legal page. */
function isBeside(one: Claim, other: Claim | null): boolean {
  return (
    one.passage === other?.passage ||
    (one.passage.page === other?.passage.page && LEGAL_PAGES.has(one.passage.page.kind) && one.passage.row === null)
  )
}

/** Brokers must print their lenders, and appointed representatives their principals. */
const isFinance = (text: string) =>
  /\b(?:credit broker|lenders?|finance|appointed representative|FCA|Financial Conduct|FS Register|Financial Services Register|insur\w+|underwrit\w+)\b/i.test(
    text,
  )

/** True if the name is the proven company's, or printed for it: other companies with that name are not rivals. */
function isPrintedName({ claims, company }: Dossier, name: string): boolean {
  const key = toNameKey(name)
  return (
    key === toNameKey(company.name) ||
    claims.some(({ printedName }) => printedName !== null && toNameKey(printedName) === key)
  )
}
