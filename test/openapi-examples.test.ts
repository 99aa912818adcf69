/** Examples of the API: what `examples.test.ts` recorded is in the OpenAPI document, is valid, and does not contradict itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { ERRORS } from '../src/entry/http/errors.ts'

interface Media {
  schema: object
  example?: unknown
  examples?: object
}

interface Operation {
  operationId: string
  parameters?: Array<{ name: string; in: string; schema: object; example?: unknown }>
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, object>; examples: Record<string, { value: object }> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
}
const operations = [document.paths, document.webhooks].flatMap((items) =>
  Object.values(items).flatMap((item) => Object.values(item)),
)

interface Shown {
  at: string
  schema: object
  example: unknown
}

/** Every place of the document where an example belongs. */
const places: Shown[] = operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  const sent = parameters.filter(({ example }) => example !== undefined)
  const bodies = [
    ['body', requestBody] as const,
    ...Object.entries(responses).filter(([status]) => Number(status) < 400),
  ]
  return [
    ...new Set([...ofPath, ...sent]),
    ...bodies.flatMap(([name, part]) => {
      const media = part?.content?.['application/json']
      return media && Number(name) !== 302 ? [{ name, ...media }] : []
    }),
  ].map(({ name, schema, example }) => ({ at: `${operationId} ${name}`, schema, example }))
})

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'doc', components: document.components })

function listProblems({ at, schema, example }: Shown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')
  const validate = ajv.compile(JSON.parse(text) as object)
  if (validate(example)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${at}${instancePath} ${message}`)
}

test('every body, every response of success and every part of a path has an example', () => {
  expect(places.length).toBeGreaterThan(200)
  expect(places.filter(({ example }) => example === undefined).map(({ at }) => at)).toEqual([])
})

test('every example is valid', () => {
  expect(places.flatMap(listProblems)).toEqual([])
})

test('every error that an operation can return has an example, which is valid', () => {
  const named = [...JSON.stringify(document.paths).matchAll(/#\/components\/examples\/(\w+)/g)].map(([, code]) => code)
  const codes = Object.keys(document.components.examples)
  expect(new Set(codes)).toEqual(new Set(named))
  expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining(codes))
  const schema = { $ref: '#/components/schemas/Error' }
  const shown = Object.entries(document.components.examples).map(([at, { value }]) => ({ at, schema, example: value }))
  expect(shown.flatMap(listProblems)).toEqual([])
})

// oxlint-disable-next-line typescript/no-explicit-any -- a rule looks for the members that it is about
type Any = any

/** What must hold in every object that has the members a rule is about. */
const RULES: Record<string, { about: (one: Any) => boolean; holds: (one: Any) => boolean }> = {
  'counts by state come to the total': {
    about: ({ counts }) => typeof counts?.total === 'number' && 'waiting' in counts,
    holds: ({ counts: { total, ...states } }) => sum(Object.values(states)) === total,
  },
  'what is finished has a time, and nothing else has': {
    about: (one) => 'finished_at' in one && 'status' in one,
    holds: ({ status, finished_at: at }) => ['completed', 'cancelled', 'failed'].includes(status) === (at !== null),
  },
  'a match is charged, and nothing else is': {
    about: (one) => typeof one.charged === 'boolean' && typeof one.charge_reason === 'string',
    holds: (one) => one.charged === (one.charge_reason === 'matched'),
  },
  'no more is used than the limit': {
    about: ({ used, limit }) => typeof used === 'number' && typeof limit === 'number',
    holds: ({ used, limit }) => used <= limit,
  },
  'the credits available are those not held': {
    about: ({ balance, held, available }) => [balance, held, available].every((each) => typeof each === 'number'),
    holds: ({ balance, held, available }) => balance - held === available,
  },
  'a page has at most its limit, and a next one where there is more': {
    about: ({ data, limit }) => Array.isArray(data) && typeof limit === 'number',
    holds: ({ data, limit, has_more: hasMore, next_cursor: cursor }) =>
      data.length <= limit && (cursor === undefined || hasMore === undefined || hasMore === (cursor !== null)),
  },
  'the usage of days comes to the totals': {
    about: ({ data, totals }) => Array.isArray(data) && typeof totals?.credits === 'number',
    holds: ({ data, totals }) =>
      sum(data.map(({ credits }: Any) => credits)) === totals.credits &&
      sum(data.map(({ answers }: Any) => answers)) === totals.answers,
  },
  'accounts are overdue once their day is past': {
    about: (one) => typeof one.accounts_days_until_due === 'number',
    holds: (one) => one.accounts_overdue === one.accounts_days_until_due < 0,
  },
  'a key is of the mode that its beginning says': {
    about: ({ mode, prefix }) => typeof mode === 'string' && typeof prefix === 'string',
    holds: ({ mode, prefix }) => prefix.startsWith(`np_${mode}_`),
  },
  'an address names the thing that it belongs to': {
    about: (one) => listOwnAddresses(one).length > 0,
    holds: (one) => listOwnAddresses(one).every(([id, url]) => url.includes(id)),
  },
  'nothing ends before it begins': {
    about: (one) => typeof one.created_at === 'string' && typeof (one.finished_at ?? one.updated_at) === 'string',
    holds: (one) => one.created_at <= (one.finished_at ?? one.updated_at),
  },
  'a signal tells of the company that it names': {
    about: (one) => 'signal_type' in one && typeof one.summary === 'string',
    holds: (one) => one.summary.includes(one.company_name),
  },
}

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)

function listOwnAddresses(one: Any): Array<[id: string, url: string]> {
  const pairs = [
    [one.job_id ?? one.resolution_id, one.status_url],
    [one.resolution_id, one.evidence_url],
    [one.resolution_id, one.resolution_url],
    [one.id, one.results_url],
  ]
  return pairs.filter((pair): pair is [string, string] => pair.every((each) => typeof each === 'string'))
}

function* listObjects(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value
  for (const member of Object.values(value)) yield* listObjects(member)
}

test.each(Object.keys(RULES))('%s', (name) => {
  const { about, holds } = RULES[name] as (typeof RULES)[string]
  const found = places.flatMap(({ at, example }) => [...listObjects(example)].filter(about).map((one) => ({ at, one })))
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(({ one }) => !holds(one))).toEqual([])
})

test('an id in a path is the id of something that another example shows', () => {
  const shown = JSON.stringify(places.map(({ example }) => example))
  const ids = operations.flatMap(({ parameters = [] }) =>
    parameters.filter(({ in: where, example }) => where === 'path' && /^[a-z]+_\w{27}$/.test(String(example))),
  )
  expect(ids.length).toBeGreaterThan(20)
  const strangers = ids.filter(({ example }) => shown.split(JSON.stringify(example)).length < 3)
  expect(strangers).toEqual([])
})
