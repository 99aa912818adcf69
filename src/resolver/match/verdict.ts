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
  const named = foreign.filter(({ role, isSites }) => role === 'operator' || (role === 'stated' && isSites))
  const stated = foreign.filter(({ role, registered }) => role === 'stated' && registered)
  const [claim] = named.length > 0 ? named : stated
  if (!claim) return null
  const rivals = dossiers.filter(({ standing }) => standing === 'proof')
  const runsIt = rivals.some(({ isOperator }) => isOperator)
  if (runsIt && !named.some(({ role }) => role === 'operator')) return null
  // A company stated beside a foreign one that is only stated too: nobody says which of them runs the site.
  if (rivals.length > 0 && (runsIt || named.every(({ role }) => role === 'stated'))) {
    const where = claim.name ?? `a company in ${claim.country}`
    return review('rival', `The site names both ${where} and ${rivals[0]?.company.name} as its own.`, rivals)
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
