import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareNames, type NameAgreement, parsePersonName } from './person-name.ts'

const parts = (forename: string, surname: string, others?: string) => ({ forename, surname, other_forenames: others })

test.each<[written: string, forenames: string[], surname: string]>([
  ['SMITH, Robert John', ['ROBERT', 'JOHN'], 'SMITH'],
  ['SMITH, Robert John, Dr', ['ROBERT', 'JOHN'], 'SMITH'],
  ['Robert John SMITH', ['ROBERT', 'JOHN'], 'SMITH'],
  ['Mr Robert SMITH', ['ROBERT'], 'SMITH'],
  ['José DE LA CRUZ', ['JOSE'], 'DELACRUZ'],
  ['Anne-Marie O’NEIL-WARD', ['ANNE', 'MARIE'], 'ONEILWARD'],
  ['Kevin HENRY (AKA KEVIN GREGORY)', ['KEVIN'], 'HENRY'],
  ['John Smith (formerly Jones)', ['JOHN'], 'SMITH'],
  ['John SMITH (AKA Jones, Jack)', ['JOHN'], 'SMITH'],
  ['SMITH (formerly Jones), John', ['JOHN'], 'SMITH'],
  ['Robert Smith', ['ROBERT'], 'SMITH'],
  ['ROBERT SMITH', ['ROBERT'], 'SMITH'],
])('%s is read as forenames and a surname', (name, forenames, surname) => {
  expect(parsePersonName({ name })).toMatchObject({ forenames, surname })
})

test.each([
  [{ name: 'O’NEIL-WARD, Anne-Marie Jo' }, 'Anne-Marie O’NEIL-WARD'],
  [{ name: 'Mr José DE LA CRUZ' }, 'José DE LA CRUZ'],
  [parts('Kevin', 'HENRY  (AKA KEVIN GREGORY)', 'Lee'), 'Kevin HENRY'],
])('%j is searched for as it is written', (data, written) => {
  expect(parsePersonName({ ...data })?.written).toBe(written)
})

test.each(['', '   ', 'SMITH', ',', 'SMITH,', ', Robert', '(AKA X)', 'Dr SMITH'])('%j names nobody', (name) => {
  expect(parsePersonName({ name })).toBeNull()
})

test.each<[string, object, object, NameAgreement]>([
  ['every word', parts('Robert', 'SMITH', 'John'), { name: 'SMITH, Robert John' }, 'same'],
  ['accents and case', parts('Zoë', 'Müller'), parts('ZOE', 'MULLER'), 'same'],
  ['elements of a name', { name: 'X', name_elements: parts('Jo', 'WARD') }, parts('Jo', 'WARD'), 'same'],
  ['a left out forename', parts('Robert', 'SMITH', 'John'), parts('Robert', 'SMITH'), 'alike'],
  ['an initial', parts('Robert', 'SMITH', 'J'), parts('Robert', 'SMITH', 'John Paul'), 'alike'],
  ['another second forename', parts('Robert', 'SMITH', 'John'), parts('Robert', 'SMITH', 'Paul'), 'different'],
  ['the second forename alone', parts('Robert', 'SMITH', 'John'), parts('John', 'SMITH'), 'different'],
  ['an initial for the first', parts('R', 'SMITH'), parts('Robert', 'SMITH'), 'different'],
  ['another surname', parts('Robert', 'SMITH'), parts('Robert', 'SMYTH'), 'different'],
])('%s', (_, one, other, agreement) => {
  const names = [parsePersonName({ ...one }), parsePersonName({ ...other })]
  const [a, b] = names
  if (!a || !b) throw new Error('a name is not read')
  expect([compareNames(a, b), compareNames(b, a)]).toEqual([agreement, agreement])
})

test('whatever is written, reading it never fails, and a name agrees with itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (forename, surname) => {
      const name = parsePersonName({ forename, surname })
      if (name) expect(compareNames(name, name)).toBe('same')
      parsePersonName({ name: `${forename}, ${surname}` })
    }),
  )
})
