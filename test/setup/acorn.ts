/** A company of the simulated register with something of everything, and dates that are in order today. */
import type { NewCompany } from '../../rig/companies-house/index.ts'
import { addDaysToDate, toLondonDate } from '../../src/lib/clock.ts'

export const ago = (days: number) => addDaysToDate(toLondonDate(new Date()), -days)

export const director = (number: string, id: string, facts: object = {}) => ({
  name: `OFFICER, ${id}`,
  officer_role: 'director',
  appointed_on: '2020-01-02',
  links: { self: `/company/${number}/appointments/${id}` },
  ...facts,
})

export const ACORN = {
  number: '01234567',
  name: 'ACORN LIMITED',
  incorporatedOn: '2020-01-02',
  address: { address_line_1: '1 HIGH STREET', locality: 'LEEDS', postal_code: 'LS1 4AP' },
  sicCodes: ['62012'],
  previousNames: [{ name: 'OAK LIMITED', changedOn: '2021-05-06' }],
  accounts: {
    referenceDay: 31,
    referenceMonth: 1,
    nextDueOn: ago(1),
    nextMadeUpTo: null,
    lastMadeUpTo: '2025-01-31',
    category: 'MICRO ENTITY',
  },
  undescribedCharges: { outstanding: 1, partSatisfied: 0, satisfied: 2 },
  insolvency: {
    etag: '1',
    cases: [
      {
        type: 'corporate-voluntary-arrangement',
        number: '1',
        dates: [{ type: 'voluntary-arrangement-started-on', date: '2022-02-03' }],
        practitioners: [{ name: 'B. Keeper', address: {}, role: 'practitioner', appointed_on: '2022-02-03' }],
      },
    ],
  },
  pscs: [
    {
      kind: 'individual-person-with-significant-control',
      name: 'Jo Smith',
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      notified_on: '2020-01-02',
      etag: '1',
      links: { self: '/company/01234567/persons-with-significant-control/individual/psc1' },
    },
  ],
} satisfies NewCompany
