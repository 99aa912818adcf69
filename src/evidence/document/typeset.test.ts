import { afterAll, describe, expect, test } from 'vitest'
import { HOSTILE_TEXTS, makeRecordOf, makeUsualRecord } from '../../../rig/filed-records.ts'
import { clip } from './clip.ts'
import type { FiledRecord } from './filed-record.ts'
import { openCoverage } from './font-coverage.ts'
import { LOGO } from './make-document.ts'
import { makePrintable } from './printable.ts'
import { ROOMS } from './room.ts'
import { composeSheet, type SheetContext } from './sheet.ts'
import { typesetRecord } from './typeset.ts'
import { openTypesetters } from './typesetters.ts'

const CONTEXT: SheetContext = {
  address: 'https://nameplate.example/verify/evd_NtcFWzR5cMX2vaDAHccHA2dh45m',
  seal: '5352ec90'.repeat(8),
  keyId: 'evk_3fJ2nQeTz0sXv9QyUuDqkLrYbCm',
  stamp: 'stamped',
  qr: LOGO,
  mark: LOGO,
  hasPages: false,
}
const threads = openTypesetters()
afterAll(() => threads.close())
const set = (record: FiledRecord) => typesetRecord(threads, record, { context: CONTEXT, bundle: '{}', warc: null })

test('the same record makes the same bytes, whatever was set in between', async () => {
  const first = await set(makeUsualRecord())
  await set(makeRecordOf('another', 3))
  const again = await set(makeUsualRecord())
  expect(Buffer.compare(first.pdf, again.pdf)).toBe(0)
  expect([first.pages, Buffer.from(first.pdf).includes('/StructTreeRoot')]).toEqual([2, true])
})

describe('words of strangers do not break a document, or make it longer than two pages', () => {
  test.each(Object.entries(HOSTILE_TEXTS))('%s', async (_, text) => {
    for (const times of [0, 1, 500]) {
      const { pages, pdf } = await set(makeRecordOf(text, times))
      expect([times, pages, pdf.length < 300_000]).toEqual([times, 2, true])
    }
  })
})

test('what a typeface lacks becomes a box, and what has no form of its own goes', () => {
  const covers = (point: number) => point < 0x80
  expect(makePrintable({ a: ['x\u202ey', '港'], b: 1, c: null }, covers)).toEqual({
    value: { a: ['xy', '□'], b: 1, c: null },
    missing: 1,
  })
})

test('a table of characters is read as it is written', () => {
  expect(() => openCoverage([Buffer.alloc(12)])).toThrow('cmap')
})

test.each([
  ['as it is', 'a b', 10, 'a b'],
  ['one space for many', 'a \n\t b', 10, 'a b'],
  ['cut with a mark', 'abcdefghijkl', 10, 'abcdef […]'],
  ['half a character is none', `abcde${'\u{1f600}'.repeat(9)}`, 10, 'abcde […]'],
])('a text is clipped: %s', (_, text, max, clipped) => expect(clip(text, max)).toBe(clipped))

test('the words that prove are shown where a long quote is cut', () => {
  const record = makeUsualRecord()
  const [quote] = record.quotes
  if (!quote || !ROOMS[0]) throw new Error('the usual record has a quote')
  quote.quote = `${'before '.repeat(200)}Registered No. 08496536 ${'after '.repeat(200)}`
  const [shown] = composeSheet(record, CONTEXT, ROOMS[0]).quotes
  expect(shown).toMatchObject({
    mark: '08496536',
    before: expect.stringMatching(/^… /),
    after: expect.stringMatching(/\[…\]$/),
  })
})
