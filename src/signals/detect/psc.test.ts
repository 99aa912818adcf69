/** Owners: their control, sanctions, protection and country; and statements about them. */
import { describe, expect, test } from 'vitest'
import { toRecord } from '../../lib/text/loose-json.ts'
import type { ChangeContext, DetectedSignal } from './detected-signal.ts'
import { detectPsc } from './psc.ts'

const CONTEXT = { company: 'ACME WIDGETS LIMITED', incorporatedOn: '2010-05-04', day: '2026-03-03' }
const KNOWN = { ...CONTEXT, areOwnersKnown: true }
const detect = (before: object | null, after: object | null, context: ChangeContext = CONTEXT): DetectedSignal[] =>
  [detectPsc(before && toRecord(before), after && toRecord(after), context)].flat()
const types = (...change: Parameters<typeof detect>) => detect(...change).map(({ signalType }) => signalType)

const links = { self: '/company/01234567/persons-with-significant-control/individual/psc1' }
const shares = (band: string) => ({ natures_of_control: [`ownership-of-shares-${band}-percent`] })
const HOLDER = {
  kind: 'individual-person-with-significant-control',
  name: 'Dr Jane Smith',
  ...shares('25-to-50'),
  notified_on: '2016-04-06',
  links,
}
const PARENT = { ...HOLDER, ...shares('75-to-100') }
const NEW = { notified_on: '2026-02-20' }

describe('majority owners', () => {
  test.each<[string, object | null, object, boolean]>([
    ['a part becomes the majority', HOLDER, PARENT, true],
    ['just more than half', HOLDER, { ...HOLDER, ...shares('50-to-75') }, true],
    ['half of the votes', HOLDER, { ...HOLDER, natures_of_control: ['voting-rights-50-to-75-percent'] }, true],
    [
      'the right to the board',
      HOLDER,
      { ...HOLDER, natures_of_control: ['right-to-appoint-and-remove-directors'] },
      true,
    ],
    [
      'as a trustee only',
      HOLDER,
      { ...HOLDER, natures_of_control: ['ownership-of-shares-75-to-100-percent-as-trust'] },
      false,
    ],
    ['more of a majority', { ...HOLDER, ...shares('50-to-75') }, PARENT, false],
    ['less', PARENT, HOLDER, false],
    ['a new owner with all', null, { ...PARENT, ...NEW }, true],
    ['a new owner with a part', null, { ...HOLDER, ...NEW }, false],
    ['an owner of years whom we did not know', null, PARENT, false],
    ['a founder', null, { ...PARENT, notified_on: '2010-05-04' }, false],
    ['a new owner who has ceased already', null, { ...PARENT, ...NEW, ceased_on: '2026-03-01' }, false],
    ['one who ceases', HOLDER, { ...PARENT, ceased_on: '2026-03-01' }, false],
    ['natures that were not known before', { ...HOLDER, natures_of_control: [] }, PARENT, false],
    ['natures that no list has', HOLDER, { ...HOLDER, natures_of_control: ['ownership-of-everything'] }, false],
  ])('%s', (_, before, after, isAdded) => {
    expect(types(before, after).includes('majority_owner_added')).toBe(isAdded)
  })

  test.each<[string, object, boolean]>([
    ['notified years late', PARENT, true],
    ['without a date', { ...PARENT, notified_on: undefined }, true],
    ['notified years late, who has ceased', { ...PARENT, ceased_on: '2019-01-01' }, false],
  ])('an owner who comes where all owners were known: %s', (_, after, isAdded) => {
    expect(types(null, after, KNOWN).includes('majority_owner_added')).toBe(isAdded)
    expect(types(null, after)).toEqual([])
  })

  test('an owner without a date became one on the day they came', () => {
    expect(detect(null, { ...PARENT, notified_on: undefined }, KNOWN)[0]).toMatchObject({
      summary: 'Dr Jane Smith became a person with significant control of ACME WIDGETS LIMITED.',
      occurredOn: CONTEXT.day,
    })
  })

  test.each([PARENT.notified_on, '2026-02-01', undefined])(
    'the owners of a new company come with it (%s)',
    (notifiedOn) => {
      const context = { ...KNOWN, incorporatedOn: '2026-02-01' }
      expect(types(null, { ...PARENT, notified_on: notifiedOn }, context)).toEqual([])
    },
  )

  test('is said with the control before and after', () => {
    expect(detect(HOLDER, PARENT)[1]).toMatchObject({
      severity: 'notice',
      summary: 'Dr Jane Smith became a majority owner of ACME WIDGETS LIMITED.',
      occurredOn: '2026-03-03',
      changes: [{ field: 'psc_control', from: 'holder', to: 'parent' }],
    })
  })

  test('the way back is counted, so that the second time is another signal', () => {
    const [, there] = detect(HOLDER, PARENT)
    const [back] = detect(PARENT, HOLDER)
    expect(back?.dedupe.key.startsWith(there?.dedupe.leavingKey ?? '?')).toBe(true)
    expect(detect(HOLDER, PARENT, { ...CONTEXT, day: '2026-04-01' })[1]?.dedupe).toEqual(there?.dedupe)
  })
})

describe('sanctioned owners', () => {
  const SANCTIONED = { ...HOLDER, is_sanctioned: true }
  test('one who was notified years late is reported where all owners were known', () => {
    expect(types(null, SANCTIONED, KNOWN)).toEqual(['psc_changed', 'owner_sanctioned'])
  })

  test.each<[string, object | null, object, boolean]>([
    ['becomes so', HOLDER, SANCTIONED, true],
    ['from a flag that said no', { ...HOLDER, is_sanctioned: false }, SANCTIONED, true],
    ['was so', SANCTIONED, { ...SANCTIONED, ...shares('50-to-75') }, false],
    ['is so no longer', SANCTIONED, HOLDER, false],
    ['a new owner', null, { ...SANCTIONED, ...NEW }, true],
    ['a text for a flag', HOLDER, { ...HOLDER, is_sanctioned: 'true' }, false],
  ])('%s', (_, before, after, isSanctioned) => {
    expect(types(before, after).includes('owner_sanctioned')).toBe(isSanctioned)
  })

  test('the changed record names the mark in plain words', () => {
    expect(detect(HOLDER, SANCTIONED)[0]?.summary).toMatch(/changed: the mark of sanctions\.$/)
  })

  test('is a warning', () => {
    expect(detect(HOLDER, SANCTIONED)[1]).toMatchObject({
      signalType: 'owner_sanctioned',
      severity: 'warning',
      summary: 'Dr Jane Smith, an owner of ACME WIDGETS LIMITED, is marked as sanctioned.',
      changes: [{ field: 'psc_is_sanctioned', from: false, to: true }],
    })
  })
})

describe('protected owners', () => {
  const PROTECTED = { kind: 'super-secure-person-with-significant-control', description: 'super-secure', links }

  test('are reported without a word of what was published before', () => {
    const signals = detect({ ...HOLDER, address: { locality: 'York' } }, PROTECTED)
    expect(signals.map(({ signalType }) => signalType)).toEqual(['psc_changed', 'owner_protected'])
    expect(signals[1]?.summary).toBe(
      'Details of an owner of ACME WIDGETS LIMITED are now protected and no longer published.',
    )
    expect(JSON.stringify(signals)).not.toMatch(/Smith|York|ownership/)
    for (const { changes } of signals) {
      expect(changes).toEqual([{ field: 'psc_kind', from: HOLDER.kind, to: PROTECTED.kind }])
    }
  })

  test('are silent where they were protected before, or are new to us', () => {
    expect(types(PROTECTED, { ...PROTECTED, etag: 'b' })).toEqual([])
    expect(types(null, PROTECTED)).toEqual([])
  })
})

describe('the country of a company that owns', () => {
  const at = (country: string | undefined, kind = 'corporate-entity-person-with-significant-control') => ({
    ...HOLDER,
    kind,
    name: 'ACME HOLDINGS',
    identification: { country_registered: country, registration_number: '123' },
  })

  test.each<[string, object, object, boolean]>([
    ['from the UK to Jersey', at('England'), at('Jersey'), true],
    ['from Ireland to Northern Ireland', at('Ireland'), at('Northern Ireland'), true],
    ['from France to Germany', at('France'), at('Germany'), true],
    ['between the nations of the UK', at('England & Wales'), at('SCOTLAND'), false],
    ['another word for the UK', at('United Kingdom (England)'), at('uk'), false],
    ['a longer name', at('Jersey'), at('Jersey, Channel Islands'), false],
    ['another name of the USA', at('U.S.A.'), at('United States of America'), false],
    ['other capitals', at('FRANCE'), at('France '), false],
    ['not stated before', at(undefined), at('France'), false],
    ['not stated any more', at('France'), at(undefined), false],
    [
      'of a person, who has none',
      at('France', 'individual-person-with-significant-control'),
      at('Germany', 'individual-person-with-significant-control'),
      false,
    ],
    [
      'of a beneficial owner',
      at('France', 'corporate-entity-beneficial-owner'),
      at('Germany', 'corporate-entity-beneficial-owner'),
      true,
    ],
  ])('%s', (_, before, after, isMoved) => {
    expect(types(before, after).includes('owner_country_changed')).toBe(isMoved)
  })

  test('is said with both', () => {
    expect(detect(at('England'), at('Jersey'))[1]).toMatchObject({
      severity: 'notice',
      summary:
        'ACME HOLDINGS, an owner of ACME WIDGETS LIMITED, changed the country where it is registered from England to Jersey.',
      changes: [{ field: 'psc_country_registered', from: 'England', to: 'Jersey' }],
    })
  })
})

describe('statements about owners', () => {
  const STATEMENT = {
    kind: 'persons-with-significant-control-statement',
    statement: 'psc-contacted-but-no-response',
    notified_on: '2026-02-20',
    links: { self: '/company/01234567/persons-with-significant-control-statements/st1' },
  }
  const WITHDRAWN = { ...STATEMENT, ceased_on: '2026-03-01' }
  const OLD = { ...STATEMENT, notified_on: '2017-01-01' }

  test.each<[string, object | null, object | null, string[]]>([
    ['made', null, STATEMENT, ['psc_statement_made']],
    ['made long ago', null, OLD, []],
    ['made at the incorporation', null, { ...STATEMENT, notified_on: '2010-05-04' }, []],
    ['withdrawn', STATEMENT, WITHDRAWN, ['psc_statement_withdrawn']],
    ['withdrawn, reported late', OLD, { ...OLD, ceased_on: '2020-01-01' }, ['psc_statement_withdrawn']],
    [
      'an unknown one that was withdrawn lately',
      null,
      { ...OLD, ceased_on: '2026-03-01' },
      ['psc_statement_withdrawn'],
    ],
    ['made and withdrawn', null, WITHDRAWN, ['psc_statement_made', 'psc_statement_withdrawn']],
    ['withdrawn before', WITHDRAWN, { ...WITHDRAWN, etag: 'b' }, []],
    ['sent again', STATEMENT, { ...STATEMENT, etag: 'b' }, []],
    ['deleted', STATEMENT, null, []],
    ['without its code', null, { ...STATEMENT, statement: undefined }, []],
    ['without a link', null, { ...STATEMENT, links: undefined }, []],
  ])('%s', (_, before, after, expected) => {
    expect(types(before, after)).toEqual(expected)
  })

  test('are said in words', () => {
    expect(detect(null, WITHDRAWN)).toMatchObject([
      {
        severity: 'notice',
        occurredOn: '2026-02-20',
        summary:
          'ACME WIDGETS LIMITED made a statement about its owners on 20 February 2026: The company has given a notice under section 790D or DA of the Act which has not been complied with.',
        changes: [{ field: 'psc_statement', from: null, to: 'psc-contacted-but-no-response' }],
      },
      {
        severity: 'info',
        occurredOn: '2026-03-01',
        changes: [{ field: 'psc_statement', from: 'psc-contacted-but-no-response', to: null }],
      },
    ])
    const failed = { ...STATEMENT, statement: 'psc-has-failed-to-confirm-changed-details' }
    expect(detect(null, failed)[0]?.summary).toContain(': A person with significant control has failed to comply')
    expect(detect(null, { ...STATEMENT, statement: 'a-new-statement' })[0]?.summary).toContain(': A new statement.')
  })
})
