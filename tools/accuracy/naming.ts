/**
 * Own names and strangers. A company with the site's own name needs little more than its number to be proven; a company of
 * another name needs words that say it runs the site. The two are not equally hard, so an average hides the harder one.
 */
import { type Company, toNameKey } from '../../src/register/index.ts'
import type { SiteIdentity } from '../../src/resolver/extract/identity.ts'
import { isOwnName, relateToSite } from '../../src/resolver/extract/relate-names.ts'
import { type Figures, type ScoredAnswer, toFigures } from './scoring.ts'
import { type ShapeScore, scoreShapes } from './shapes.ts'

/** `no_company`: the label has none, and the answer has no candidate. */
export const NAMINGS = ['own_name', 'stranger', 'no_company'] as const
export type Naming = (typeof NAMINGS)[number]

type Named = Pick<Company, 'name' | 'previousNames'>

/** Returns every name that a company has or had. */
export function listNames({ name, previousNames }: Named): string[] {
  return [name, ...previousNames.map((previous) => previous.name)]
}

/** The facts about a world that the comparison of names needs. */
export interface NamedWorld {
  identities: ReadonlyMap<string, SiteIdentity>
  companies: ReadonlyMap<string, Named>
  isRare: (word: string) => boolean
}

/**
 * Returns whether the right company has the site's name: its domain, or a brand in its titles and on its logo. Of several
 * right companies, one with the name is enough. Where the label has no company, the answer's best candidate is compared.
 */
export function classifyNaming({ label, answer }: Pick<ScoredAnswer, 'label' | 'answer'>, world: NamedWorld): Naming {
  const numbers = label.companyNumbers.length > 0 ? label.companyNumbers : answer.candidates.slice(0, 1)
  const companies = numbers.flatMap((number) => world.companies.get(number) ?? [])
  const identity = world.identities.get(label.domain)
  if (companies.length === 0 || !identity) return 'no_company'
  const isOwn = companies
    .flatMap(listNames)
    .some((name) => isOwnName(relateToSite(toNameKey(name), identity, world.isRare)))
  return isOwn ? 'own_name' : 'stranger'
}

/** The figures of a part of the sites. */
export interface Part {
  figures: Figures
  shapes: ShapeScore
}

export function scorePart(scoredAnswers: readonly ScoredAnswer[]): Part {
  return { figures: toFigures(scoredAnswers), shapes: scoreShapes(scoredAnswers) }
}

export function scoreNamings(namings: ReadonlyMap<ScoredAnswer, Naming>): Map<Naming, Part> {
  return new Map(
    NAMINGS.map((naming) => {
      const inside = [...namings].filter(([, other]) => other === naming)
      return [naming, scorePart(inside.map(([scoredAnswer]) => scoredAnswer))]
    }),
  )
}
