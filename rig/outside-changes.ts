/** The changes of a company that the page of `npm run dev` offers, by the name a request uses. */
import type { SimulatedCompaniesHouse } from './companies-house/index.ts'
import { idOf } from './companies-house/resources.ts'

type House = SimulatedCompaniesHouse

export interface OutsideChange {
  /** For a person who does not know the register. */
  says: string
  /** The signal that comes of it. */
  signal: string
  cause(house: House, number: string): void
}

export const OUTSIDE_CHANGES: Readonly<Record<string, OutsideChange>> = {
  rename: {
    says: 'It changes its name',
    signal: 'name_changed',
    cause: (house, number) => house.changes.rename(number, otherName(house.findCompany(number)?.name ?? '')),
  },
  move: {
    says: 'It moves its registered office',
    signal: 'registered_office_changed',
    cause: (house, number) =>
      house.changes.changeRegisteredOffice(number, {
        address_line_1: `${1 + (Date.now() % 90)} Castle Street`,
        locality: 'Norwich',
        postal_code: 'NR2 1PD',
      }),
  },
  appoint: {
    says: 'It appoints a director',
    signal: 'director_appointed',
    cause: (house, number) => void house.changes.appointOfficer(number, 'FENWICK, Alice Mary'),
  },
  resign: { says: 'A director resigns', signal: 'director_resigned', cause: resignDirector },
  accounts: {
    says: 'It files its accounts',
    signal: 'accounts_filed',
    cause: (house, number) => house.changes.fileAccounts(number),
  },
  charge: {
    says: 'It borrows against its assets (a charge is registered)',
    signal: 'charge_registered',
    cause: (house, number) => void house.changes.registerCharge(number),
  },
  strike_off: {
    says: 'The registrar proposes to strike it off',
    signal: 'strike_off_proposed',
    cause: (house, number) => house.changes.proposeStrikeOff(number),
  },
  insolvency: {
    says: 'It goes into liquidation',
    signal: 'insolvency_started',
    cause: (house, number) => void house.changes.becomeInsolvent(number),
  },
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
