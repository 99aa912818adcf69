import type { Random } from '../../../rig/random.ts'

/** No page may hold it unescaped: a browser would run it. */
export const SCRIPT_MARK = '<script>fuzzed()</script>'

/** Texts that are known to break programs. */
export const HOSTILE_TEXTS: readonly string[] = [
  ['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff\ud800y', '\ufeff', '\ufffe\uffff', '\u2028\u2029\u0085'],
  '\u202Etxet sdrawkcab',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '\u0301'.repeat(200),
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 ﬀ①Å İıſK ９９'.split(' '),
  '\r\nX-Injected: yes',
  '%0d%0aX-Injected:%20yes',
  "' or '1'='1",
  "'; drop table account; --",
  '" union all select null, null --',
  '$1 $2 ::int',
  [String.raw`%_%\_\%`, 'a\\', ":*|&!<->'"],
  SCRIPT_MARK,
  `"><img src=x onerror=fuzzed()>${SCRIPT_MARK}`,
  `javascript:fuzzed()//${SCRIPT_MARK}`,
  '${7*7}{{7*7}}<%= 7*7 %>#{7*7}',
  '../../../../etc/passwd ..%2f..%2f..%2fetc%2fpasswd %2e%2e%5c file:///etc/passwd'.split(' '),
  'http://127.0.0.1/ http://[::1]:5432/ http://169.254.169.254/latest/meta-data/'.split(' '),
  'https://user:secret@hooks.co.uk/',
  'xn-- xn--a-ecp.co.uk a..co.uk -.- 1.2.3.4 0x7f.1'.split(' '),
  [`${'a'.repeat(64)}.co.uk`, `${'a.'.repeat(126)}uk`, 'ex ample.co.uk', 'example.co.uk\n'],
  '__proto__ constructor toString hasOwnProperty null undefined NaN true [] {}'.split(' '),
  '-1 007 1e3 0x10 1_000 9007199254740993 99999999999999999999999999999 1.0000000000000001'.split(' '),
  '0001-01-01 9999-12-31 2026-02-30 +275760-09-13T00:00:00Z 2026-01-01T24:00:00Z'.split(' '),
  '0_rev_000000000000000000000000000 1e-999_rev_000000000000000000000000000'.split(' '),
  `${'9'.repeat(300)}_rev_000000000000000000000000000`,
  'sig_999999999999999 sig_0 9999999999999-ZZZZZZZZ 0000000000000-00000000 cursor'.split(' '),
].flat()

/** Around what 32 and 64 bits hold, and what a number of JavaScript holds. */
const HOSTILE_NUMBERS: readonly number[] = [
  [-1, -0, 0.1, 1e-320, 1e21, 1e308, -1e308],
  [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 63)],
].flat()

/** JSON that no value can be written as, or that takes a reader apart. */
export function hostileJson(random: Random): string {
  return random.pick(RAW_JSON)(random)
}

const depth = (random: Random) => random.pick([100, 1_000, 10_000, 30_000])

const RAW_TEXTS = [
  `NaN -Infinity 1e999 -1e-999 007 0x10 -0 12345678901234567890.12345678901234567890 undefined 'single'`.split(' '),
  `1${'0'.repeat(400)}`,
  [String.raw`"\ud800"`, String.raw`"\u0000"`, '"\u0001"'],
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
].flat()

const RAW_JSON: ReadonlyArray<(random: Random) => string> = [
  ...RAW_TEXTS.map((text) => () => text),
  (random) => '['.repeat(depth(random)),
  (random) => {
    const levels = depth(random)
    return '['.repeat(levels) + ']'.repeat(levels)
  },
  (random) => {
    const levels = Math.min(10_000, depth(random))
    return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  },
  (random) => `"${'x'.repeat(random.pick([300, 3_000, 60_000, 70_000]))}"`,
  (random) => `[${Array.from({ length: random.pick([200, 2_000, 12_000]) }, () => '"a"').join()}]`,
  (random) => `{${Array.from({ length: random.pick([50, 2_000]) }, (_, index) => `"k${index}":${index}`).join()}}`,
]

/** A value of any type but the one that is expected, as often as not. */
export function hostileValue(random: Random): unknown {
  const kind = random.below(10)
  if (kind < 5) return random.pick(HOSTILE_TEXTS)
  if (kind < 7) return random.pick(HOSTILE_NUMBERS)
  return random.pick<unknown>([
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    { toString: 1, valueOf: 2 },
    ['a', 1],
  ])
}

export function longText(random: Random): string {
  const unit = random.pick(['x', 'é', '👾', ' ', 'a.', '%', '(', 'Ltd ', '0'])
  return unit.repeat(random.pick([201, 257, 2_049, 8_000]))
}
