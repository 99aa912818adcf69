/** The search of the documentation: for each question in a user's words, the right page comes first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPages } from '../src/entry/site/docs/pages.ts'
import { indexPages } from '../src/entry/site/docs/search.ts'
import { searchIndex } from '../src/entry/site/docs/search-options.ts'

const QUESTIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'docs-questions.json'), 'utf8')) as Array<
  [question: string, page: string]
>
const address = new URL('https://api.example.com')
const pages = readPages({ config: { baseUrl: address, siteUrl: address } as never }).flatMap((group) => group.pages)
const index = indexPages(pages)

test.each(QUESTIONS)('%s', (question, page) => {
  const [first] = searchIndex(index, question)
  expect(first?.href.replace(/^\/docs\//, '').replace(/#.*$/, '')).toBe(page)
})

test('a question without a word finds nothing', () => {
  expect(searchIndex(index, '')).toEqual([])
  expect(searchIndex(index, 'the of to')).toEqual([])
})
