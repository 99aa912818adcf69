import type { Db } from '../../lib/db/db.ts'
import {
  type Company,
  countInNames,
  findCompanies,
  findCompaniesAt,
  findCompaniesNamed,
  toNameKey,
} from '../../register/index.ts'
import { compact, type Lookups, type RegisterData } from './register-view.ts'

const SHARED_NAMES_MAX = 8
const NEIGHBOURS_MAX = 200

export async function readRegister(db: Db, lookups: Lookups): Promise<RegisterData> {
  const named = await findCompaniesNamed(db, lookups.names, SHARED_NAMES_MAX)
  const byName = new Map<string, string[]>()
  for (const { nameKey, number } of named) {
    const letters = nameKey.replaceAll(' ', '')
    byName.set(letters, [...new Set([...(byName.get(letters) ?? []), number])])
  }
  const numbers = [...new Set([...lookups.numbers, ...named.map(({ number }) => number)])]
  const companies = new Map((await findCompanies(db, numbers)).map((company) => [company.number, company]))
  await addSuccessors(db, companies, byName)
  const words = [...new Set([...companies.values()].flatMap((company) => listWords(company)))]
  const postcodes = [...new Set([...companies.values()].flatMap(({ address }) => compact(address.postcode)))]
  const counts = await countInNames(db, { words, postcodes })
  const rareBelow = Math.max(12, counts.total * 0.0005)
  return {
    companies,
    byName,
    atPostcode: counts.postcodes,
    commonWords: new Set([...counts.words].filter(([, count]) => count > rareBelow).map(([word]) => word)),
  }
}

function listWords({ name, previousNames }: Company): string[] {
  return [name, ...previousNames.map((previous) => previous.name)].flatMap((one) => toNameKey(one).split(' '))
}

/** Adds companies at a dissolved company's office with the same first word: one may continue its business. */
async function addSuccessors(db: Db, companies: Map<string, Company>, byName: Map<string, string[]>): Promise<void> {
  const dissolved = [...companies.values()].filter(({ status }) => status === 'dissolved').slice(0, 3)
  for (const { name, address } of dissolved) {
    const [first = ''] = toNameKey(name).split(' ')
    const neighbours = await Promise.all(
      compact(address.postcode).map((code) => findCompaniesAt(db, code, NEIGHBOURS_MAX)),
    )
    const similar = neighbours.flat().filter(({ nameKey }) => nameKey.split(' ')[0] === first)
    for (const company of await findCompanies(
      db,
      similar.map(({ number }) => number),
    )) {
      companies.set(company.number, company)
      const letters = toNameKey(company.name).replaceAll(' ', '')
      byName.set(letters, [...new Set([...(byName.get(letters) ?? []), company.number])])
    }
  }
}
