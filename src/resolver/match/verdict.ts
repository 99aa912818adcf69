import { isOwnName } from '../extract/relate-names.ts'
import { TRADE_MARK } from '../extract/role.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import { decideDoubtful } from './doubtful.ts'
import { decideProven } from './proven.ts'

/** The rules for an answer. A wrong match is the worst one: whatever is not plain goes to a person. */
export function decide(site: Case): Verdict {
  return decideAbsence(site) ?? decideForeign(site) ?? decideProven(site) ?? decideDoubtful(site)
}

/** The site is nobody's, or says that its company does not exist. */
function decideAbsence({ findings: { kind } }: Case): Verdict | null {
  if (kind.placeholder) return noMatch(`Nobody has put a site there yet: it says “${kind.placeholder}”.`)
  if (kind.fictional) return noMatch(`The site says that its company is not real: “${kind.fictional}”.`)
  return null
}

function decideForeign({ foreign, dossiers }: Case): Verdict | null {
  // A mark's owner need not run the site, and who stands in a row of a table is a supplier.
  const own = foreign.filter(
    ({ role, isSites, cue }) => role === 'operator' || (role === 'stated' && isSites && cue !== TRADE_MARK),
  )
  // A stranger's particulars say little where a UK company of the site's name stands too.
  const hasOwnCompany = dossiers.some(({ relation, rank }) => rank >= 1 && isOwnName(relation))
  const stated = foreign.filter(
    ({ role, registered, passage, cue }) =>
      role === 'stated' && registered && passage.row === null && cue !== TRADE_MARK && !hasOwnCompany,
  )
  const sister = findForeignSister(foreign, dossiers)
  if (sister) return sister
  const [claim] = own.length > 0 ? own : stated
  if (!claim) return null
  const proven = dossiers.filter(({ standing }) => standing === 'proof')
  if (proven.length > 0) {
    if (own.length === 0) return null
    const foreignSaysSo = own.some(({ role }) => role === 'operator')
    const ukSaysSo = proven.some(({ isOperator }) => isOperator)
    if (ukSaysSo && !foreignSaysSo) return null
    if (ukSaysSo === foreignSaysSo && proven.some(({ rank }) => rank >= 2)) {
      const where = claim.name ?? `a company in ${claim.country}`
      return review('rival', `The site names both ${where} and ${proven[0]?.company.name} as its own.`, proven)
    }
  }
  const who = claim.name ? `${claim.name} (${claim.country})` : `a company in ${claim.country}`
  const affiliates = dossiers.filter(({ standing, relation }) => standing !== 'mentioned' || relation.level !== 'none')
  return {
    outcome: 'non_uk_entity',
    situation: 'foreign',
    reason: `The site says it belongs to ${who}.`,
    candidates: affiliates.slice(0, 5),
  }
}

/** A company abroad of the site's name is printed beside one here, and neither is said to run the site. */
function findForeignSister(foreign: Case['foreign'], dossiers: Case['dossiers']): Verdict | null {
  const sister = foreign.find(({ isSites, registered, role }) => isSites && registered && role === 'named')
  const proven = dossiers.filter(({ standing }) => standing === 'proof')
  const [first] = proven
  if (!sister || !first || proven.some(({ rank }) => rank >= 2)) return null
  return review('rival', `The site names both ${sister.name} (${sister.country}) and ${first.company.name}.`, proven)
}
