import { type Company, toNameKey } from '../../register/words/index.ts'
import { findRegistrable } from '../domain/registrable.ts'
import { toLabel } from '../extract/identity.ts'
import { type NameRelation, relateToSite } from '../extract/relate-names.ts'
import type { SiteClaim } from '../resolution.ts'
import type { Case } from './case.ts'
import { relateCompany } from './claims.ts'
import type { Dossier } from './dossier.ts'

/** Collects the facts that show which of two sites with the same claim copied the other. */
export function readSiteClaim({ company, claims, certificate }: Dossier, { findings, view }: Case): SiteClaim {
  const { identity, ties } = findings
  // A copied site also copies the name, but not the domain.
  const byDomain = { ...findings, identity: { ...identity, brands: [] } }
  return {
    site: findRegistrable(identity.domain) ?? identity.domain,
    named: relateCompany(byDomain, view, company).level,
    isCertified: certificate !== null,
    isOfficePrinted: claims.some(({ office }) => office !== 'no'),
    isSiteNamed: claims.some(({ passage }) => namesSite(passage.text, identity.label)),
    ...ties,
  }
}

const LABEL_MIN = 5

function namesSite(text: string, label: string): boolean {
  return label.length >= LABEL_MIN && toNameKey(text).replaceAll(' ', '').toLowerCase().includes(label)
}

export type Claimed = Pick<Company, 'name' | 'previousNames'>

/** Compares a company's names with a domain, without knowing how rare their words are. */
export function relateToDomain({ name, previousNames }: Claimed, domain: string): NameRelation['level'] {
  const identity = { domain, label: toLabel(domain), askedLabel: null, brands: [] }
  const levels = [name, ...previousNames.map((previous) => previous.name)].map(
    (one) => relateToSite(toNameKey(one), identity, () => false).level,
  )
  return (['same', 'contains', 'shares'] as const).find((level) => levels.includes(level)) ?? 'none'
}
