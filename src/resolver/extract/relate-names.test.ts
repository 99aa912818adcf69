/** How near a company's name is to what the site calls itself. */
import { describe, expect, test } from 'vitest'
import { toNameKey } from '../../register/index.ts'
import type { SiteIdentity } from './identity.ts'
import { isSiteName, relateKeys, relateToSite } from './relate-names.ts'

/** Words of which the register is full. */
const COMMON = new Set('LEEDS CARE HOME DESIGN JOINERY KITCHENS GREEN BUILDING FIRST BRITISH'.split(' '))
const isRare = (word: string) => !COMMON.has(word)

function site(label: string, ...brands: string[]): SiteIdentity {
  return {
    domain: `${label}.co.uk`,
    label,
    askedLabel: null,
    brands: brands.map((name) => ({ name, key: toNameKey(name) })),
  }
}

const relate = (company: string, identity: SiteIdentity) => relateToSite(toNameKey(company), identity, isRare)

describe('the domain alone', () => {
  test.each([
    ['Harrowgill Joinery Ltd', 'harrowgilljoinery', 'same'],
    ['Harrowgill Joinery Group Ltd', 'harrowgilljoinery', 'same'],
    ['Harrowgill Joinery (UK) Ltd', 'harrowgilljoineryuk', 'same'],
    ['Harrowgill & Sons Ltd', 'harrowgillandsons', 'same'],
    ['Harrowgill & Sons Ltd', 'harrowgillsons', 'same'],
    ['The Harrowgill Company Ltd', 'harrowgillcompany', 'same'],
    ['Harrowgill Ltd', 'theharrowgill', 'same'],
    ['Harrowgill Ltd', 'harrowgillonline', 'same'],
    ['Harrowgill Joinery Ltd', 'harrowgill', 'contains'],
    ['Harrowgill Ltd', 'harrowgilljoinery', 'contains'],
    ['Harrowgill Joinery Ltd', 'harrowgillstairs', 'contains'],
    ['Harrowgill Joinery Ltd', 'staircasesbyharrowgill', 'shares'],
    ['Green Building Ltd', 'greenstairs', 'none'],
    ['Joinery Leeds Ltd', 'harrowgilljoinery', 'none'],
    ['Pixel Foundry Ltd', 'harrowgilljoinery', 'none'],
    ['AB Ltd', 'ab', 'none'],
  ])('%s and %s.co.uk: %s', (company, label, level) => {
    expect(relate(company, site(label))).toEqual({ level, with: `${label}.co.uk` })
  })
})

describe('the names on the page', () => {
  test.each([
    ['Harrowgill Joinery Ltd', 'Harrowgill Joinery', 'same'],
    ['Harrowgill Holdings Ltd', 'Harrowgill', 'same'],
    ['Harrow Gill Ltd', 'HarrowGill', 'same'],
    ['Harrowgill Joinery Ltd', 'Harrowgill', 'contains'],
    ['Harrowgill Ltd', 'Harrowgill Stairs and Doors', 'contains'],
    ['Oak Harrowgill Ltd', 'Stairs Harrowgill', 'shares'],
    ['Leeds Kitchens Ltd', 'Leeds', 'none'],
    ['First Care Ltd', 'First Kitchens', 'none'],
    ['British Care Home Ltd', 'Leeds Care Home', 'none'],
    ['Pixel Foundry Ltd', 'Harrowgill Joinery', 'none'],
  ])('%s and “%s”: %s', (company, brand, level) => {
    const relation = relate(company, site('stairwell', brand))
    expect(relation.level).toBe(level)
    expect(relation.with).toBe(level === 'none' ? 'stairwell.co.uk' : brand)
  })

  test('the nearest of several counts', () => {
    const relation = relate('Harrowgill Joinery Ltd', site('stairwell', 'Harrowgill', 'Harrowgill Joinery', 'Doors'))
    expect(relation).toEqual({ level: 'same', with: 'Harrowgill Joinery' })
  })
})

test('the relation of two names is the same whichever is asked about', () => {
  const names = ['Harrowgill', 'Harrowgill Joinery', 'Joinery Leeds', 'Harrowgill Group', 'Oak Harrowgill'].map(
    toNameKey,
  )
  for (const one of names) {
    for (const other of names) expect(relateKeys(one, other, isRare)).toBe(relateKeys(other, one, isRare))
  }
})

describe('a piece of a sentence is the site’s name', () => {
  const identity = site('stairwell', 'Stairwell', 'Stairwell Leeds')
  test.each([
    'Stairwell',
    'stairwell',
    '“Stairwell”',
    'Stairwell®',
    'The Stairwell',
    'Stairwell Leeds',
    'Stairwell Ltd',
  ])('%s', (piece) => {
    expect(isSiteName(piece, identity)).toBe(true)
  })

  test.each(['', 'S', 'Doorwell', 'Our partner', 'PayLater', 'This website', 'Leeds'])('not “%s”', (piece) => {
    expect(isSiteName(piece, identity)).toBe(false)
  })
})
