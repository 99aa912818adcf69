import { toNameKey } from '../../register/index.ts'
import { isOwnName } from '../extract/relate-names.ts'
import type { Explanation } from '../resolution.ts'
import { confidenceOf } from './calibration.ts'
import type { Case, Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import type { Dossier } from './dossier.ts'
import { compact, type RegisterView } from './register-view.ts'
import { AGAINST, CERTIFICATE, DISCLOSURE, NAME, OFFICE, PRIOR, RELATION, ROLE, STRUCTURED } from './weights.ts'

export type Feature = Explanation['features'][number]

export interface Weighed {
  dossier: Dossier
  features: Feature[]
  total: number
  confidence: number
}

/** Weighs the evidence for a company: the weights of all features add up to the total. */
export function weigh(dossier: Dossier, site: Case, verdict: Verdict): Weighed {
  const features = [
    ...weighDisclosure(dossier, site.view),
    ...weighCertificate(dossier),
    ...weighStructured(dossier),
    ...weighRelation(dossier),
    ...weighRole(dossier),
    ...weighAgainst(dossier, site, verdict),
  ].map((feature) => ({ ...feature, weight: round(feature.weight) }))
  const total = round(features.reduce((sum, { weight }) => sum + weight, PRIOR))
  return {
    dossier,
    features,
    total,
    confidence: confidenceOf({
      situation: verdict.situation,
      candidates: verdict.candidates.length,
      index: verdict.candidates.indexOf(dossier),
    }),
  }
}

const round = (bits: number) => Math.round(bits * 10) / 10

function weighDisclosure({ best, company }: Dossier, view: RegisterView): Feature[] {
  if (best === null) {
    const bits = Math.min(NAME.most, nameBits(toNameKey(company.name), view)) + NAME.brandOnly
    return [
      {
        name: 'name',
        says: 'A company has the name that the site uses.',
        weight: bits,
        found: null,
        registered: company.name,
      },
    ]
  }
  if (best.via === 'name') return weighName(best, view)
  const registered = `${company.name}, ${company.number}`
  const number = best.number?.printed ?? ''
  const found = best.printedName ? `${best.printedName}, ${number}` : number
  const level = disclosureLevel(best)
  return [{ name: 'disclosure', says: DISCLOSURE_SAYS[level], weight: DISCLOSURE[level], found, registered }]
}

function disclosureLevel({ agreement, office, listed, relation }: Claim): keyof typeof DISCLOSURE {
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

const DISCLOSURE_SAYS: Record<keyof typeof DISCLOSURE, string> = {
  number_name_office: 'The site prints the company’s number, its registered name and its registered office.',
  number_name: 'The site prints the company’s number with its registered name.',
  number_previous_name: 'The site prints the company’s number with a name it had before.',
  number_similar_name: 'The site prints the company’s number with a name spelt almost as on the register.',
  number_brand: 'The site prints the company’s number, and the registered name is the site’s own.',
  number_alone: 'The site prints the company’s number without a name.',
  number_listed: 'The site prints the company’s number in a row with others, without names.',
  number_conflict: 'The site prints the company’s number beside another company’s name.',
}

function weighName(claim: Claim, view: RegisterView): Feature[] {
  const key = toNameKey(claim.printedName ?? claim.company.name)
  const namesakes = view.byName.get(key.replaceAll(' ', ''))?.length ?? 1
  const bits =
    Math.min(NAME.most, nameBits(key, view)) -
    Math.log2(Math.max(1, namesakes)) +
    (claim.agreement === 'previous_name' ? NAME.previous : 0)
  const name: Feature = {
    name: 'name',
    says:
      claim.agreement === 'previous_name'
        ? 'The site prints a name the company had before.'
        : 'The site prints the registered name.',
    weight: bits,
    found: claim.printedName,
    registered: claim.company.name,
  }
  if (claim.office === 'no') return [name]
  const [code = ''] = compact(claim.company.address.postcode)
  const sharing = view.atPostcode.get(code) ?? 1
  return [
    name,
    {
      name: 'registered_office',
      says:
        sharing > 1
          ? `The postcode of the registered office is on the site; ${sharing} companies have it.`
          : 'The postcode of the registered office is on the site.',
      weight: Math.max(0, OFFICE - Math.log2(Math.max(1, sharing)) / 2),
      found: code,
      registered: claim.company.address.postcode,
    },
  ]
}

/** Returns more bits for rarer words: one unusual word outweighs three common ones. */
function nameBits(key: string, view: RegisterView): number {
  return key.split(' ').reduce((bits, word) => {
    const share = (view.wordCount(word) + 1) / (view.names + 2)
    return bits + Math.max(0, -Math.log2(share) - 2)
  }, 0)
}

function weighCertificate({ certificate, company }: Dossier): Feature[] {
  if (!certificate) return []
  return [
    {
      name: 'certificate',
      says: 'The site’s certificate was issued to the company, by its number.',
      weight: CERTIFICATE,
      found: `${certificate.organisation}, ${certificate.serialNumber}`,
      registered: `${company.name}, ${company.number}`,
    },
  ]
}

function weighStructured({ structured, company, best }: Dossier): Feature[] {
  if (!structured) return []
  // The page prints the number too: the data only repeats it.
  const weight = best?.via === 'number' ? 2 : STRUCTURED
  return [
    {
      name: 'structured_data',
      says: 'The site’s data for machines gives the company’s number.',
      weight,
      found: [...structured.names.slice(0, 1), ...structured.numbers.slice(0, 1)].join(', '),
      registered: `${company.name}, ${company.number}`,
    },
  ]
}

function weighRelation({ relation, company }: Dossier): Feature[] {
  const says = {
    same: 'The registered name is what the site calls itself.',
    contains: 'The site calls itself by the beginning of the registered name, or the other way round.',
    shares: 'The registered name has a rare word in common with the site’s.',
    none: 'The registered name has nothing in common with the site’s.',
  }[relation.level]
  return [
    {
      name: 'site_name',
      says,
      weight: RELATION[relation.level],
      found: relation.with || null,
      registered: company.name,
    },
  ]
}

function weighRole({ best }: Dossier): Feature[] {
  if (best === null || ROLE[best.role] === 0) return []
  const says = {
    operator: 'The sentence says that this company runs the site.',
    stated: '',
    named: 'The sentence mentions it in passing.',
    related: 'The sentence names it as a parent, affiliate, agent or franchisor.',
    third_party: 'The sentence names it as another party.',
    denied: 'The site says that it is not connected with this company.',
  }[best.role]
  return [{ name: 'role', says, weight: ROLE[best.role], found: best.words || null, registered: null }]
}

function weighAgainst(dossier: Dossier, { findings: { kind }, foreign }: Case, verdict: Verdict): Feature[] {
  const features: Feature[] = []
  const against = (name: keyof typeof AGAINST, says: string, found: string | null) =>
    features.push({ name, says, weight: AGAINST[name], found, registered: null })
  if (dossier.company.status === 'dissolved')
    against(
      'dissolved',
      `The company was dissolved${dossier.company.dissolvedOn ? ` on ${dossier.company.dissolvedOn}` : ''}.`,
      null,
    )
  const rivals =
    verdict.outcome === 'matched'
      ? []
      : verdict.candidates.filter((other) => other !== dossier && other.standing === 'proof')
  if (rivals[0])
    against('rival', `The site gives the details of ${rivals[0].company.name} too.`, rivals[0].best?.quote ?? null)
  const abroad = foreign.find(({ role, isSites }) => role === 'operator' || (role === 'stated' && isSites))
  if (abroad && verdict.outcome !== 'matched')
    against(
      'foreignOperator',
      `The site says it belongs to ${abroad.name ?? 'a company'} in ${abroad.country}.`,
      abroad.quote,
    )
  if (kind.franchise && verdict.outcome === 'needs_review')
    against('franchise', 'The site is part of a franchise.', kind.franchise.slice(0, 120))
  if (kind.commentary && !dossier.isOperator && verdict.outcome === 'needs_review')
    against('commentary', 'The site may be about the company rather than theirs.', kind.commentary)
  if (kind.notCompany && verdict.outcome === 'needs_review')
    against('notCompany', 'The site says that its owner is no company.', kind.notCompany)
  return features
}
