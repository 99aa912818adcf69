import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from './input-words.ts'

const cases: Array<[what: string, schema: z.ZodType, input: unknown, message: string]> = [
  ['a missing member', z.string(), undefined, 'is missing'],
  ['text for a number', z.coerce.number(), 'two', 'must be a number'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['a number for text', z.string(), 7, 'must be text'],
  ['text for yes or no', z.boolean(), 'yes', 'must be true or false'],
  ['a list for an object', z.object({}), [], 'must be a JSON object'],
  ['an object for a list', z.array(z.string()), {}, 'must be a list'],
  ['too long', z.string().max(3), 'four', 'must have at most 3 characters'],
  ['too short', z.string().min(1), '', 'must have at least 1 character'],
  ['too many', z.array(z.int()).max(1), [1, 2], 'must have at most 1 entry'],
  ['too large', z.number().max(100), 101, 'must be at most 100'],
  ['too small', z.number().min(1), 0, 'must be at least 1'],
  ['not positive', z.number().positive(), 0, 'must be more than 0'],
  ['not below', z.number().lt(5), 5, 'must be less than 5'],
  ['none of several', z.enum(['live', 'test']), 'both', 'must be one of live, test'],
  ['not the one', z.literal('all'), 'some', 'must be all'],
  ['no e-mail address', z.email(), 'me', 'must be an e-mail address'],
  ['no web address', z.url(), 'me', 'must be a web address'],
  ['no date', z.iso.date(), '2026-13-45', 'must be a date as YYYY-MM-DD'],
  ['no time', z.iso.datetime(), 'noon', 'must be a time as YYYY-MM-DDThh:mm:ssZ'],
  ['another pattern', z.string().regex(/^x$/), 'y', 'has the wrong format'],
  ['no multiple', z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  ['an unknown member', z.strictObject({}), { colour: 1 }, 'has members that are not known: colour'],
  ['none of a union', z.union([z.string(), z.int()]), {}, 'is not valid'],
]

test.each(cases)('%s', (_what, schema, input, message) => {
  const { error } = schema.safeParse(input, { error: describeIssue })
  expect(error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('a long list of values is cut', () => {
  const values = Array.from({ length: 60 }, (_, index) => `value-${index}`) as [string, ...string[]]
  const { error } = z.enum(values).safeParse('', { error: describeIssue })
  expect(error?.issues[0]?.message).toMatch(/value-39, …$/)
})
