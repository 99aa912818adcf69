/** The kinds of doubt that leave a site to a person, in words. The codes are the resolver's situations. */
import type { Situation } from '../resolver/index.ts'

export const DOUBTS = [
  'several',
  'dissolved',
  'franchise',
  'commentary',
  'contradiction',
  'rival',
  'contested',
  'objected',
  'untied',
  'named',
  'namesake',
] as const satisfies readonly Situation[]
export type Doubt = (typeof DOUBTS)[number]

const TEXTS: Record<Doubt, string> = {
  several: 'The site discloses several companies',
  dissolved: 'The company is dissolved',
  franchise: 'A franchise: the company of this branch is not certain',
  commentary: 'The site writes about the company',
  contradiction: 'Number and name do not belong together',
  rival: 'A second company may run the site',
  contested: 'Another site claims the same company',
  objected: 'The second reader objects',
  untied: 'Nothing connects the printed company with the site',
  named: 'A name without number or office',
  namesake: 'Only the name of the site is a company’s',
}

/** Null for a situation that leaves no doubt, and where it is not known. */
export function findDoubt(situation: string | null): Doubt | null {
  return DOUBTS.find((doubt) => doubt === situation) ?? null
}

export function describeDoubt(doubt: Doubt): string {
  return TEXTS[doubt]
}
