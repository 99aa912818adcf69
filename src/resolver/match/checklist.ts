import { isOwnName } from '../extract/relate-names.ts'
import type { Check } from '../resolution.ts'
import type { Case, Verdict } from './case.ts'
import type { Dossier } from './dossier.ts'

/** Lists what a person would check for a company, each met or not, in the order they would check it. */
export function listChecks(dossier: Dossier, site: Case, verdict: Verdict): Check[] {
  const { claims, company, certificate, structured, relation } = dossier
  const number = claims.find(({ via, listed }) => via === 'number' && !listed)
  const named = claims.find(({ agreement }) => agreement === 'name' || agreement === 'previous_name')
  const hasOffice = claims.some(({ office }) => office !== 'no')
  const operator = claims.find(({ role, scope }) => role === 'operator' && scope !== 'label')
  const claimant = findClaimant(dossier, site, verdict)
  const check = (name: Check['name'], isMet: boolean, met: string, unmet: string): Check => ({
    name,
    isMet,
    says: isMet ? met : unmet,
  })
  return [
    check(
      'number',
      number !== undefined || certificate !== null || structured !== null,
      number
        ? `The site prints company number ${company.number}.`
        : `The site gives company number ${company.number} to machines.`,
      'The site does not give the company number.',
    ),
    check(
      'name',
      named !== undefined,
      `The site prints ${named?.printedName ?? company.name}, as the register has it.`,
      'The site does not print a registered name of the company.',
    ),
    check(
      'office',
      hasOffice,
      `The site prints the postcode of the registered office, ${company.address.postcode}.`,
      'The site does not print the postcode of the registered office.',
    ),
    check(
      'own_name',
      isOwnName(relation),
      'The registered name is the name of the site.',
      'The registered name is not the name of the site.',
    ),
    check(
      'runs_site',
      operator !== undefined,
      `The site says that this company runs it${operator?.words ? `: “${operator.words}”` : ''}.`,
      'No sentence says that this company runs the site.',
    ),
    check(
      'no_other_claimant',
      claimant === null,
      'The site names no other company as its own.',
      `The site also names ${claimant} as its own.`,
    ),
  ]
}

/** Returns the name of another company that may run the site; null if there is none. */
function findClaimant(dossier: Dossier, { dossiers, foreign }: Case, { outcome, candidates }: Verdict): string | null {
  if (outcome === 'matched') return null
  const abroad = foreign.find(({ role, isSites }) => role === 'operator' || (role === 'stated' && isSites))
  if (abroad) return abroad.name ?? `a company in ${abroad.country}`
  const other = [...candidates, ...dossiers].find((one) => one !== dossier && one.standing === 'proof')
  return other?.company.name ?? null
}
