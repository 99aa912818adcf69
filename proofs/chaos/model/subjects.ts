/** The sites and companies of one sequence, which no other sequence uses. */

import { type ModelMind, SILENT } from '../../../rig/language-model/index.ts'
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
  /** The answer with a second reader, where it is another one. */
  read: { outcome: string; number: string | null } | null
  /** A search that starts from the company's name comes here. */
  isGuessable: boolean
  own: Pick<ModelSite, 'outcome' | 'number' | 'read'> & { site: SimulatedSite | null }
}

/** As many as there are kinds of site. */
export const SITES_EACH = 9
const SEQUENCES_MAX = 360
const GUESSABLE = 5
const FOUND = 8
const OBJECTED = 2

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
      const isOpen = made.outcome === 'needs_review' || index === FOUND
      const candidate = isOpen ? numberOf(first + index) : made.companyNumber
      const outcome = index === FOUND ? 'no_match' : made.outcome
      const answer = { outcome, number: made.companyNumber, read: readBySecond(index, candidate) }
      const site = index === FOUND ? await shopOf(db, candidate) : withoutDelay(made.site)
      const own = { ...answer, site }
      return { domain, ...answer, candidate, isGuessable, own }
    }),
  )
}

/** A shop of another name: the rules do not know the words by which it names its company. */
async function shopOf(db: Database, number: string | null): Promise<SimulatedSite> {
  const [company] = await findCompanies(db, [number ?? ''])
  const words = `${SHOP_WORDS} ${company?.name} (company number ${number}).`
  const page = `<!doctype html><html lang="en"><title>Larch and Linen</title><h1>Larch and Linen</h1>
    <p>${'Sheets and napkins, woven in the shed behind the house. '.repeat(6)}</p><footer>${words}</footer></html>`
  return { pages: { '/': page, '/legal': page } }
}

const SHOP_WORDS = 'When you order from Larch and Linen you buy from'

/** The shop is found by the second reader, and it objects to one of the matches. */
function readBySecond(index: number, candidate: string | null): ModelSite['read'] {
  if (index === FOUND) return { outcome: 'matched', number: candidate }
  return index === OBJECTED ? { outcome: 'needs_review', number: null } : null
}

/** A second reader that decides as the model says. */
export const modelMind: ModelMind = ({ task, domain, passages, candidates, matched }) => {
  const quote = passages[0]?.slice(0, 200) ?? null
  const answer = { quote, why: 'The footer says so.', certainty: 0.9 }
  const shop = passages.find((passage) => passage.includes(SHOP_WORDS))
  if (task === 'find' && !shop) return { answer: SILENT.find }
  if (task === 'find')
    return {
      answer: {
        ...answer,
        quote: shop?.slice(shop.indexOf(SHOP_WORDS), 250) ?? null,
        decision: 'match',
        role: 'operator',
        company_number: candidates[0]?.number ?? null,
      },
    }
  const isObjected = Number(/^chaos-(\d+)\./.exec(domain)?.[1] ?? 0) % SITES_EACH === OBJECTED
  return { answer: { ...answer, decision: isObjected ? 'object' : 'confirm', company_number: matched } }
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
