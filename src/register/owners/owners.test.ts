/** Which register number an owner may have, and how far it controls a company. */
import { expect, test } from 'vitest'
import { deriveControl } from './control.ts'
import { type Identification, keyOfOwner, readOwnerNumber } from './owner-number.ts'

const NOTHING: Identification = {
  registration_number: null,
  country_registered: null,
  registry: null,
  legal_authority: null,
}
const uk = (...candidates: string[]) => ({ kind: 'uk', candidates })
const uncertain = (...candidates: string[]) => ({ kind: 'uncertain', candidates })
const foreign = (country: string) => ({ kind: 'foreign', country })
const unknown = { kind: 'unknown' }

test.each<[string, Partial<Identification>, object]>([
  ['as it is', { registration_number: '01234567', country_registered: 'England' }, uk('01234567')],
  ['without its zero', { registration_number: '1234567', country_registered: 'United Kingdom' }, uk('01234567')],
  ['with words around it', { registration_number: 'Company No. 01234567', country_registered: 'UK' }, uk('01234567')],
  [
    'with spaces and a hash',
    { registration_number: '# 0123 4567', country_registered: 'England & Wales' },
    uk('01234567'),
  ],
  ['of a partnership', { registration_number: 'oc 301234', country_registered: 'Wales' }, uk('OC301234')],
  [
    'of Scotland with bare digits',
    { registration_number: '123456', country_registered: 'Scotland' },
    uk('SC123456', '00123456'),
  ],
  ['of Scotland in full', { registration_number: 'SC123456', country_registered: 'Scotland' }, uk('SC123456')],
  [
    'of Scotland with eight digits',
    { registration_number: '01234567', country_registered: 'Scotland' },
    uk('01234567'),
  ],
  [
    'of Northern Ireland',
    { registration_number: '45678', country_registered: 'Northern Ireland' },
    uk('NI045678', '00045678'),
  ],
  [
    'of Jersey that pads to a UK one',
    { registration_number: '12345', country_registered: 'Jersey' },
    foreign('Jersey'),
  ],
  [
    'of Jersey under its own Companies Law',
    { registration_number: '12345', legal_authority: 'Companies (Jersey) Law 1991' },
    unknown,
  ],
  [
    'of an overseas entity, with the country it comes from',
    { registration_number: 'OE001234', country_registered: 'Jersey' },
    uncertain('OE001234'),
  ],
  [
    'of a foreign company with a UK establishment',
    { registration_number: 'fc 012345', country_registered: 'Delaware, USA' },
    uncertain('FC012345'),
  ],
  ['of Nigeria', { registration_number: 'RC 123456', country_registered: 'Nigeria' }, uncertain('RC123456')],
  [
    'of an overseas entity that is not whole: it is never padded',
    { registration_number: 'OE1234', country_registered: 'Jersey' },
    foreign('Jersey'),
  ],
  ['of N. Ireland', { registration_number: '45678', country_registered: 'N. Ireland' }, uk('NI045678', '00045678')],
  ['of Britain', { registration_number: '1234567', country_registered: 'Britain' }, uk('01234567')],
  ['of New Britain', { registration_number: '1234567', country_registered: 'New Britain' }, foreign('New Britain')],
  ['of London', { registration_number: '1234567', country_registered: 'London' }, uk('01234567')],
  ['of Cardiff', { registration_number: '1234567', country_registered: 'CARDIFF' }, uk('01234567')],
  ['of Edinburgh', { registration_number: '123456', country_registered: 'Edinburgh' }, uk('SC123456', '00123456')],
  [
    'of London in Canada',
    { registration_number: '1234567', country_registered: 'London, Ontario' },
    foreign('London, Ontario'),
  ],
  ['of Ireland', { registration_number: '371000', country_registered: 'Ireland' }, foreign('Ireland')],
  [
    'of the Republic of Ireland',
    { registration_number: '371000', country_registered: 'Republic of Ireland' },
    foreign('Republic of Ireland'),
  ],
  [
    'of the British Virgin Islands',
    { registration_number: '1234567', country_registered: 'British Virgin Islands' },
    foreign('British Virgin Islands'),
  ],
  [
    'of New South Wales',
    { registration_number: '123456', country_registered: 'New South Wales' },
    foreign('New South Wales'),
  ],
  [
    'of British Columbia',
    { registration_number: '123456', country_registered: 'British Columbia' },
    foreign('British Columbia'),
  ],
  ['of Ukraine', { registration_number: '123456', country_registered: 'Ukraine' }, foreign('Ukraine')],
  ['of a British owner', { registration_number: '1234567', country_registered: 'British' }, uk('01234567')],
  ['of Delaware', { registration_number: '5555555', country_registered: 'USA' }, foreign('USA')],
  [
    'without a country, by its law',
    { registration_number: '1234567', legal_authority: 'Companies Act 2006' },
    uk('01234567'),
  ],
  [
    'without a country, by the acts of both years',
    { registration_number: '1234567', legal_authority: 'Companies Acts 1985 - 2006' },
    uk('01234567'),
  ],
  [
    'without a country, by the year before its law',
    { registration_number: '1234567', legal_authority: 'The 2006 Companies Act' },
    uk('01234567'),
  ],
  [
    'without a country, under a law of the UK in brackets',
    { registration_number: '1234567', legal_authority: 'Companies Act (2006)' },
    uk('01234567'),
  ],
  [
    'without a country, under the act of Ireland',
    { registration_number: '371000', legal_authority: 'Companies Act 2014' },
    unknown,
  ],
  [
    'without a country, under the act of India',
    { registration_number: '371000', legal_authority: 'The Companies Act, 2013' },
    unknown,
  ],
  [
    'without a country, under an act of no year',
    { registration_number: '371000', legal_authority: 'Companies Act' },
    unknown,
  ],
  [
    'without a country, under an act of the UK without a year',
    { registration_number: '1234567', legal_authority: 'UK Companies Act' },
    uk('01234567'),
  ],
  [
    'without a country, by its registry',
    { registration_number: '1234567', registry: 'Companies House, Cardiff' },
    uk('01234567'),
  ],
  [
    'without a country, by its Scottish registry',
    { registration_number: '123456', registry: 'Register of Companies, Scotland' },
    uk('SC123456', '00123456'),
  ],
  ['without any country, whole', { registration_number: 'SC123456' }, uncertain('SC123456')],
  ['without any country, to be padded', { registration_number: '123456' }, unknown],
  [
    'under “N/A”, by its law',
    { registration_number: '1234567', country_registered: 'N/A', legal_authority: 'Companies Act 2006' },
    uk('01234567'),
  ],
  [
    'under its register in place of a country',
    { registration_number: '1234567', country_registered: 'Companies House, Cardiff' },
    uk('01234567'),
  ],
  [
    'under a city, by its registry',
    { registration_number: '1234567', country_registered: 'Manchester', registry: 'Companies House' },
    uk('01234567'),
  ],
  [
    'under a county, whole, by its law',
    { registration_number: '12345678', country_registered: 'Surrey', legal_authority: 'Companies Act 2006' },
    uk('12345678'),
  ],
  [
    'under a county that has a state’s name in it',
    {
      registration_number: '1234567',
      country_registered: 'Virginia Water, Surrey',
      legal_authority: 'Companies Act 2006',
    },
    uk('01234567'),
  ],
  [
    'under a city that says nothing more: it is never padded',
    { registration_number: '1234567', country_registered: 'Manchester' },
    unknown,
  ],
  [
    'under a city that says nothing more, whole',
    { registration_number: '12345678', country_registered: 'Manchester' },
    uncertain('12345678'),
  ],
  [
    'under a name in another language: it is never padded',
    { registration_number: '1234567', country_registered: 'Estados Unidos' },
    unknown,
  ],
  [
    'under a city, by the law of another country',
    {
      registration_number: '1234567',
      country_registered: 'Casablanca',
      legal_authority: 'Companies Act 2006, Morocco',
    },
    unknown,
  ],
  ...[
    'Germany',
    'THE NETHERLANDS',
    'Holland',
    'U.S.A.',
    'u.s.',
    'State of Nevada',
    'Delaware',
    'New York',
    "Côte d'Ivoire",
    'St Kitts & Nevis',
    'Hong Kong',
    'Czech Republic',
    'Turkey',
    'United Arab Emirates',
    'Dubai',
    'Eire',
    'Dublin',
    'DE',
    'LU',
    'Republic of Korea',
    'Luxembourg, Grand Duchy of',
  ].map((country): [string, Partial<Identification>, object] => [
    `of ${country}, whatever the law says`,
    { registration_number: '1234567', country_registered: country, legal_authority: 'Companies Act 2006' },
    foreign(country),
  ]),
  ['N/A', { registration_number: 'N/A', country_registered: 'England' }, unknown],
  ['TBC', { registration_number: 'tbc', country_registered: 'England' }, unknown],
  ['one digit again and again', { registration_number: '11111111', country_registered: 'England' }, unknown],
  ['zero', { registration_number: '0', country_registered: 'England' }, unknown],
  ['too long', { registration_number: '123456789', country_registered: 'England' }, unknown],
  ['missing', { country_registered: 'England' }, unknown],
  ['nothing at all', {}, unknown],
])('a number %s', (_name, given, expected) => {
  expect(readOwnerNumber({ ...NOTHING, ...given })).toEqual(expected)
})

test.each<[string, string[], string | null]>([
  ['three quarters of the shares', ['ownership-of-shares-75-to-100-percent'], 'parent'],
  ['more than half of the votes', ['voting-rights-50-to-75-percent'], 'parent'],
  ['the right to appoint directors', ['right-to-appoint-and-remove-directors'], 'parent'],
  [
    'more than a quarter of an overseas entity, which may be all of it',
    ['ownership-of-shares-more-than-25-percent-registered-overseas-entity'],
    'more_than_quarter',
  ],
  [
    'more than a quarter of an overseas entity, and its board',
    [
      'voting-rights-more-than-25-percent-registered-overseas-entity',
      'right-to-appoint-and-remove-directors-registered-overseas-entity',
    ],
    'parent',
  ],
  ['half of the shares: two such owners are none', ['ownership-of-shares-25-to-50-percent'], 'holder'],
  ['influence alone', ['significant-influence-or-control'], 'holder'],
  ['a majority as a trustee', ['ownership-of-shares-75-to-100-percent-as-trust'], 'through_others'],
  [
    'a majority as a firm, and a small part directly',
    ['voting-rights-75-to-100-percent-as-firm', 'ownership-of-shares-25-to-50-percent'],
    'holder',
  ],
  ['a code of next year', ['ownership-of-the-moon'], null],
  ['a name of every object', ['constructor'], null],
  ['nothing', [], null],
])('an owner with %s', (_name, natures, control) => {
  expect(deriveControl(natures)).toBe(control)
})

const keyIn = (country: string, number = '5555555') =>
  keyOfOwner(
    { ...NOTHING, country_registered: country, registration_number: number },
    { nameKey: 'atlas holdings', isCompany: true },
  )

test.each([
  ['USA', 'United States', 'U.S.A.', 'United States of America', 'usa'],
  ['Jersey', 'JERSEY', ' jersey '],
  ['Delaware, USA', 'Delaware, United States', 'Delaware (U.S.A.)'],
  ['England', 'United Kingdom', 'England & Wales'],
])('owners of %s are one owner however their country is spelled', (...spellings) => {
  expect(new Set(spellings.map((country) => keyIn(country))).size).toBe(1)
})

test('owners with one name and number are two in two countries or states', () => {
  const keys = ['Delaware', 'Nevada', 'Delaware, USA', 'Nevada, USA', 'Jersey', 'New Jersey', 'Germany']
  expect(new Set(keys.map((country) => keyIn(country))).size).toBe(keys.length)
})
