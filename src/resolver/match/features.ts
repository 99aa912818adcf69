/** The features of a company on a site: each speaks for or against it in one sentence. weights.json has the weights. */
import { toNameKey } from '../../register/words/index.ts'
import { isOwnName } from '../extract/relate-names.ts'
import { NAMES_SITE } from '../extract/role.ts'
import type { ExplainedFeature } from '../resolution.ts'
import type { Case, Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import type { Dossier } from './dossier.ts'
import { compact, type RegisterView } from './register-view.ts'

/** A fact about one company. `name` and `level` together have one weight. */
export type Feature = Omit<ExplainedFeature, 'weight'>

type Details = Pick<Feature, 'found' | 'registered'>

const NO_DETAILS: Details = { found: null, registered: null }

const evidence = (name: string, level: string, says: string, details: Details = NO_DETAILS): Feature => ({
  kind: 'evidence',
  name,
  level,
  says,
  ...details,
})

/** Lists what the site and the register say for and against a company. */
export function listFeatures(dossier: Dossier, { view }: Case): Feature[] {
  return [
    readDisclosure(dossier, view),
    ...readTie(dossier),
    ...readCertificate(dossier),
    ...readStructured(dossier),
    readSiteName(dossier),
    ...readRole(dossier),
    ...readStatus(dossier),
  ]
}

/** Number, name and office of one disclosure come from one sentence, so they are one feature and do not add up. */
function readDisclosure({ best, company, certificate, structured }: Dossier, view: RegisterView): Feature {
  const registered = `${company.name}, ${company.number}`
  if (best === null) {
    return certificate || structured
      ? evidence('disclosure', 'unprinted', 'The pages that we read do not print the company.')
      : evidence('disclosure', 'brand_only', 'A company has the name that the site uses.', { found: null, registered })
  }
  const level = best.via === 'number' ? numberLevel(best) : nameLevel(best, view)
  const found = [best.printedName, best.number?.printed].filter(Boolean).join(', ') || null
  return evidence('disclosure', level, DISCLOSURES[level], { found, registered })
}

function numberLevel({ agreement, office, listed, relation }: Claim): keyof typeof DISCLOSURES {
  if (listed) return 'number_listed'
  switch (agreement) {
    case 'name':
      return office === 'no' ? 'number_name' : 'number_name_office'
    case 'previous_name':
      return 'number_previous_name'
    case 'similar':
      return 'number_similar_name'
    case 'unnamed':
      return isOwnName(relation) ? 'number_brand' : 'number_alone'
    case 'conflict':
      return 'number_conflict'
  }
}

function nameLevel({ printedName, company, office, agreement }: Claim, view: RegisterView): keyof typeof DISCLOSURES {
  const key = toNameKey(printedName ?? company.name)
  const isShared = (view.byName.get(key.replaceAll(' ', ''))?.length ?? 1) > 1
  if (office !== 'no') {
    const [code = ''] = compact(company.address.postcode)
    return (view.atPostcode.get(code) ?? 1) > OFFICE_SHARED ? 'name_shared_office' : 'name_office'
  }
  if (agreement === 'previous_name') return 'previous_name'
  return isShared ? 'name_shared' : 'name'
}

/** More companies than this at one postcode: an address that is rented out. */
const OFFICE_SHARED = 20

const DISCLOSURES = {
  number_name_office: 'The site prints the company’s number, its registered name and its registered office.',
  number_name: 'The site prints the company’s number with its registered name.',
  number_previous_name: 'The site prints the company’s number with a name it had before.',
  number_similar_name: 'The site prints the company’s number with a name spelt almost as on the register.',
  number_brand: 'The site prints the company’s number, and the registered name is the site’s own.',
  number_alone: 'The site prints the company’s number without a name.',
  number_listed: 'The site prints the company’s number in a row with others, without names.',
  number_conflict: 'The site prints the company’s number beside another company’s name.',
  name_office: 'The site prints a name of the company and its registered office, but no number.',
  name_shared_office: 'The site prints a name of the company and its registered office, which many companies share.',
  name: 'The site prints the registered name, but neither the number nor the office.',
  name_shared: 'The site prints the registered name, which several companies have or had.',
  previous_name: 'The site prints a name the company had before, but neither the number nor the office.',
} as const

const TIES: Record<Dossier['standing'], string> = {
  proof: 'The details and the words around them make the company the site’s own.',
  plausible: 'The words around the details leave open whose company it is.',
  conflict: 'The number and the name do not belong together.',
  mentioned: 'The words around it make it another party, or only mention it.',
}

function readTie({ standing, best }: Dossier): Feature[] {
  return best === null && standing === 'mentioned' ? [] : [evidence('tie', standing, TIES[standing])]
}

function readCertificate({ certificate, company }: Dossier): Feature[] {
  if (!certificate) return []
  const found = `${certificate.organisation}, ${certificate.serialNumber}`
  const registered = `${company.name}, ${company.number}`
  const says = 'The site’s certificate was issued to the company, by its number.'
  return [evidence('certificate', 'issued', says, { found, registered })]
}

function readStructured({ structured, company, best }: Dossier): Feature[] {
  if (!structured) return []
  const found = [...structured.names.slice(0, 1), ...structured.numbers.slice(0, 1)].join(', ')
  const registered = `${company.name}, ${company.number}`
  // Where the page prints the number too, the data only repeats it.
  const level = best?.via === 'number' ? 'repeated' : 'alone'
  const says = 'The site’s data for machines gives the company’s number.'
  return [evidence('structured_data', level, says, { found, registered })]
}

function readSiteName({ relation, company }: Dossier): Feature {
  const says = {
    same: 'The registered name is what the site calls itself.',
    contains: 'The site calls itself by the beginning of the registered name, or the other way round.',
    shares: 'The registered name has a rare word in common with the site’s.',
    none: 'The registered name has nothing in common with the site’s.',
  }[relation.level]
  return evidence('site_name', relation.level, says, { found: relation.with || null, registered: company.name })
}

const ROLES: Record<Claim['role'] | 'operator_by_name', string> = {
  operator_by_name: 'The sentence names this site, and says that this company runs it.',
  operator: 'The sentence says that this company runs the site.',
  stated: 'No sentence around the details says who runs the site.',
  named: 'The sentence mentions it in passing.',
  related: 'The sentence names it as a parent, affiliate, agent or franchisor.',
  third_party: 'The sentence names it as another party.',
  denied: 'The site says that it is not connected with this company.',
}

function readRole({ best, claims }: Dossier): Feature[] {
  if (best === null) return []
  const naming = claims.find(({ role, cue }) => role === 'operator' && NAMES_SITE.has(cue))
  const level = best.role === 'operator' && naming ? 'operator_by_name' : best.role
  return [evidence('role', level, ROLES[level], { found: (naming ?? best).words || null, registered: null })]
}

function readStatus({ company }: Dossier): Feature[] {
  if (company.status !== 'dissolved') return []
  const when = company.dissolvedOn ? ` on ${company.dissolvedOn}` : ''
  return [evidence('status', 'dissolved', `The company was dissolved${when}.`)]
}

/** Returns the rule that keeps a company from being matched; null for a matched company. */
export function findVeto(dossier: Dossier, { outcome, situation, reason, candidates }: Verdict): Feature | null {
  const veto = (level: string, says: string): Feature => ({ kind: 'veto', name: 'veto', level, says, ...NO_DETAILS })
  if (!candidates.includes(dossier)) return veto('not_chosen', 'The site does not present it as its own company.')
  if (outcome === 'matched') return null
  // Several candidates share what is likely, so their number counts.
  const level = candidates.length === 1 ? situation : `${situation}_${Math.min(candidates.length, 3)}`
  return veto(level, reason)
}
