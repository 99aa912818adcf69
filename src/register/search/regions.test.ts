import { expect, test } from 'vitest'
import { findRegion, REGION_OF_AREA, REGIONS } from './regions.ts'
import { findSection, SIC_SECTIONS } from './sections.ts'

test('every postcode area of the UK has one of the twelve regions', () => {
  expect(REGIONS).toHaveLength(12)
  expect(Object.keys(REGION_OF_AREA)).toHaveLength(121)
})

test.each([
  ['EC1V 2NX', 'london'],
  ['ec1v', 'london'],
  ['M1 1AA', 'north-west'],
  ['LS1 4AP', 'yorkshire-and-the-humber'],
  ['CF10 1EP', 'wales'],
  ['EH1 1YZ', 'scotland'],
  ['BT1 5GS', 'northern-ireland'],
  ['JE2 3QA', null],
  ['IM1 2AB', null],
  ['L-1025', null],
  ['D02 X285', null],
  ['10115', null],
  ['', null],
])('the postcode %s is in %s', (postcode, region) => expect(findRegion(postcode)).toBe(region))

test.each([
  ['62012', 'J'],
  ['01110', 'A'],
  ['68209', 'L'],
  ['99000', 'U'],
  ['98000', 'T'],
  // The register's own code for dormant companies, an older code, and a number of no division.
  ['99999', null],
  ['7499', null],
  ['34000', null],
])('the SIC code %s is in section %s', (code, section) => expect(findSection(code)).toBe(section))

test('the sections are the letters from A to U', () => {
  expect(SIC_SECTIONS.join('')).toBe('ABCDEFGHIJKLMNOPQRSTU')
})
