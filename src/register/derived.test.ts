import { describe, expect, test } from 'vitest'
import type { Company } from './company.ts'
import { type DerivedFacts, deriveCompanyFacts } from './derived.ts'
import { parseCharge } from './details/charge.ts'
import type { CompanyParts, Part } from './details/details.ts'
import { parseInsolvency, parseOfficer } from './details/part-items.ts'

const TODAY = '2026-11-15'

const COMPANY: Company = {
  number: '01234567',
  name: 'ACORN LIMITED',
  previousNames: [],
  status: 'active',
  statusDetail: null,
  type: 'ltd',
  incorporatedOn: '2020-01-02',
  dissolvedOn: null,
  address: {
    careOf: null,
    poBox: null,
    line1: null,
    line2: null,
    town: null,
    county: null,
    country: null,
    postcode: 'LS1 4AP',
  },
  countryOfOrigin: null,
  accountsRefDay: 31,
  accountsRefMonth: 1,
  accountsNextDue: '2027-01-31',
  accountsLastMadeUp: '2026-01-31',
  accountsType: 'micro-entity',
  confirmationNextDue: '2027-01-15',
  confirmationLastMadeUp: '2026-01-01',
  charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
  sicCodes: [],
  remarks: null,
  timepoint: 0,
  source: 'snapshot',
  changedAt: new Date('2026-11-01T00:00:00Z'),
}

interface Given {
  company?: Partial<Company>
  /** Null: the part is missing. */
  officers?: object[] | null
  charges?: object[] | null
  insolvency?: object[] | null
  /** More than were fetched. */
  total?: number
  today?: string
}

function derive({ company, officers = [], charges = [], insolvency = [], total, today = TODAY }: Given): DerivedFacts {
  const part = <Item>(items: object[] | null, parse: (data: Record<string, unknown>) => Item): Part<Item> => ({
    items: items && items.map((item) => parse(item as Record<string, unknown>)),
    asOf: items && new Date(),
    total: total ?? null,
    missing: items ? null : { reason: 'budget_spent', retryAt: null },
  })
  const details: Pick<CompanyParts, 'officers' | 'charges' | 'insolvency'> = {
    officers: part(officers, parseOfficer),
    charges: part(charges, parseCharge),
    insolvency: part(insolvency, parseInsolvency),
  }
  return deriveCompanyFacts({ ...COMPANY, ...company }, details, today)
}

const director = (dates: object, role = 'director') => ({ name: 'SMITH, Jo', officer_role: role, ...dates })

test('a quiet company', () => {
  expect(derive({})).toEqual({
    company_name: 'ACORN LIMITED',
    company_number: '01234567',
    company_status: 'active',
    company_status_detail: null,
    company_status_text: 'Active',
    registered_postcode: 'LS1 4AP',
    incorporated_on: '2020-01-02',
    accounts_type: 'micro-entity',
    accounts_type_text: 'Micro Entity',
    accounts_next_due: '2027-01-31',
    accounts_overdue: false,
    accounts_days_until_due: 77,
    confirmation_next_due: '2027-01-15',
    confirmation_overdue: false,
    confirmation_days_until_due: 61,
    has_insolvency_history: false,
    current_insolvency_status: null,
    current_insolvency_status_text: null,
    has_active_charges: false,
    last_charge_date: null,
    days_since_last_charge: null,
    recent_director_resignation: false,
    last_director_change_date: null,
    days_since_last_director_change: null,
    recent_resignations: [],
  })
})

describe('deadlines', () => {
  test.each<[string, Given, [string | null, boolean | null, number | null]]>([
    ['due tomorrow', { company: { accountsNextDue: '2026-11-16' } }, ['2026-11-16', false, 1]],
    ['due today is in time', { company: { accountsNextDue: TODAY } }, [TODAY, false, 0]],
    ['due yesterday is late', { company: { accountsNextDue: '2026-11-14' } }, ['2026-11-14', true, -1]],
    [
      'due on the leap day, the day before it',
      { company: { accountsNextDue: '2028-02-29' }, today: '2028-02-28' },
      ['2028-02-29', false, 1],
    ],
    [
      'due on the leap day, the day after it',
      { company: { accountsNextDue: '2028-02-29' }, today: '2028-03-01' },
      ['2028-02-29', true, -1],
    ],
    [
      'over the end of summer time a day is a day',
      { company: { accountsNextDue: '2026-10-26' }, today: '2026-10-24' },
      ['2026-10-26', false, 2],
    ],
    ['no due date is not known to be late', { company: { accountsNextDue: null } }, [null, null, null]],
    [
      'in liquidation the old date stands',
      { company: { status: 'liquidation', accountsNextDue: '2020-01-31' } },
      ['2020-01-31', true, -2480],
    ],
    [
      'dissolved owes nothing',
      { company: { status: 'dissolved', accountsNextDue: '2020-01-31' } },
      [null, false, null],
    ],
    ['dissolved without dates', { company: { status: 'dissolved', accountsNextDue: null } }, [null, false, null]],
  ])('accounts: %s', (_, given, expected) => {
    const facts = derive(given)
    expect([facts.accounts_next_due, facts.accounts_overdue, facts.accounts_days_until_due]).toEqual(expected)
  })

  test('the confirmation statement has its own', () => {
    const facts = derive({ company: { confirmationNextDue: '2026-11-14', accountsNextDue: null } })
    expect([facts.confirmation_overdue, facts.confirmation_days_until_due]).toEqual([true, -1])
    expect(facts.accounts_overdue).toBeNull()
  })

  test('a company that never filed accounts has no type of them', () => {
    expect(derive({ company: { accountsType: null, accountsLastMadeUp: null } })).toMatchObject({
      accounts_type: null,
      accounts_next_due: '2027-01-31',
    })
  })

  test('a status the register does not tell is null', () => {
    expect(derive({ company: { status: 'unknown' } }).company_status).toBeNull()
  })
})

describe('insolvency', () => {
  const ended = { cases: [{ type: 'corporate-voluntary-arrangement', number: '1' }] }
  test.each<[Given, string]>([
    [{ company: { status: 'receivership' } }, 'Receiver Action'],
    [
      { insolvency: [{ ...ended, status: ['in-administration', 'receiver-manager'] }] },
      'In administration, Receiver/Manager appointed',
    ],
    [{ insolvency: [{ ...ended, status: ['status-of-tomorrow'] }] }, 'Status of tomorrow'],
  ])('%j is in words', (given, words) => {
    expect(derive(given).current_insolvency_status_text).toBe(words)
  })

  test.each<[string, Given, [boolean | null, string | null]]>([
    ['none', {}, [false, null]],
    ['missing is not known', { insolvency: null }, [null, null]],
    ['an ended case is history', { insolvency: [ended] }, [true, null]],
    ['a status in words', { insolvency: [{ ...ended, status: 'liquidation' }] }, [true, 'liquidation']],
    [
      'several statuses',
      {
        company: { status: 'insolvency-proceedings' },
        insolvency: [{ ...ended, status: ['in-administration', 'receiver-manager'] }],
      },
      [true, 'in-administration, receiver-manager'],
    ],
    [
      'missing cases of a company in liquidation',
      { company: { status: 'liquidation' }, insolvency: null },
      [true, 'liquidation'],
    ],
    [
      'a dissolved company is in no proceedings',
      { company: { status: 'dissolved' }, insolvency: [{ ...ended, status: ['liquidation'] }] },
      [true, null],
    ],
    ['an empty record', { insolvency: [{ cases: [] }] }, [false, null]],
  ])('%s', (_, given, expected) => {
    const facts = derive(given)
    expect([facts.has_insolvency_history, facts.current_insolvency_status]).toEqual(expected)
  })
})

describe('charges', () => {
  const counted = { total: 3, outstanding: 1, partSatisfied: 0, satisfied: 2 }
  test.each<[string, Given, [boolean | null, string | null, number | null]]>([
    ['one outstanding', { charges: [{ status: 'outstanding', created_on: '2026-11-05' }] }, [true, '2026-11-05', 10]],
    ['registered today', { charges: [{ status: 'outstanding', created_on: TODAY }] }, [true, TODAY, 0]],
    ['part satisfied', { charges: [{ status: 'part-satisfied', created_on: TODAY }] }, [true, TODAY, 0]],
    [
      'both words for satisfied',
      {
        charges: [
          { status: 'satisfied', created_on: '2019-02-28' },
          { status: 'fully-satisfied', created_on: '2024-02-29' },
        ],
        today: '2025-03-01',
      },
      [false, '2024-02-29', 366],
    ],
    ['only delivered', { charges: [{ status: 'outstanding', delivered_on: '2026-11-14' }] }, [true, '2026-11-14', 1]],
    ['missing: the snapshot counted', { charges: null, company: { charges: counted } }, [true, null, null]],
    ['missing: the snapshot counted none', { charges: null }, [false, null, null]],
    ['missing and never in a snapshot', { charges: null, company: { source: 'rest' } }, [null, null, null]],
    [
      'the part is newer than the count',
      { charges: [{ status: 'satisfied', created_on: '2019-02-28' }], company: { charges: counted } },
      [false, '2019-02-28', 2817],
    ],
    [
      'more than were fetched, none of them active',
      { charges: [{ status: 'satisfied', created_on: TODAY }], total: 900, company: { source: 'rest' } },
      [null, TODAY, 0],
    ],
  ])('%s', (_, given, expected) => {
    const facts = derive(given)
    expect([facts.has_active_charges, facts.last_charge_date, facts.days_since_last_charge]).toEqual(expected)
  })
})

describe('directors', () => {
  test.each<[string, Given, [boolean | null, string | null, number | null]]>([
    ['missing is not known', { officers: null }, [null, null, null]],
    ['appointed only', { officers: [director({ appointed_on: '2026-11-01' })] }, [false, '2026-11-01', 14]],
    ['resigned today', { officers: [director({ resigned_on: TODAY })] }, [true, TODAY, 0]],
    [
      'resigned a year ago to the day',
      { officers: [director({ resigned_on: '2025-11-15' })] },
      [true, '2025-11-15', 365],
    ],
    ['resigned a day before that', { officers: [director({ resigned_on: '2025-11-14' })] }, [false, '2025-11-14', 366]],
    [
      'on a leap day a year back is the last of February',
      { officers: [director({ resigned_on: '2027-02-28' })], today: '2028-02-29' },
      [true, '2027-02-28', 366],
    ],
    [
      'a resignation filed ahead has not happened',
      { officers: [director({ appointed_on: '2020-01-02', resigned_on: '2026-11-16' })] },
      [false, '2020-01-02', 2509],
    ],
    ['a secretary does not count', { officers: [director({ resigned_on: TODAY }, 'secretary')] }, [false, null, null]],
    [
      'nor does a corporate secretary',
      { officers: [director({ resigned_on: TODAY }, 'corporate-nominee-secretary')] },
      [false, null, null],
    ],
    [
      'a limited partner does not count',
      { officers: [director({ resigned_on: TODAY }, 'limited-partner-in-a-limited-partnership')] },
      [false, null, null],
    ],
    [
      'officers of a dissolved company did not resign',
      { company: { status: 'dissolved' }, officers: [director({ appointed_on: '2020-01-02' })] },
      [false, '2020-01-02', 2509],
    ],
    ['appointed before 1992', { officers: [director({ appointed_before: '1991-12-31' })] }, [false, null, null]],
    ['more than were fetched', { officers: [director({ appointed_on: TODAY })], total: 4000 }, [null, TODAY, 0]],
    ['a date that is none', { officers: [director({ resigned_on: 'soon' })] }, [false, null, null]],
  ])('%s', (_, given, expected) => {
    const facts = derive(given)
    expect([
      facts.recent_director_resignation,
      facts.last_director_change_date,
      facts.days_since_last_director_change,
    ]).toEqual(expected)
  })

  test.each([
    'director',
    'corporate-director',
    'nominee-director',
    'corporate-nominee-director',
    'llp-member',
    'llp-designated-member',
    'corporate-llp-member',
    'corporate-llp-designated-member',
    'member-of-an-administrative-organ',
    'corporate-member-of-a-management-organ',
  ])('a %s counts, in a Scottish partnership too', (role) => {
    const company = { number: 'SO301234', type: 'llp' }
    expect(derive({ company, officers: [director({ resigned_on: TODAY }, role)] })).toMatchObject({
      company_number: 'SO301234',
      recent_director_resignation: true,
      recent_resignations: [{ role }],
    })
  })

  test('recent resignations come newest first, with the dates of each', () => {
    const officers = [
      { name: 'OLD', officer_role: 'director', appointed_on: '2001-01-01', resigned_on: '2010-01-01' },
      { name: 'EARLY', officer_role: 'director', resigned_on: '2026-01-01' },
      { name: 'LATE LTD', officer_role: 'corporate-director', appointed_on: '2024-02-29', resigned_on: '2026-11-14' },
      { name: 'SEC', officer_role: 'secretary', resigned_on: '2026-11-15' },
    ]
    expect(derive({ officers }).recent_resignations).toEqual([
      {
        name: 'LATE LTD',
        role: 'corporate-director',
        role_text: 'Director',
        resigned_on: '2026-11-14',
        appointed_on: '2024-02-29',
      },
      { name: 'EARLY', role: 'director', role_text: 'Director', resigned_on: '2026-01-01', appointed_on: null },
    ])
  })
})
