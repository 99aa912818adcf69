import { type Company, toNameKey } from '../register/index.ts'
import { type RegisterView, toRegisterView } from './match/register-view.ts'

/** A small register for tests: numbers, names and offices. */
export interface FixtureCompany {
  number: string
  name: string
  previous?: string[]
  postcode?: string
  status?: string
}

export function fixtureRegister(companies: readonly FixtureCompany[]): RegisterView {
  const view = new Map(companies.map((one) => [one.number, toCompany(one)]))
  const byName = new Map<string, string[]>()
  const words = new Map<string, number>()
  for (const { number, name, previous = [] } of companies) {
    for (const key of [name, ...previous].map(toNameKey)) {
      const letters = key.replaceAll(' ', '')
      byName.set(letters, [...new Set([...(byName.get(letters) ?? []), number])])
      for (const word of new Set(key.split(' '))) words.set(word, (words.get(word) ?? 0) + 1)
    }
  }
  const commonWords = new Set([...words].filter(([, count]) => count > 12).map(([word]) => word))
  return toRegisterView({ companies: view, byName, atPostcode: new Map(), commonWords })
}

function toCompany({ number, name, previous = [], postcode, status = 'active' }: FixtureCompany): Company {
  const unknown = { line1: null, line2: null, town: null, county: null, country: null, careOf: null, poBox: null }
  return {
    number,
    name,
    previousNames: previous.map((one) => ({ name: one, ceased_on: null })),
    status,
    statusDetail: null,
    type: 'ltd',
    incorporatedOn: null,
    dissolvedOn: null,
    address: { ...unknown, postcode: postcode ?? null },
    countryOfOrigin: null,
    accountsRefDay: null,
    accountsRefMonth: null,
    accountsNextDue: null,
    accountsLastMadeUp: null,
    accountsType: null,
    confirmationNextDue: null,
    confirmationLastMadeUp: null,
    charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
    sicCodes: [],
    remarks: null,
    timepoint: 0,
    source: 'snapshot',
    changedAt: new Date(0),
  }
}
