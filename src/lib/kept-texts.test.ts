import { expect, test } from 'vitest'
import { KeptTexts } from './kept-texts.ts'

test('the oldest texts are dropped once all together are too long', () => {
  const texts = new KeptTexts<{ text: string }>({ charactersMax: 10 })
  for (const name of ['a', 'b', 'c']) texts.keep(name, { text: name.repeat(4) })
  expect(['a', 'b', 'c'].map((name) => texts.find(name)?.text)).toEqual([undefined, 'bbbb', 'cccc'])
})

test('a text that replaces another counts once, and becomes the newest', () => {
  const texts = new KeptTexts<{ text: string }>({ charactersMax: 10 })
  texts.keep('a', { text: 'aaaa' })
  texts.keep('b', { text: 'bbbb' })
  texts.keep('a', { text: 'AA' })
  texts.keep('c', { text: 'cccc' })
  expect(['a', 'b', 'c'].map((name) => texts.find(name)?.text)).toEqual(['AA', 'bbbb', 'cccc'])
  texts.keep('d', { text: 'd' })
  expect(texts.find('b')).toBeUndefined()
})

test('a text longer than all may be is not kept, nor is the one that it would replace', () => {
  const texts = new KeptTexts<{ text: string }>({ charactersMax: 10 })
  texts.keep('a', { text: 'aaaa' })
  texts.keep('a', { text: 'a'.repeat(11) })
  expect(texts.find('a')).toBeUndefined()
  texts.keep('b', { text: 'b'.repeat(10) })
  expect(texts.find('b')?.text).toHaveLength(10)
})
