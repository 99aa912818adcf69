import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import {
  type Company,
  findCompanies,
  findCompaniesNamed,
  isOffRegister,
  presentStatusDetail,
  searchCompanies,
  toNameKey,
} from '../../register/index.ts'

const NAMESAKES_MAX = 20
const CANDIDATES_MAX = 5

/** The one live company of this name. Of several, or none, the caller must choose: never the likeliest. */
export async function getCompanyNamed(db: Db, name: string): Promise<Company> {
  const key = toNameKey(name)
  const named = key === '' ? [] : await findCompaniesNamed(db, [key], NAMESAKES_MAX)
  const current = named.filter(({ isPrevious }) => !isPrevious).map(({ number }) => number)
  const alive = (await findCompanies(db, current)).filter(({ status }) => !isOffRegister(status))
  const [only, ...others] = alive
  if (only && others.length === 0) return only
  if (only) throw notOne(`${alive.length} companies are called ${name}. Ask again with the number of one.`, alive)
  const { candidates } = await searchCompanies(db, { name, page: 1 })
  throw notOne(
    `No live company is called exactly ${name}. Ask again with a number.`,
    candidates.map(({ company }) => company),
  )
}

function notOne(message: string, companies: Company[]): DomainError {
  return new DomainError('company_not_found', message, {
    candidates: companies.slice(0, CANDIDATES_MAX).map((company) => ({
      company_number: company.number,
      company_name: company.name,
      company_status: company.status,
      ...presentStatusDetail(company),
      registered_postcode: company.address.postcode,
    })),
  })
}
