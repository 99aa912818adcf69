/** Every code of the lists has words, and every filing becomes a sentence without a brace or a machine's phrase. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  CODE_LISTS,
  type CodeList,
  describeCode,
  describeNature,
  describeSector,
  FILING_DESCRIPTIONS,
  NATURES_OF_CONTROL,
} from '../vocabulary.ts'
import { describeFiling } from './describe-filing.ts'

const MACHINE = /[{}_*]|\b\w+-\w+-\w+-\w+\b|undefined|null/
const lists = Object.keys(CODE_LISTS) as CodeList[]

/** Lists with words that are shown in another way than a code with its words. */
const SHOWN_OTHERWISE: Readonly<Record<string, string>> = {
  'filing-descriptions-common.descriptions': 'sentences of filings, tested below',
  'psc.natures_of_control': 'natures of control, tested below',
  'psc.bands': 'their words are part of the natures of control',
  'sic-codes.sic2007_sections': 'the sections of the search',
}

/** Lists that say nothing we show, each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'charges.classification': 'names the description of a charge, which is shown as it is',
  'charges.alterations_type': 'alterations of Scottish floating charges are filings, and read there',
  'charges.filing_type': 'the filings of a charge are shown as filings, with their own sentences',
  'company.company_summary': 'the type in a table of the register; we show its full words',
  'company.company_subtype': 'a community interest company is shown as a type; partnerships by their number and type',
  'company.company_birth_type': 'the date is labelled the same for all',
  'company.cessation_label_for_status': 'the status beside the date says how the company ended',
  'company.jurisdiction': 'the first letters of the number and the address say it',
  'company.identification_type': 'of corporate officers, whose law and registry we do not show',
  'company.register_types': 'company-held registers were abolished in November 2025',
  'company.register_locations': 'company-held registers were abolished in November 2025',
  'company.partial_data_available': 'bodies whose records another registrar keeps; their type says so',
  'company.term': 'of limited partnerships, whose agreements we do not show',
  'company.capital_contribution_sub_type': 'of partners of limited partnerships, whose contributions we do not show',
  'company.foreign_account_type': 'of overseas companies, whose accounting rules we do not show',
  'company.terms_of_account_publication': 'of overseas companies, whose accounting rules we do not show',
  'company.search_description': 'lines in the search of the register’s own site',
  'company.filing_history_status': 'notes on the register’s own page of filings',
  'filing-categories.website_filter_labels':
    'six groups of the register’s own site; we show the category of each filing',
  'filing-categories.rules_per_category_in_source': 'counts, no words',
  'filing-descriptions-common.placeholder_counts_in_full_source': 'counts, no words',
  'officers.corporate_roles': 'roles again, without words',
  'psc.super_secure': 'the kind of a protected owner has words of its own',
  'psc.exemption_sentence': 'exemptions are shown with their days beside, by `exemption_type`',
  'psc.restrictions_notice_withdrawal_reason': 'why a notice was withdrawn is not among the members we read',
  'sic-codes.not_a_trade': 'codes for the search, not their words',
  'sic-codes.catch_all': 'codes for the search, not their words',
}

/** Names of the lists that the service's own code renders. */
const RENDERED = new Set(
  globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:describeCode|inWords)\(\s*'(\w+)'/g)])
    .flatMap(([, list]) => list ?? []),
)

function listPublished(): Array<[name: string, codes: Record<string, unknown>]> {
  return globSync('src/register/words/codes/*.json').flatMap((file) => {
    const name = file.replace(/^.*\/|\.json$/g, '')
    const { _meta, ...parts } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>
    return Object.entries(parts).map(([part, codes]): [string, Record<string, unknown>] => [`${name}.${part}`, codes])
  })
}

const published = listPublished()

/** The list that has every code of a published one, mostly with its words. A code without words has nothing to show. */
function findList(codes: Record<string, unknown>): CodeList | undefined {
  const wanted = Object.entries(codes).filter(([, words]) => words !== '')
  return lists.find((list) => {
    const words: Readonly<Record<string, string>> = CODE_LISTS[list]
    const same = wanted.filter(([code, each]) => words[code] === each)
    return wanted.every(([code]) => Object.hasOwn(words, code)) && same.length > wanted.length / 2
  })
}

describe('what Companies House publishes', () => {
  test.each(published)('%s is shown somewhere, or there is a reason why not', (name, codes) => {
    const reason = SHOWN_OTHERWISE[name] ?? NOT_SHOWN[name]
    if (reason !== undefined) return
    const list = findList(codes)
    expect(list, `${name}: add it to the lists of vocabulary.ts, or say here why it is not shown`).toBeDefined()
  })

  test.each(lists)('%s is rendered by code of the service', (list) => {
    expect(RENDERED).toContain(list)
  })

  test('no reason is kept for a list that is gone', () => {
    const names = published.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining([...Object.keys(SHOWN_OTHERWISE), ...Object.keys(NOT_SHOWN)]))
  })
})

describe('codes', () => {
  test.each(lists)('every code of %s has words', (list) => {
    const codes = Object.keys(CODE_LISTS[list]).filter((code) => code !== 'null')
    expect(codes.length).toBeGreaterThanOrEqual(2)
    for (const code of codes) expect(describeCode(list, code), code).toMatch(/^[A-Z"'(]/)
  })

  test('86 natures of control have words and a right', () => {
    expect(Object.keys(NATURES_OF_CONTROL)).toHaveLength(86)
    for (const code of Object.keys(NATURES_OF_CONTROL)) expect(describeNature(code), code).not.toMatch(MACHINE)
    expect(describeNature('ownership-of-shares-75-to-100-percent')).toBe('Ownership of shares: 75% or more')
  })

  test('a code that no list has is words made from it, and a sector none', () => {
    expect(describeCode('officer_role', 'keeper-of-the-seal')).toBe('Keeper of the seal')
    expect(describeCode('officer_role', 'constructor')).toBe('Constructor')
    expect(describeNature('toString')).toBe('ToString')
    expect(describeSector('00000')).toBeNull()
    expect(describeSector('56101')).toBe('Licensed restaurants')
    expect(describeSector('9999')).not.toBeNull()
  })
})

const VALUES = {
  officer_name: 'Mrs Ann Example',
  psc_name: 'Mr Bob Owner',
  charge_number: '012345670001',
  'charge number': '012345670001',
  form_type: 'CS01',
  branch_number: 'BR001234',
}

const valuesOf = (placeholders: readonly string[]) =>
  Object.fromEntries(
    placeholders.map((name) => [
      name.replaceAll(' ', '_'),
      name.endsWith('date') ? '2025-04-30' : ((VALUES as Record<string, string>)[name] ?? 'The value'),
    ]),
  )

describe('filings', () => {
  test('182 descriptions are sentences with their values, and still are without them', () => {
    const descriptions = Object.entries(FILING_DESCRIPTIONS)
    expect(descriptions).toHaveLength(182)
    for (const [description, { placeholders, category }] of descriptions) {
      const filled = describeFiling({ description, category, description_values: valuesOf(placeholders) }).text
      const empty = describeFiling({ description, category }).text
      for (const text of [filled, empty]) {
        expect(text, description).toMatch(/^[A-Z]/)
        expect(text, description).not.toMatch(MACHINE)
        expect(text, description).not.toMatch(/\s{2}|\s[,.]|\b(?:on|of|to|from|for|by|as|made up)$| -$/)
      }
      for (const name of placeholders.filter((each) => !each.endsWith('date'))) {
        expect(filled, description).toContain(valuesOf([name])[name.replaceAll(' ', '_')])
      }
    }
  })

  test.each([
    [
      {
        description: 'mortgage-create-with-deed-with-charge-number-charge-creation-date',
        description_values: { charge_number: '012345670001', charge_creation_date: '2026-03-02' },
      },
      'Registration of charge 012345670001, created on 2 March 2026',
    ],
    [
      {
        description: 'mortgage-create-with-deed-with-charge-number-charge-creation-date',
        description_values: { charge_number: '012345670001' },
      },
      'Registration of charge 012345670001',
    ],
    [
      {
        description: 'appoint-person-director-company-with-name-date',
        description_values: { officer_name: 'Mr A B', appointment_date: '2026-06-30T23:30:00Z' },
      },
      'Appointment of Mr A B as a director on 1 July 2026',
    ],
    [
      {
        description: 'termination-director-company-with-name-termination-date',
        description_values: { termination_date: '2026-01-05' },
      },
      'Termination of appointment as a director on 5 January 2026',
    ],
    [
      {
        description: 'legacy',
        description_values: { description: 'Return made up to 14/01/99; **full list** of members' },
      },
      'Return made up to 14/01/99; full list of members',
    ],
    [
      {
        description: 'accounts-with-accounts-type-filing-exemption-subsidiary',
        description_values: { made_up_date: '2025-12-31' },
      },
      'Filing exemption subsidiary accounts made up to 31 December 2025',
    ],
    [
      {
        description: 'accounts-amended-with-accounts-type-full',
        description_values: { made_up_date: '2025-12-31' },
      },
      'Amended full accounts made up to 31 December 2025',
    ],
    [
      {
        description: 'accounts-amended-with-accounts-type-small-group',
        description_values: { made_up_date: '2025-12-31' },
      },
      'Amended group accounts for a small company made up to 31 December 2025',
    ],
    [
      {
        description: 'accounts-amended-with-accounts-type-no-accounts-type-available',
        description_values: { made_up_date: '2025-12-31' },
      },
      'Amended accounts made up to 31 December 2025',
    ],
    [{ description: 'annotation', category: 'annotation' }, 'Note added by Companies House'],
    [{ description: 'a-form-nobody-knows-yet', category: 'other' }, 'A form nobody knows yet'],
    [{ category: 'capital' }, 'Share capital'],
    [{}, 'Filing'],
    [
      {
        description: 'appoint-person-director-company-with-name-date',
        description_values: { officer_name: '{psc_name} $& $1', appointment_date: 'soon' },
      },
      'Appointment of psc_name $& $1 as a director on soon',
    ],
  ])('%j', (filing, text) => {
    expect(describeFiling(filing).text).toBe(text)
  })

  test.each(['Charge 2', '1', '12/03/1999', '2025-02-30'])('%s is no date, and stays as it was written', (date) => {
    const filing = { description: 'capital-allotment-shares', description_values: { date } }
    expect(describeFiling(filing).text).toBe(`Statement of capital following an allotment of shares on ${date}`)
  })

  test.each(['null', 'no-accounts-type-available'])('accounts of the type %s are accounts', (type) => {
    expect(describeFiling({ description: `accounts-with-accounts-type-${type}` }).text).toBe('Accounts')
  })

  test('capital, resolutions and notes are listed under the sentence, and a filing within itself ends', () => {
    const filing = {
      description: 'capital-allotment-shares',
      description_values: {
        date: '2026-02-01',
        capital: [{ currency: 'GBP', figure: '1,000', date: '2026-02-01' }, { figure: 3 }],
      },
      resolutions: [{ description: 'resolution-adopt-articles' }],
      annotations: [{ annotation: 'Clarification of the date.' }],
      associated_filings: [] as unknown[],
    }
    filing.associated_filings.push(filing)
    const { text, details } = describeFiling(filing)
    expect(text).toBe('Statement of capital following an allotment of shares on 1 February 2026')
    expect(details).toContain('GBP 1,000 on 1 February 2026')
    expect(details).toContain('Resolution of adoption of Articles of Association')
    expect(details).toContain('Note by Companies House: Clarification of the date.')
    expect(details.length).toBeLessThanOrEqual(20)
  })

  test.each([
    ['Shares purchased into treasury:', 'Shares purchased into treasury'],
    ['capital-return-purchase-own-shares', 'Purchase of own shares'],
    ['capital-of-another-kind', 'Capital of another kind'],
  ])('amounts of two kinds are told apart by the name of the second: %s', (description, name) => {
    const values = {
      capital: [{ currency: 'GBP', figure: '1,000', date: '2026-02-01' }],
      alt_capital: [
        { currency: 'GBP', figure: '200', description },
        { currency: 'EUR', figure: '30' },
      ],
    }
    const filing = { description: 'capital-cancellation-shares', description_values: values }
    expect(describeFiling(filing).details).toEqual([
      'GBP 1,000 on 1 February 2026',
      `${name}: GBP 200`,
      `${name}: EUR 30`,
    ])
  })
})
