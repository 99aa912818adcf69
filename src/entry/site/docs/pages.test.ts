import { expect, test } from 'vitest'
import { readMarkdown, readSections } from './markdown.ts'
import { readPages } from './pages.ts'
import { readReference } from './reference/pages.ts'

const address = new URL('https://nameplate.test')
const app = { config: { baseUrl: address, siteUrl: address } as never }
const pages = [...readPages(app).flatMap((group) => group.pages), ...readReference(app)]

test.each(pages)('$slug has a title and a sentence for lists of pages', ({ title, lead, markdown }) => {
  expect(markdown.startsWith(`# ${title}\n`), title).toBe(true)
  expect(lead).toMatch(/^\S.{20,}[.?!]$/)
})

test.each(pages)('the words for search of $slug are those of parts that it has', ({ words, markdown }) => {
  const parts = new Set(readSections(markdown).map(({ id }) => id))
  expect(new Set(Object.keys(words)).difference(parts)).toEqual(new Set())
})

test('the sentence is the first of the first paragraph, also below a block of code', () => {
  expect(readMarkdown('# One\n\nA sentence. Another one.\n\n## Two\n\nA third.')).toEqual({
    title: 'One',
    lead: 'A sentence.',
  })
  expect(readMarkdown('# One\n\n```sh\ncurl x\n```\n\nA\nsentence? Yes.')).toEqual({
    title: 'One',
    lead: 'A sentence?',
  })
})
