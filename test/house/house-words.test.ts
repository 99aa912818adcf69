/** Private words of this project do not come back where they were replaced by those of the trade. */
import { expect, test } from 'vitest'
import { findInCode, findInProse, listHouseWords } from '../../tools/house/words.ts'

/** Folders and documents without house words. The list only grows. */
export const CLEAN = [
  'src',
  'clients',
  'console',
  'docs',
  'proofs',
  'rig',
  'test',
  'tools',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]

test.each(CLEAN)('%s has no house words', (under) => {
  expect(listHouseWords(under).map(({ file, line, word }) => `${file}:${line}: ${word}`)).toEqual([])
})

test.each([
  ['const takeTurn = 1', 'take turn'],
  ['function readDoor() {}', 'door'],
  ['// the purse of this process', 'purse'],
  ['/** Answers who holds it. */', '/** Answers who holds it. */'],
  ['interface BulkWish {}', 'wish'],
])('the rule sees a planted word in code: %s', (text, word) => {
  expect(findInCode('planted.ts', text)).toContainEqual(expect.objectContaining({ line: 1, word }))
})

test('the rule reads names, comments and prose, and leaves texts, code and quoted names of tests alone', () => {
  expect(findInCode('planted.ts', "const text = 'nobody knows'")).toEqual([])
  expect(findInProse('planted.md', 'Nobody is told.').map(({ word }) => word)).toEqual(['told', 'nobody'])
  expect(findInProse('planted.md', 'See `nobody`, [a test](nobody.test.ts) "nobody is told".')).toEqual([])
  expect(findInProse('planted.md', '```sh\necho nobody\n```\nnobody')).toMatchObject([{ line: 4, word: 'nobody' }])
})
