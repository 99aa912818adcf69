import { describe, expect, test } from 'vitest'
import { markWords } from './mark-words.ts'

const RECORD = {
  company_number: '05820417',
  company_name: 'BRACKENMILL & SONS TEXTILES LIMITED',
  registered_postcode: 'HG4 1AB',
}
const marked = (quote: string) => markWords(quote, RECORD).flatMap(({ text, isMarked }) => (isMarked ? [text] : []))

describe('the words of a quote that the register has too are marked', () => {
  test.each([
    ['© Brackenmill & Sons Textiles Ltd. Company No. 5820417', ['Brackenmill & Sons Textiles Ltd', '5820417']],
    ['Brackenmill and Sons Textiles, hg41ab Ripon', ['Brackenmill and Sons Textiles', 'hg41ab']],
    ['No. 058 20417 at HG4 1AB', ['058 20417', 'HG4 1AB']],
    ['Brackenmill Textiles, 15820417, HG4 1ABC', []],
  ])('%s', (quote, words) => {
    expect(marked(quote)).toEqual(words)
    expect(
      markWords(quote, RECORD)
        .map(({ text }) => text)
        .join(''),
    ).toBe(quote)
  })

  test('without a record nothing is marked', () => {
    expect(markWords('Brackenmill', null)).toEqual([{ text: 'Brackenmill', isMarked: false }])
  })
})
