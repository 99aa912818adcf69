import { describe, expect, test } from 'vitest'
import { splitSentences } from '../extract/sentences.ts'
import { quoteOf } from './quote.ts'

function passageOf(text: string) {
  return { text, sentences: splitSentences(text) }
}
function spanOf(text: string, fact: string) {
  const start = text.indexOf(fact)
  return { start, end: start + fact.length }
}
const LONG = 'and we deliver to every town of the north, whatever the weather may be on that day, '.repeat(6)

describe('a quote contains the facts it claims', () => {
  test.each([
    ['in one sentence', 'Acme Tools Ltd, company number 01234567, registered office 1 Mill Lane, Ripon HG4 1AA.'],
    ['in several', 'Acme Tools Ltd sells tools. Company number 01234567. Registered office: 1 Mill Lane, HG4 1AA.'],
    ['far apart in one', `Acme Tools Ltd ${LONG} company number 01234567 ${LONG} registered office HG4 1AA ${LONG}.`],
    ['after much else', `${LONG} ${LONG} Acme Tools Ltd (01234567), HG4 1AA.`],
    ['over lines', `Acme Tools Ltd\n${LONG}\nCompany number\n01234567\n${LONG}\nHG4 1AA`],
    ['in one endless word', `${'x'.repeat(900)}Acme Tools Ltd${'y'.repeat(900)}01234567${'z'.repeat(900)}HG4 1AA`],
  ])('%s', (_, text) => {
    const facts = ['Acme Tools Ltd', '01234567', 'HG4 1AA']
    const quote = quoteOf(
      passageOf(text),
      facts.map((fact) => spanOf(text, fact)),
    )
    for (const fact of facts) expect(quote).toContain(fact)
    expect(quote.length).toBeLessThanOrEqual(360)
  })

  test('a short passage is quoted as it is, and a cut is shown', () => {
    const short = 'Acme Tools Ltd. Company number 01234567.'
    expect(quoteOf(passageOf(short), [spanOf(short, '01234567')])).toBe('Company number 01234567.')
    const long = `${LONG} Acme Tools Ltd ${LONG}`
    const quote = quoteOf(passageOf(long), [spanOf(long, 'Acme Tools Ltd')])
    expect(quote).toMatch(/^… .*Acme Tools Ltd.* …$/)
  })
})
