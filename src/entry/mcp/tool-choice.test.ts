/**
 * Would a careful agent choose the right tool? Many questions as people ask them, each with the tool and the arguments
 * it should lead to, are held against the only thing an agent sees: names, titles, descriptions and schemas. No model
 * is asked; the same questions are there for the day when one is.
 *
 * The rule. A word is a run of letters in lower case, without `ing`, `ed`, `es` or `s` at its end where four letters
 * remain. A tool's words are those of its title and description, but not of sentences that name another tool: they say
 * what it is not for. Then, for every question:
 *
 * 1. its key words, which are words of the question, are all among the words of its tool, and all among those of no
 *    other tool;
 * 2. without any choice of key words: each word of the question that is not a mere function word counts for the tools
 *    that have it, the more the fewer they are (log2 of the number of tools over how many have it), and its tool comes
 *    to more than any other;
 * 3. its arguments are what the tool's input schema takes, and nothing else.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { TOOLS } from './server.ts'

interface Question {
  question: string
  tool: string
  arguments: Record<string, unknown>
  key_words: string[]
}

const FILE = join(import.meta.dirname, '../../../test/tool-choice/questions.json')
const QUESTIONS = JSON.parse(readFileSync(FILE, 'utf8')) as Question[]
const DESCRIPTION_LENGTH_MAX = 900

const NAMES = TOOLS.map(({ name }) => name)
const wordsOf = (text: string) => new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))

function stem(word: string): string {
  return word.replace(/^(\p{L}{4,}?)(?:ing|ed|es|s)$/u, '$1')
}

function ownSentences({ name, title, description }: (typeof TOOLS)[number]): string {
  const others = NAMES.filter((other) => other !== name)
  const sentences = description.split(/(?<=[.?!]) +/)
  return [title, ...sentences.filter((sentence) => !others.some((other) => sentence.includes(other)))].join(' ')
}

const WORDS = new Map(TOOLS.map((tool) => [tool.name, wordsOf(ownSentences(tool))]))

function weightOf(word: string): number {
  const having = [...WORDS.values()].filter((words) => words.has(word)).length
  return having === 0 ? 0 : Math.log2(NAMES.length / having)
}

const FUNCTION_WORDS = wordsOf(`a about after again all an and any are as at be been but by can do does each for from
  had has have how i if in is it its me more my not now of on one only or our so such than that the their them there
  these they this those to was we were what when where whether which while who with you your`)

function scoreOf(question: string, tool: string): number {
  const own = WORDS.get(tool) ?? new Set()
  const counting = [...wordsOf(question)].filter((word) => own.has(word) && !FUNCTION_WORDS.has(word))
  return counting.reduce((sum, word) => sum + weightOf(word), 0)
}

describe.each(QUESTIONS)('$question', ({ question, tool, arguments: input, key_words: keyWords }) => {
  const asked = [...wordsOf(keyWords.join(' '))]

  test(`has its key words in ${tool} and in no other tool`, () => {
    expect(asked.filter((word) => !wordsOf(question).has(word))).toEqual([])
    expect(NAMES.filter((name) => asked.every((word) => WORDS.get(name)?.has(word)))).toEqual([tool])
  })

  test(`leads to ${tool} by all of its words`, () => {
    const ranked = NAMES.map((name) => ({ name, score: scoreOf(question, name) })).toSorted((a, b) => b.score - a.score)
    expect([ranked[0]?.name, (ranked[0]?.score ?? 0) > (ranked[1]?.score ?? 0)]).toEqual([tool, true])
  })

  test('has arguments that the tool takes', () => {
    const schema = TOOLS.find(({ name }) => name === tool)?.input.strict()
    expect(schema?.safeParse(input).error).toBeUndefined()
  })
})

test('the questions are all different, and there are at least four for each tool', () => {
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(QUESTIONS.length)
  for (const name of NAMES) {
    expect([name, QUESTIONS.filter(({ tool }) => tool === name).length >= 4]).toEqual([name, true])
  }
})

describe.each(TOOLS)('$name', ({ name, description, input, output }) => {
  test('begins with the question it answers, says what it costs, and is short', () => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/)
    expect(description).toMatch(/^[A-Z][^.!]+\?/)
    expect(description).toMatch(/\bFree\b|Costs 1 credit/)
    expect(description.length).toBeLessThanOrEqual(DESCRIPTION_LENGTH_MAX)
  })

  test('names only tools that exist, and explains every argument', () => {
    const named = description.match(/\b[a-z]+_(?:company|companies|signals|domain|website|account|job)\b/g) ?? []
    expect(named.filter((one) => !NAMES.includes(one))).toEqual([])
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
    const unexplained = Object.entries(properties).filter(([, one]) => typeof one === 'boolean' || !one.description)
    expect(unexplained.map(([member]) => member)).toEqual([])
    expect(z.toJSONSchema(output).type).toBe('object')
  })
})
