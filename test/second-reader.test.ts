/** A language model as second reader, over the API: the answers it changes, their cost, and the accounts that refuse it. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type ModelMind, passModel, SILENT, SimulatedModel } from '../rig/language-model/index.ts'
import { readUsage } from '../src/second-reader/index.ts'
import { ALDER, BRACKEN, publish, sellingWords, siteOf, siteSelling } from './setup/companies.ts'
import { prepare, type Reply, useTestService, WAIT } from './setup/harness.ts'
import { MODEL, MODEL_KEY, readerConfig } from './setup/second-reader.ts'

const WORDS = sellingWords(BRACKEN)
const FOUND = {
  decision: 'match',
  company_number: BRACKEN.number,
  role: 'operator',
  quote: WORDS,
  why: 'The footer names the company of the site',
  certainty: 0.95,
}
const DOUBT = 'We have been making fine things by hand in our workshop for many years'
const OBJECTION = {
  decision: 'object',
  company_number: ALDER.number,
  quote: DOUBT,
  why: 'The workshop is another one’s',
  certainty: 0.9,
}

const honest: ModelMind = ({ task }) => ({ answer: task === 'find' ? FOUND : OBJECTION })
const confirming: ModelMind = ({ task }) => ({
  answer: task === 'find' ? SILENT.find : { ...OBJECTION, decision: 'confirm', why: 'The footer says so' },
})

const model = await new SimulatedModel(honest).listen()
const it = useTestService({ companies: [ALDER, BRACKEN], secondReader: readerConfig(model) })
const account = prepare(() => it.openAccount({ credits: 100 }))
const refuser = prepare(async () => {
  const keys = await it.openAccount({ credits: 100 })
  await it.call('PATCH', '/v1/account/settings', { key: keys.key, body: { second_reader: false } })
  return keys
})

beforeEach(async () => {
  await passModel(it.app, { model: MODEL, world: 'exam' })
  model.mind = honest
  model.questions.length = 0
  Object.assign(it.app.languageModel, { failures: 0, pauses: 0, pausedUntilMs: 0, measures: null })
})

const ask = (domain: string, options: { key?: string; body?: object; path?: string } = {}): Promise<Reply> =>
  it.call('POST', options.path ?? '/v1/resolve/domain', {
    key: options.key ?? account.key,
    headers: WAIT,
    body: { domain, ...options.body },
  })

const open = () => publish(it.web, siteSelling(BRACKEN))
const proven = () => publish(it.web, siteOf(ALDER))

describe('what the rules left open', () => {
  test('is matched by words that are on the page, costs one credit, and says which model found them', async () => {
    const { body, headers } = await ask(open())
    expect(body).toMatchObject({
      outcome: 'matched',
      method: 'second_reader',
      company: { company_number: BRACKEN.number },
      second_reader: {
        task: 'find',
        decision: 'match',
        quote: WORDS,
        reason: `${FOUND.why}.`,
        model: MODEL,
        prompt_version: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
      charge_reason: 'matched',
    })
    expect(headers.get('credits-spent')).toBe('1')
    // Twenty right ones and no wrong one were measured, and unseen companies of another name gave no more than this.
    expect(body.confidence).toBe(0.95)
    const pack = await it.call('GET', `/v1/resolutions/${body.resolution_id}/evidence`, { key: account.key })
    expect(pack.body).toMatchObject({ method: 'second_reader', second_reader: { quote: WORDS, model: MODEL } })
    const page = await fetch(new URL(`/v1/resolutions/${body.resolution_id}/evidence?format=html`, it.config.baseUrl), {
      headers: { 'x-api-key': account.key },
    })
    expect(await page.text()).toContain('What the second reader says')
  })

  test('is asked once, however often the site is read', async () => {
    const [one, other] = [open(), publish(it.web, siteSelling(BRACKEN))]
    await ask(one)
    expect(model.questions).toHaveLength(1)
    it.clock.advance(20 * 60)
    await ask(one, { body: { max_age_days: 0 } })
    expect(model.questions).toHaveLength(1)
    await ask(other)
    expect(model.questions).toHaveLength(2)
  })

  test('stays open if the words are not on the page', async () => {
    model.mind = () => ({ answer: { ...FOUND, quote: `This site is operated by ${BRACKEN.name}.` } })
    const { body } = await ask(open())
    expect(body).toMatchObject({ outcome: 'no_match', method: 'rules', second_reader: null, charged: false })
  })
})

describe('a match of the rules', () => {
  test('goes to a person with both arguments if the second reader objects, and is free', async () => {
    const domain = proven()
    const { body } = await ask(domain)
    expect(body).toMatchObject({
      outcome: 'needs_review',
      method: 'second_reader',
      company: null,
      second_reader: { task: 'check', decision: 'object', quote: DOUBT },
      candidates: [{ company_number: ALDER.number }],
      charged: false,
      charge_reason: 'needs_review_free',
    })
    expect(body.evidence.map(({ kind, strength }: { kind: string; strength: string }) => [kind, strength])).toEqual(
      expect.arrayContaining([
        ['second_reader', 'against'],
        ['company_number', 'decisive'],
      ]),
    )
    const { body: reviews } = await it.call('GET', '/v1/reviews', { key: account.key })
    expect(reviews.data).toContainEqual(expect.objectContaining({ domain }))
  })

  test('is stated with the reader’s consent, by the rules, for one credit', async () => {
    model.mind = confirming
    const { body } = await ask(proven())
    expect(body).toMatchObject({
      outcome: 'matched',
      method: 'rules',
      second_reader: { decision: 'confirm', quote: DOUBT },
      charged: true,
    })
  })
})

describe('an account that refuses', () => {
  test('gets the answer of the rules and pays for that one alone', async () => {
    const [left, objected] = [open(), proven()]
    for (const domain of [left, objected]) await ask(domain)
    const asked = model.questions.length
    const theirs = await ask(left, { key: refuser.key })
    expect(theirs.body).toMatchObject({ outcome: 'no_match', method: 'rules', charged: false })
    const match = await ask(objected, { key: refuser.key })
    expect(match.body).toMatchObject({ outcome: 'matched', method: 'rules', charged: true, second_reader: null })
    const again = await ask(objected, { key: refuser.key })
    expect(again.body).toMatchObject({ outcome: 'matched', charge_reason: 'already_paid' })
    expect(model.questions).toHaveLength(asked)
  })

  test('waits beside one that accepts, and each gets its own answer', async () => {
    const domain = open()
    const [mine, theirs] = await Promise.all([ask(domain), ask(domain, { key: refuser.key })])
    expect([mine.body.outcome, theirs.body.outcome]).toEqual(['matched', 'no_match'])
    expect([mine.body.charged, theirs.body.charged]).toEqual([true, false])
    expect(theirs.body.resolution_id).not.toBe(mine.body.resolution_id)
  })

  test('pays for its match with the one credit that is held for both its requests', async () => {
    const keys = await it.openAccount({ credits: 1 })
    const domain = publish(it.web, siteOf(ALDER, { responses: { '/': { delay_ms: 2_500 } } }))
    const [refused, accepted] = await Promise.all([
      ask(domain, { key: keys.key, body: { second_reader: false } }),
      ask(domain, { key: keys.key }),
    ])
    expect(refused.body).toMatchObject({ outcome: 'matched', charged: true, charge_reason: 'matched' })
    expect(accepted.body).toMatchObject({ outcome: 'needs_review', charged: false })
    expect(await it.movesOf(keys)).toEqual(['hold domain_asked', 'capture matched'])
    const { body } = await it.call('GET', '/v1/reviews', { key: keys.key })
    expect(body.data).toMatchObject([{ domain }])
  })

  test('asks no model, not even by a single request of another account; a later one that accepts does', async () => {
    const [one, other] = [open(), open()]
    await ask(one, { key: refuser.key })
    await ask(other, { body: { second_reader: false } })
    expect(model.questions).toHaveLength(0)
    it.clock.advance(20 * 60)
    expect((await ask(one)).body).toMatchObject({ outcome: 'matched', method: 'second_reader' })
    expect((await ask(other, { body: { second_reader: false } })).body).toMatchObject({ outcome: 'no_match' })
  })

  test('has both kinds of rows in a bulk by its setting', async () => {
    const domains = [open(), proven()]
    const run = async (key: string) => {
      const { id } = (await it.call('POST', '/v1/bulk', { key, body: { domains } })).body
      await expect.poll(async () => (await it.call('GET', `/v1/bulk/${id}`, { key })).body.status).toBe('completed')
      const { text } = await it.call('GET', `/v1/bulk/${id}/results`, { key })
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).outcome)
    }
    expect(await run(account.key)).toEqual(['matched', 'needs_review'])
    expect(await run(refuser.key)).toEqual(['no_match', 'matched'])
    await it.expectBalanced()
  })

  test('gets no refund for a match of the reader by refusing it afterwards', async () => {
    const keys = await it.openAccount({ credits: 10 })
    const { body } = await ask(open(), { key: keys.key })
    expect(body).toMatchObject({ method: 'second_reader', charged: true })
    await it.call('PATCH', '/v1/account/settings', { key: keys.key, body: { second_reader: false } })
    await it.call('POST', `/v1/resolutions/${body.resolution_id}/dispute`, { key: keys.key, body: { reason: 'No.' } })
    const [request] = await it.app.db.query<{ finding: string }>(
      'select finding from refund_request where account_id = $1',
      [keys.id],
    )
    expect(request).toEqual({ finding: 'same' })
  })

  test('sees nothing of a model that only agreed', async () => {
    model.mind = confirming
    const domain = proven()
    await ask(domain)
    expect((await ask(domain, { key: refuser.key })).body).toMatchObject({ outcome: 'matched', second_reader: null })
  })

  test('sees its setting in the next repeated answer, whichever way it changes it', async () => {
    model.mind = confirming
    const keys = await it.openAccount({ credits: 10 })
    const domain = proven()
    await ask(domain, { key: keys.key })
    const words = { decision: 'confirm' }
    for (const [isAccepted, shown] of [
      [true, words],
      [false, null],
      [true, words],
    ] as const) {
      await it.call('PATCH', '/v1/account/settings', { key: keys.key, body: { second_reader: isAccepted } })
      for (const _ of [1, 2]) {
        const { body } = await ask(domain, { key: keys.key })
        if (shown === null) expect(body.second_reader).toBeNull()
        else expect(body.second_reader).toMatchObject(shown)
        const refused = await ask(domain, { key: keys.key, body: { second_reader: false } })
        expect(refused.body.second_reader).toBeNull()
      }
    }
  })

  test('reads its setting and the model of the service', async () => {
    const { body } = await it.call('GET', '/v1/account/settings', { key: refuser.key })
    expect(body).toEqual({ second_reader: false, second_reader_model: MODEL })
  })
})

describe('an endpoint that fails', () => {
  test('leaves the answers of the rules, and is not asked for a while after five failures', async () => {
    model.mind = () => ({ status: 500, body: '{}' })
    for (let count = 0; count < 6; count += 1) {
      const { body } = await ask(open())
      expect(body).toMatchObject({ outcome: 'no_match', method: 'rules' })
    }
    // Each of five questions was tried three times.
    expect(model.questions).toHaveLength(15)
    expect(it.logText()).toContain('second_reader.paused')
  })

  test('is not asked beyond the day’s budget, and each call is counted', async () => {
    await it.app.db.query('delete from second_reader_day')
    await ask(open())
    const [today] = await readUsage(it.app.db, 1)
    expect(today).toMatchObject({ calls: 1, failures: 0, outputTokens: 90 })
    expect(today?.spent).toBeCloseTo(((today?.inputTokens ?? 0) * 1 + 90 * 2) / 1_000_000, 6)
    await it.app.db.query('update second_reader_day set spent = 1000 * 1000000::bigint')
    const { body } = await ask(open())
    expect(body).toMatchObject({ outcome: 'no_match', method: 'rules' })
    expect(model.questions).toHaveLength(1)
    await it.app.db.query('delete from second_reader_day')
  })

  test('never has its key in the log', () => {
    expect(it.logText()).not.toContain(MODEL_KEY)
  })
})

test('a model that was not measured, or did not pass, is not asked', async () => {
  await it.app.db.query('update second_reader_measure set is_passed = false')
  expect((await ask(open())).body).toMatchObject({ outcome: 'no_match', method: 'rules' })
  await it.app.db.query('delete from second_reader_measure')
  it.app.languageModel.measures = null
  expect((await ask(open())).body).toMatchObject({ outcome: 'no_match', method: 'rules' })
  expect(model.questions).toHaveLength(0)
})

// A world is read twice, with its register: that takes as long as the machine needs.
describe('an operator', { timeout: 300_000 }, () => {
  const evaluate = () => it.run('second-reader', 'evaluate', 'worlds/demo', '--json')
  type Measured = { measures: Array<{ task: string; isPassed: boolean; asked: number; wrongChanges: number }> }

  test('measures a model, and one that is no worse than the rules may check', async () => {
    model.mind = confirming
    const ran = await evaluate()
    const { measures } = JSON.parse(ran.stdout) as Measured
    expect(measures).toMatchObject([
      { task: 'find', isPassed: false, asked: 4 },
      { task: 'check', isPassed: true, asked: 15, wrongChanges: 0 },
    ])
    expect(ran.code).toBe(0)
  })

  test('cannot switch on a model that objects to what is right', async () => {
    model.mind = ({ task, matched, passages }) => ({
      answer:
        task === 'find'
          ? SILENT.find
          : { ...OBJECTION, company_number: matched, quote: passages[0]?.slice(0, 80) ?? null },
    })
    const ran = await evaluate()
    const { measures } = JSON.parse(ran.stdout) as Measured
    expect(measures.map(({ isPassed }) => isPassed)).toEqual([false, false])
    expect(ran.code).toBe(1)
    it.app.languageModel.measures = null
    model.questions.length = 0
    expect((await ask(proven())).body).toMatchObject({ outcome: 'matched', method: 'rules' })
    expect(model.questions).toHaveLength(0)
  })

  test('sees what the model passed and what it cost', async () => {
    const ran = await it.run('second-reader', 'status')
    expect(ran.stdout).toContain(MODEL)
    expect(ran.stdout).toContain('is asked')
    expect(ran.stdout).not.toContain(MODEL_KEY)
  })
})
