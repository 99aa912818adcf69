/** The number of an advisory lock is one for the whole database: work of two kinds under one number waits for each other. */
import { expect, test } from 'vitest'
import { isProduct, readSources } from '../../tools/house/sources.ts'

const TAKEN = /pg_\w*advisory\w*\(\$1\)[^[]*\[(\w+)\]/g
const SEEDED = /pg_\w*advisory\w*\(hashtextextended\(\$1, (\d+)\)\)/g

const sources = readSources().filter(isProduct)

/** Returns what is there more than once. */
const findRepeated = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) !== index)

test('no two advisory locks have one number', () => {
  const locks = sources.flatMap(({ file, text }) => {
    const names = new Set([...text.matchAll(TAKEN)].map(([, name]) => name))
    return [...names].map((name) => {
      const [, number] = new RegExp(`^const ${name} = ([\\d_]+)$`, 'm').exec(text) ?? []
      expect(number, `${name} in ${file} is a constant of its own file`).toBeDefined()
      return String(number)
    })
  })
  expect(locks.length).toBeGreaterThan(5)
  expect(findRepeated(locks)).toEqual([])
})

test('no two kinds of locks for one thing have one seed', () => {
  const seeds = sources.flatMap(({ text }) => [...text.matchAll(SEEDED)].map(([, seed]) => String(seed)))
  expect(seeds.length).toBeGreaterThan(1)
  expect(findRepeated(seeds)).toEqual([])
})
