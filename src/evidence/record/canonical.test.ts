import { describe, expect, test } from 'vitest'
import { isCanonicalJson, toCanonicalJson } from '../../../packages/evidence-check/index.ts'
import { hashContent, toCanonical } from './canonical.ts'

/** The example of RFC 8785, section 3.2.2. */
const STANDARD = {
  numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
  string: '€$\u000F\u000aA\'B"\\\\"/',
  literals: [null, true, false],
}
const STANDARD_TEXT =
  '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'

const SAMPLES: Array<[name: string, value: object, text: string]> = [
  ['the example of the standard', STANDARD, STANDARD_TEXT],
  [
    'members in the order of UTF-16',
    { '€': 1, '\r': 2, '1': 3, '\u{1f600}': 4, ö: 5, '\ufb33': 6 },
    '{"\\r":2,"1":3,"ö":5,"€":1,"\u{1f600}":4,"\ufb33":6}',
  ],
  ['members inside lists', [{ b: 1, a: [{ d: 1, c: 2 }] }], '[{"a":[{"c":2,"d":1}],"b":1}]'],
  ['minus zero', { zero: -0 }, '{"zero":0}'],
  ['nothing', {}, '{}'],
]

describe('canonical form', () => {
  test.each(SAMPLES)('%s: the library and the check agree', (_, value, text) => {
    expect([toCanonical(value), toCanonicalJson(value)]).toEqual([text, text])
    expect(isCanonicalJson(text)).toBe(true)
  })

  test.each([
    ['a space', '{"a": 1}'],
    ['another order', '{"b":1,"a":2}'],
    ['a member twice', '{"a":1,"a":1}'],
    ['another writing of a number', '{"a":1.0}'],
    ['an escape that is not needed', '{"a":"\\u0041"}'],
    ['a line feed at the end', '{"a":1}\n'],
    ['half a character', '{"a":"\\ud800"}'],
    ['no JSON', '{'],
    ['depth without end', '['.repeat(100) + ']'.repeat(100)],
  ])('%s is not canonical', (_, text) => expect(isCanonicalJson(text)).toBe(false))

  test('half a character from a site becomes the sign for an unreadable one', () => {
    expect(toCanonical({ quote: 'a\ud800b' })).toBe('{"quote":"a\ufffdb"}')
  })

  test('the hash of a content ignores the times that move by themselves, and nothing else', () => {
    const content = { answer: 'x', register: { as_of: '1', company: { record_changed_at: '1', name: 'A' } } }
    const later = { answer: 'x', register: { as_of: '2', company: { record_changed_at: '2', name: 'A' } } }
    const changed = { answer: 'x', register: { as_of: '1', company: { record_changed_at: '1', name: 'B' } } }
    expect(hashContent(later)).toEqual(hashContent(content))
    expect(hashContent(changed)).not.toEqual(hashContent(content))
  })
})
