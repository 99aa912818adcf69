import { toNameKey } from '../../register/index.ts'
import { isOwnName } from '../extract/relate-names.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import { type Dossier, emptyDossier, isOffshoot } from './dossier.ts'

/** The site proves itself to be a company's: the match, or what stands against it. */
export function decideProven(site: Case): Verdict | null {
  const proven = withoutNamesakes(site.dossiers.filter(({ standing }) => standing === 'proof'))
  const [first, ...others] = proven.toSorted((one, other) => other.rank - one.rank)
  if (!first) return null
  const contenders = site.dossiers.filter((other) => other !== first && isContender(other, first))
  const rivals = [...others, ...contenders].filter((one) => !isOutshone(one, first))
  if (rivals.length > 0) {
    const all = [...new Set([...proven, ...contenders])]
    return review(
      'several',
      `The site gives the particulars of ${all.length} companies and does not say which runs it.`,
      all,
    )
  }
  return (
    findObjection(first, site) ?? {
      outcome: 'matched',
      situation: 'proven',
      reason: reasonFor(first),
      candidates: [first],
    }
  )
}

/** Where the site says outright who runs it, a list of the group's companies and a passing word are no objection. */
function isOutshone(one: Dossier, first: Dossier): boolean {
  // A predecessor in the firm's history.
  if (one.company.status === 'dissolved' && one.rank < first.rank && first.company.status !== 'dissolved') return true
  if (!first.isOperator) return isOffshoot(one.company) && one.rank <= 1 && !isOffshoot(first.company)
  if (one.standing !== 'proof') return true
  const isOnlyListed = one.claims.length > 0 && one.claims.every(({ passage }) => passage.row !== null)
  return one.rank <= 1 || (!one.isOperator && isOnlyListed)
}

/** Another company of the site's name, with its number: a sister, unless the site says what it is. */
function isContender({ relation, best, rank, standing, company }: Dossier, first: Dossier): boolean {
  return (
    isOwnName(relation) &&
    rank >= 1 &&
    standing !== 'mentioned' &&
    best?.via === 'number' &&
    !isPrintedName(first, company.name)
  )
}

/** Where a number is printed, others of the same name at the same office are not meant. */
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
      ...successorsOf(first, site),
    ])
  }
  if (kind.franchise && !first.isOperator && !hasWholeLabel(first, site)) {
    return review('franchise', `The site is a franchise, and ${name} may be the franchisor.`, [
      ...namedBeside(first, site),
      first,
    ])
  }
  if (kind.commentary && !first.isOperator) {
    if (kind.aboutOthers && !holdsFooter(first))
      return noMatch(`The site is about ${name} and not theirs: “${kind.aboutOthers}”.`)
    return review('commentary', `The site seems to be about ${name} rather than theirs: “${kind.commentary}”.`, [first])
  }
  if (kind.reused) {
    return review('commentary', `The domain seems to have been taken over: “${kind.reused}”.`, [first])
  }
  if (kind.imitation) {
    return review('commentary', `The site may imitate that of ${name}: “${kind.imitation}”.`, [first])
  }
  const slip = findSlip(first, site)
  if (slip) return review('contradiction', slip.reason, [first, ...slip.others])
  const rival = findRival(first, site)
  return rival ? review('rival', `The site also says that ${rival.company.name} runs it.`, [first, rival]) : null
}

/** The domain is the company's name and nothing more: a franchisor's own site, since a branch adds its place. */
function hasWholeLabel({ company, best }: Dossier, { findings: { identity } }: Case): boolean {
  const letters = toNameKey(company.name)
    .replaceAll(/[^A-Z0-9]/g, '')
    .toLowerCase()
  const label = identity.label.replaceAll('-', '')
  return label.length >= 5 && letters.startsWith(label) && best?.passage.region === 'footer'
}

function reasonFor({ company, best, proof }: Dossier): string {
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

function successorsOf(gone: Dossier, { dossiers, view }: Case): Dossier[] {
  const isAlive = ({ company, relation }: Dossier) =>
    company !== gone.company && company.status !== 'dissolved' && relation.level !== 'none'
  const known = dossiers.filter(isAlive)
  if (known.length > 0) return known
  const { postcode } = gone.company.address
  return [...view.companies.values()]
    .filter((company) => company.status !== 'dissolved' && postcode !== null && company.address.postcode === postcode)
    .map(emptyDossier)
}

/** Companies named without a number on a franchise's site: one of them may be the branch. */
function namedBeside(first: Dossier, { dossiers }: Case): Dossier[] {
  return dossiers.filter(
    ({ company, claims }) =>
      company !== first.company && claims.some(({ role, via }) => via === 'name' && role !== 'denied'),
  )
}

/** Proven by name and office, but the number printed with that name is another's, or nobody's. */
function findSlip(first: Dossier, { dossiers, unknown }: Case): { reason: string; others: Dossier[] } | null {
  if (first.proof !== 'name_and_office') return null
  const hasName = (name: string | null | undefined) => typeof name === 'string' && isPrintedName(first, name)
  const others = dossiers.filter(({ standing, best }) => standing === 'conflict' && hasName(best?.printedName))
  const [other] = others
  if (other) {
    const reason = `The number ${other.company.number}, printed with ${first.company.name}, belongs to ${other.company.name}.`
    return { reason, others }
  }
  const misprint = unknown.find(({ reading, printedName }) => isClaimed(reading.role) && hasName(printedName))
  if (!misprint) return null
  return {
    reason: `The number ${misprint.printed}, printed with ${first.company.name}, is not on the register.`,
    others: [],
  }
}

const isClaimed = (role: string) => role === 'operator' || role === 'stated'

/** Another company that the site says runs it, or whose part in it nobody explains. */
function findRival(first: Dossier, { dossiers }: Case): Dossier | null {
  const others = dossiers.filter(({ company }) => company !== first.company && !isPrintedName(first, company.name))
  const isOwn = ({ relation }: Dossier) => isOwnName(relation)
  const saysSo = ({ claims, standing }: Dossier) =>
    standing !== 'mentioned' && claims.some(({ role, printedName }) => role === 'operator' && printedName !== null)
  const isManagingAgent = ({ claims }: Dossier) => claims.some(({ cue }) => /managing agent/i.test(cue))
  // Who has a site run on its behalf may be the one to name.
  const isPrincipal = ({ claims }: Dossier) =>
    claims.some(
      ({ cue, via, passage }) => via === 'number' && /^on behalf of$/i.test(cue) && passage.region === 'footer',
    )
  // The text names somebody of another name, but the site's own name is a company's that it prints too.
  const hasTheName = (one: Dossier) =>
    !isOwn(first) && isOwn(one) && one.rank >= 2 && one.company.status !== 'dissolved'
  // A second company with its number in the very same small print, and nobody says what it is to the site.
  const isNeighbour = ({ standing, best }: Dossier) =>
    standing === 'plausible' && best?.via === 'number' && isBeside(best, first.best) && !isFinance(best.passage.text)
  return (
    others.find(saysSo) ??
    (first.isOperator ? undefined : others.find(isManagingAgent)) ??
    others.find(isPrincipal) ??
    others.find(hasTheName) ??
    others.find((one) => holdsFooter(one) && !holdsFooter(first)) ??
    (first.isOperator ? null : (others.find(isNeighbour) ?? null))
  )
}

/** Its number stands in the small print of every page, and nothing says what it is to the site. */
const holdsFooter = ({ standing, claims }: Dossier): boolean =>
  standing !== 'mentioned' &&
  claims.some(
    ({ via, role, passage }) =>
      via === 'number' &&
      isClaimed(role) &&
      (passage.region === 'footer' || passage.pages.length > 1) &&
      !isFinance(passage.text),
  )

const SMALL_PRINT = new Set(['legal', 'terms', 'privacy'])

/** In the same passage, or on the same page of small print. */
function isBeside(one: Claim, other: Claim | null): boolean {
  return (
    one.passage === other?.passage ||
    (one.passage.page === other?.passage.page && SMALL_PRINT.has(one.passage.page.kind) && one.passage.row === null)
  )
}

/** Brokers must print their lenders, and representatives their principals. */
const isFinance = (text: string) =>
  /\b(?:credit broker|lenders?|finance|appointed representative|FCA|Financial Conduct|FS Register|Financial Services Register|insur\w+|underwrit\w+)\b/i.test(
    text,
  )

/** Namesakes found by the printed name of the very company that is proven are no rivals. */
function isPrintedName({ claims, company }: Dossier, name: string): boolean {
  const key = toNameKey(name)
  return (
    key === toNameKey(company.name) ||
    claims.some(({ printedName }) => printedName !== null && toNameKey(printedName) === key)
  )
}
