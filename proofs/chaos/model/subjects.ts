/** The sites and companies of one sequence, which no other sequence uses. */

import { type MadeUpSite, makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import type { SimulatedSite } from '../../../rig/web/index.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { findCompanies } from '../../../src/register/index.ts'

export interface ModelSite {
  domain: string
  /** Its right answer now. */
  outcome: string
  number: string | null
  /** The company that the site is, or may be. */
  candidate: string | null
  /** A search that starts from the company's name comes here. */
  isGuessable: boolean
  own: { outcome: string; number: string | null; site: SimulatedSite | null }
}

/** As many as there are kinds of site. */
export const SITES_EACH = 9
const SEQUENCES_MAX = 360
const GUESSABLE = 5

/** The site of one that stops naming its company. */
const GARDEN = makeSite(1)

export function registerAllCompanies(db: Database): Promise<void> {
  return registerCompanies(db, SITES_EACH * SEQUENCES_MAX)
}

export async function makeSites(db: Database, sequence: number): Promise<ModelSite[]> {
  const first = SITES_EACH * sequence
  return Promise.all(
    Array.from({ length: SITES_EACH }, async (_, index) => {
      const made = makeSite(first + index)
      const isGuessable = index === GUESSABLE
      const domain = isGuessable ? await spellOut(db, made) : made.domain
      const own = { outcome: made.outcome, number: made.companyNumber, site: withoutDelay(made.site) }
      const candidate = made.outcome === 'needs_review' ? numberOf(first + index) : made.companyNumber
      return { domain, outcome: own.outcome, number: own.number, candidate, isGuessable, own }
    }),
  )
}

export const gardenSite = () => withoutDelay(GARDEN.site)

const NUMBERS_APART = 37

/** The number of the company that `makeSite` had in mind, also where its site does not print it. */
function numberOf(index: number): string {
  const steps = index % SITES_EACH
  const printed = makeSite(index - steps).companyNumber
  return String(Number(printed) + steps * NUMBERS_APART).padStart(8, '0')
}

async function spellOut(db: Database, { companyNumber }: MadeUpSite): Promise<string> {
  const [company] = await findCompanies(db, [companyNumber ?? ''])
  if (!company) throw new Error(`company ${companyNumber} is not in the register`)
  return `${company.name
    .toLowerCase()
    .replace(/ limited$/, '')
    .replaceAll(' ', '')}.co.uk`
}

function withoutDelay(site: SimulatedSite | null): SimulatedSite | null {
  if (!site) return null
  return { ...site, responses: { ...site.responses, '/': { ...site.responses?.['/'], delay_ms: 0 } } }
}
