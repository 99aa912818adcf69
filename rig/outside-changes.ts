/** The changes of a company that the page of `npm run dev` offers, by the name a request uses. */
import type { SimulatedCompaniesHouse } from './companies-house/index.ts'
import { idOf } from './companies-house/resources.ts'

type House = SimulatedCompaniesHouse

/** `says` is for a person who does not know the register; `signal` is what comes of it. */
const change = (says: string, signal: string, cause: (house: House, number: string) => unknown) => {
  return { says, signal, cause }
}

export const OUTSIDE_CHANGES: Readonly<Record<string, ReturnType<typeof change>>> = {
  rename: change('It changes its name', 'name_changed', (house, number) =>
    house.changes.rename(number, otherName(house.findCompany(number)?.name ?? '')),
  ),
  move: change('It moves its registered office', 'registered_office_changed', ({ changes }, number) => {
    const line = `${1 + (Date.now() % 90)} Castle Street`
    changes.changeRegisteredOffice(number, { address_line_1: line, locality: 'Norwich', postal_code: 'NR2 1PD' })
  }),
  appoint: change('It appoints a director', 'director_appointed', ({ changes }, number) =>
    changes.appointOfficer(number, 'FENWICK, Alice Mary'),
  ),
  resign: change('A director resigns', 'director_resigned', resignDirector),
  accounts: change('It files its accounts', 'accounts_filed', ({ changes }, number) => changes.fileAccounts(number)),
  charge: change('It borrows against its assets (a charge is registered)', 'charge_registered', ({ changes }, number) =>
    changes.registerCharge(number),
  ),
  strike_off: change('The registrar proposes to strike it off', 'strike_off_proposed', ({ changes }, number) =>
    changes.proposeStrikeOff(number),
  ),
  insolvency: change('It goes into liquidation', 'insolvency_started', ({ changes }, number) =>
    changes.becomeInsolvent(number),
  ),
}

/** Back and forth, so that it can be done as often as one likes. */
function otherName(name: string): string {
  if (/ GROUP\b/.test(name)) return name.replace(/ GROUP\b/, '')
  return name.replace(/( (?:LIMITED|LTD|LLP|PLC|CYF)\.?)?$/i, ' GROUP$1')
}

function resignDirector(house: House, number: string): void {
  const officers = house.findCompany(number)?.officers ?? []
  const director = officers.find((one) => /director|member/.test(one.officer_role) && one['resigned_on'] === undefined)
  if (!director) throw new Error('No director is in post there. Have one appointed first.')
  house.changes.resignOfficer(number, idOf(director))
}
