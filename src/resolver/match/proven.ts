import { toNameKey } from '../../register/index.ts'
import { type Case, review, type Verdict } from './case.ts'
import { type Dossier, emptyDossier } from './dossier.ts'

/** The site proves itself to be a company's: the match, or what stands against it. */
export function decideProven(site: Case): Verdict | null {
  const proven = withoutNamesakes(site.dossiers.filter(({ standing }) => standing === 'proof'))
  const [first, second] = proven
  if (!first) return null
  if (second) {
    return review(
      'several',
      `The site gives the particulars of ${proven.length} companies and does not say which runs it.`,
      proven,
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
  if (kind.franchise && !first.isOperator) {
    return review('franchise', `The site is a franchise, and ${name} may be the franchisor.`, [
      ...namedBeside(first, site),
      first,
    ])
  }
  if (kind.commentary && !first.isOperator) {
    return review('commentary', `The site seems to be about ${name} rather than theirs: “${kind.commentary}”.`, [first])
  }
  const slip = findSlip(first, site)
  if (slip) return review('contradiction', slip.reason, [first, ...slip.others])
  const rival = findRival(first, site)
  return rival ? review('rival', `The site also says that ${rival.company.name} runs it.`, [first, rival]) : null
}

function reasonFor({ company, best, proof }: Dossier): string {
  const { name, number } = company
  switch (proof) {
    case 'number_and_name':
      return `The site prints ${name} with its number ${number} as its own.`
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
  const others = dossiers.filter(({ company }) => company !== first.company)
  const saysSo = ({ company, claims, standing }: Dossier) =>
    standing !== 'mentioned' &&
    claims.some(({ role, printedName }) => role === 'operator' && printedName !== null) &&
    !isPrintedName(first, company.name)
  const isManagingAgent = ({ claims }: Dossier) => claims.some(({ cue }) => /managing agent/i.test(cue))
  // A second company with its number in the very same small print, and nobody says what it is to the site.
  const isNeighbour = ({ standing, best }: Dossier) =>
    standing === 'plausible' && best?.via === 'number' && best.passage === first.best?.passage
  return (
    others.find(saysSo) ??
    others.find(isManagingAgent) ??
    (first.isOperator ? null : (others.find(isNeighbour) ?? null))
  )
}

/** Namesakes found by the printed name of the very company that is proven are no rivals. */
function isPrintedName({ claims, company }: Dossier, name: string): boolean {
  const key = toNameKey(name)
  return (
    key === toNameKey(company.name) ||
    claims.some(({ printedName }) => printedName !== null && toNameKey(printedName) === key)
  )
}
