import { toNameKey } from '../../register/words/index.ts'
import { isOwnName } from '../extract/relate-names.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import { decideDoubtful } from './doubtful.ts'
import { decideProven } from './proven.ts'

/** Decides a site. A wrong match is the worst answer, so every unclear case goes to a person. */
export function decide(all: Case): Verdict {
  // An overseas company with a UK establishment is on the register under its own name.
  const registered = new Set(
    all.dossiers.filter(({ standing }) => standing === 'proof').map(({ company }) => toNameKey(company.name)),
  )
  const site = { ...all, foreign: all.foreign.filter(({ name }) => name === null || !registered.has(toNameKey(name))) }
  return decideAbsence(site) ?? decideForeign(site) ?? decideProven(site) ?? decideDoubtful(site)
}

/** Decides a site that does not exist yet, or that says its company is not real. */
function decideAbsence({ findings: { kind } }: Case): Verdict | null {
  if (kind.placeholder) return noMatch(`There is no site yet: it says “${kind.placeholder}”.`)
  if (kind.fictional) return noMatch(`The site says that its company is not real: “${kind.fictional}”.`)
  return null
}

/** Decides a site that a company of another country runs; null if a UK company may run it. */
function decideForeign({ foreign, dossiers }: Case): Verdict | null {
  // The owner of a trade mark may not run the site.
  const isUkPossible = dossiers.some(
    ({ standing, relation }) => standing === 'proof' || (standing === 'plausible' && isOwnName(relation)),
  )
  const ownClaims = foreign.filter(
    ({ role, isSites, cue, passage }) =>
      role === 'operator' ||
      // In a row of a table it is one of the companies for other countries.
      (!(isUkPossible && passage.row !== null) &&
        (role === 'stated' || (role === 'named' && !isUkPossible)) &&
        isSites &&
        cue !== 'trade_mark'),
  )
  // Details of another foreign company count only if no UK company has the site's name; in a table it is a supplier.
  const hasUkNamesake = dossiers.some(({ relation, rank }) => rank >= 1 && isOwnName(relation))
  const statedClaims = foreign.filter(
    ({ role, registered, passage, cue }) =>
      role === 'stated' && registered && passage.row === null && cue !== 'trade_mark' && !hasUkNamesake,
  )
  const sister = findForeignSister(foreign, dossiers)
  if (sister) return sister
  const [claim] = ownClaims.length > 0 ? ownClaims : statedClaims
  if (!claim) return null
  const proven = dossiers.filter(({ standing }) => standing === 'proof')
  if (proven.length > 0) {
    if (ownClaims.length === 0) return null
    const isForeignOperator = ownClaims.some(({ role }) => role === 'operator')
    const isUkOperator = proven.some(({ isOperator }) => isOperator)
    if (isUkOperator && !isForeignOperator) return null
    if (isUkOperator === isForeignOperator && proven.some(({ rank }) => rank >= 2)) {
      const foreignName = claim.name ?? `a company in ${claim.country}`
      return review('rival', `The site names both ${foreignName} and ${proven[0]?.company.name} as its own.`, proven)
    }
  }
  const owner = claim.name ? `${claim.name} (${claim.country})` : `a company in ${claim.country}`
  const affiliates = dossiers.filter(({ standing, relation }) => standing !== 'mentioned' || relation.level !== 'none')
  return {
    outcome: 'non_uk_entity',
    situation: 'foreign',
    reason: `The site says it belongs to ${owner}.`,
    candidates: affiliates.slice(0, 5),
  }
}

/** A foreign and a UK company, both with the site's name, are printed, and the site does not say which runs it. */
function findForeignSister(foreign: Case['foreign'], dossiers: Case['dossiers']): Verdict | null {
  const sister = foreign.find(({ isSites, registered, role }) => isSites && registered && role === 'named')
  const proven = dossiers.filter(({ standing }) => standing === 'proof')
  const [first] = proven
  if (!sister || !first || proven.some(({ isOperator }) => isOperator)) return null
  return review('rival', `The site names both ${sister.name} (${sister.country}) and ${first.company.name}.`, proven)
}
