import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { PageDocument } from './document.ts'
import { readPage } from './read-page.ts'

const MB = 1024 * 1024
const MILLION = 1_000_000

/** Processor time, so that a busy machine does not fail us. Measured: 0.1 to 0.7 s on an idle machine. */
const CPU_MS_MAX = 2_000
/** Memory of the document after the page is freed. Measured: at most 7 MB. */
const KEPT_BYTES_MAX = 16 * MB
/** Memory that reading allocates, including garbage. Measured: at most 75 MB. */
const TAKEN_BYTES_MAX = 200 * MB

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const is = (expected: Partial<PageDocument>) => (page: PageDocument) => expect(page).toMatchObject(expected)
const texts = (expected: string[]) => (page: PageDocument) =>
  expect(page.blocks.map((block) => block.text)).toEqual(expected)

test.each<[string, () => string, (page: PageDocument) => void]>([
  ['20 MB of paragraphs', () => '<p>Company number 01234567.</p>'.repeat((20 * MB) / 31), is({ cut: true })],
  [
    '10,000 nested boxes',
    () => `${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}<p>after`,
    texts(['deep', 'after']),
  ],
  ['a million nested tags', () => `${'<b>'.repeat(MILLION)}deep${'</i>'.repeat(200_000)}`, texts(['deep'])],
  [
    'end tags that never meet their start',
    () => `<b><div>${'<i>'.repeat(600)}x${'</b>'.repeat(MILLION)}`,
    texts(['x']),
  ],
  ['a million attributes', () => `<p ${Array.from({ length: 500_000 }, (_, n) => `a${n}`).join(' ')}>x`, texts(['x'])],
  ['a million times one attribute', () => `<p ${'class=a '.repeat(500_000)}>x`, texts(['x'])],
  ['an endless attribute', () => `<p title="${'x&amp;'.repeat(600_000)}">x`, texts(['x'])],
  ['a million <', () => '<'.repeat(4 * MILLION), is({ cut: true, links: [] })],
  ['an unclosed comment of 20 MB', () => `<p>x<!--${'-!'.repeat(10 * MB)}`, texts(['x'])],
  ['an unclosed script of 20 MB', () => `<p>x<script>${'</s'.repeat(7 * MB)}`, texts(['x'])],
  ['a million entities', () => `<p>${'&#x41;'.repeat(690_000)}`, is({ visibleCharacters: 690_000 })],
  ['a million half entities', () => `<p>${'&notit'.repeat(690_000)}`, is({ links: [] })],
  ['deep JSON-LD', () => `<script type="application/ld+json">${'[{"a":'.repeat(40_000)}</script>x`, texts(['x'])],
  [
    '80,000 pieces of JSON-LD',
    () => '<script type="application/ld+json">{"a":1}</script>'.repeat(80_000),
    is({ blocks: [] }),
  ],
  ['a million links', () => '<a href=x>x</a>'.repeat(270_000), (page) => expect(page.links).toHaveLength(500)],
  [
    'a million cells',
    () => `<table><tr>${'<td>x'.repeat(MILLION)}`,
    (page) => expect(page.blocks).toHaveLength(20_000),
  ],
  ['a million rows', () => `<table>${'<tr><td>x<td>y'.repeat(MILLION)}`, is({ cut: true })],
  ['tables in tables', () => '<table><tr><td>x'.repeat(260_000), is({ cut: true })],
  ['lists in lists', () => '<ul><li>x'.repeat(400_000), is({ cut: true })],
  ['a million terms', () => `<dl>${'<dt>a<dd>b'.repeat(MILLION)}`, is({ cut: true })],
  ['line breaks', () => 'x<br>'.repeat(800_000), is({ links: [] })],
  ['4 MB of spaces', () => `<p>x${' '.repeat(4 * MB)}`, texts(['x'])],
  ['letters that grow eighteenfold', () => `<p>${'\ufdfa'.repeat(1_300_000)}`, is({ cut: true })],
  ['two million accents', () => `<p>a${'\u0301'.repeat(2 * MILLION)}`, is({ cut: true })],
  ['a million rules', () => `<style>${'.a{left:0}'.repeat(400_000)}</style><p class=a>x`, texts(['x'])],
  ['rules without an end', () => `<style>${'@media x{'.repeat(400_000)}</style>x`, texts(['x'])],
  [
    'styles that hide what came before',
    () => '<p>x</p><style>.a{display:none}</style>'.repeat(100_000),
    is({ cut: true }),
  ],
  [
    'a class for every element',
    () => Array.from({ length: 150_000 }, (_, n) => `<b class="x-${n}">x</b>`).join(''),
    is({ links: [] }),
  ],
  [
    'a style for every element',
    () => Array.from({ length: 100_000 }, (_, n) => `<b style="left:${n}px">x</b>`).join(''),
    is({ links: [] }),
  ],
  ['items in items', () => `${'<div itemscope itemprop=a>'.repeat(150_000)}x`, texts(['x'])],
  ['a million properties', () => '<b itemprop=a>x'.repeat(270_000), is({ links: [] })],
  ['drawings in drawings', () => `${'<svg>'.repeat(800_000)}<p>x`, texts(['x'])],
])('%s', (_, make, check) => {
  const body = Buffer.from(make()).subarray(0, 21 * MB)
  const heapBefore = heapUsed()
  const cpuBefore = process.cpuUsage()
  const page = readPage(body, { url: 'https://acme.co.uk/', contentType: 'text/html' })
  const cpu = process.cpuUsage(cpuBefore)
  const taken = process.memoryUsage().heapUsed - heapBefore
  const kept = heapUsed() - heapBefore
  expect((cpu.user + cpu.system) / 1000).toBeLessThan(CPU_MS_MAX)
  check(page)
  expect(page.blocks.length).toBeLessThanOrEqual(20_000)
  expect(page.visibleCharacters).toBeLessThan(2_100_000)
  for (const block of page.blocks) if (block.text.length > 20_000) expect.unreachable('a block is too long')
  expect(taken).toBeLessThan(TAKEN_BYTES_MAX)
  expect(kept).toBeLessThan(KEPT_BYTES_MAX)
})
