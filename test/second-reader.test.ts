/** A language model as second reader, over the API: the answers it changes, their cost, and the accounts that refuse it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ModelMind, passModel, SILENT, SimulatedModel } from '../rig/language-model/index.ts'
import { readUsage } from '../src/second-reader/index.ts'
import { ALDER, BRACKEN, newCompany, publish, sellingWords, siteOf, siteSelling } from './setup/companies.ts'
import { prepare, type Reply, startCommand, useTestService, WAIT } from './setup/harness.ts'
import { MODEL, MODEL_KEY, readerConfig } from './setup/second-reader.ts'

const DEMO = join(import.meta.dirname, '../worlds/demo')
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
  test('gets and pays for the shared answer, and no model is asked for it', async () => {
    const [left, objected] = [open(), proven()]
    const ids = [(await ask(left)).body.resolution_id, (await ask(objected)).body.resolution_id]
    const asked = model.questions.length
    const found = await ask(left, { key: refuser.key })
    expect(found.body).toMatchObject({
      resolution_id: ids[0],
      outcome: 'matched',
      method: 'second_reader',
      charged: true,
    })
    const open_ = await ask(objected, { key: refuser.key })
    expect(open_.body).toMatchObject({ resolution_id: ids[1], outcome: 'needs_review', method: 'second_reader' })
    expect(open_.body).toMatchObject({ charged: false, second_reader: { decision: 'object' } })
    expect((await ask(left, { key: refuser.key })).body.charge_reason).toBe('already_paid')
    expect(model.questions).toHaveLength(asked)
  })

  test('waits beside one that accepts, and both get and pay for one answer', async () => {
    const domain = publish(it.web, { ...siteSelling(BRACKEN), responses: { '/': { delay_ms: 1_500 } } })
    const [theirs, mine] = await Promise.all([ask(domain, { key: refuser.key }), ask(domain)])
    expect([mine.body.outcome, theirs.body.outcome]).toEqual(['matched', 'matched'])
    expect([mine.body.charged, theirs.body.charged]).toEqual([true, true])
    expect(theirs.body.resolution_id).toBe(mine.body.resolution_id)
  })

  test('has a site read by the rules where no other account waits for it; a day later others have the model asked', async () => {
    const domain = open()
    const { body } = await ask(domain, { key: refuser.key })
    expect(body).toMatchObject({ outcome: 'no_match', method: 'rules', charged: false })
    expect((await ask(domain)).body.resolution_id).toBe(body.resolution_id)
    it.clock.advance(23 * 3_600)
    expect((await ask(domain, { key: refuser.key })).body.resolution_id).toBe(body.resolution_id)
    expect(model.questions).toHaveLength(0)
    it.clock.advance(2 * 3_600)
    expect((await ask(domain)).body).toMatchObject({ outcome: 'matched', method: 'second_reader' })
  })

  test('does not keep others from having the model asked at once', async () => {
    const domain = open()
    await ask(domain, { key: refuser.key })
    it.clock.advance(20 * 60)
    const { body } = await ask(domain, { body: { max_age_days: 0 } })
    expect(body).toMatchObject({ outcome: 'matched', method: 'second_reader' })
  })

  test('has rows of a bulk job answered like any other account, and no model is asked for them', async () => {
    const domains = [open(), proven()]
    const run = async (key: string, of: string[]) => {
      const { id } = (await it.call('POST', '/v1/bulk', { key, body: { domains: of } })).body
      await expect.poll(async () => (await it.call('GET', `/v1/bulk/${id}`, { key })).body.status).toBe('completed')
      const { text } = await it.call('GET', `/v1/bulk/${id}/results`, { key })
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).outcome)
    }
    expect(await run(refuser.key, [open()])).toEqual(['no_match'])
    expect(model.questions).toHaveLength(0)
    expect(await run(account.key, domains)).toEqual(['matched', 'needs_review'])
    const asked = model.questions.length
    expect(await run(refuser.key, domains)).toEqual(['matched', 'needs_review'])
    expect(model.questions).toHaveLength(asked)
    await it.expectBalanced()
  })

  test('gets no refund for a match of the reader by refusing it afterwards', async () => {
    const keys = await it.openAccount({ credits: 10 })
    const { body } = await ask(open(), { key: keys.key })
    expect(body).toMatchObject({ method: 'second_reader', charged: true })
    await it.call('PATCH', '/v1/account/settings', { key: keys.key, body: { second_reader: false } })
    it.clock.advance(20 * 60)
    await dispute(keys, body.resolution_id)
    expect(await findingFor(keys)).toBe('same')
  })

  test('has a disputed match of the rules read again by the rules alone', async () => {
    const domain = proven()
    const { body } = await ask(domain, { key: refuser.key })
    expect(body).toMatchObject({ outcome: 'matched', method: 'rules', charged: true })
    it.clock.advance(20 * 60)
    await dispute(refuser, body.resolution_id)
    expect(await findingFor(refuser)).toBe('same')
    expect(model.questions).toHaveLength(0)
  })

  test('reads its setting and the model of the service', async () => {
    const { body } = await it.call('GET', '/v1/account/settings', { key: refuser.key })
    expect(body).toEqual({ second_reader: false, second_reader_model: MODEL })
  })
})

test('a request that refuses the model by itself is answered like any other', async () => {
  const { body } = await ask(open(), { body: { second_reader: false } })
  expect(body).toMatchObject({ outcome: 'matched', method: 'second_reader', charged: true })
})

const dispute = ({ key }: { key: string }, id: string) =>
  it.call('POST', `/v1/resolutions/${id}/dispute`, { key, body: { reason: 'No.' } })

async function findingFor({ id }: { id: string }): Promise<string | null> {
  const find = async () => {
    const sql = 'select finding from refund_request where account_id = $1'
    return (await it.app.db.query<{ finding: string | null }>(sql, [id]))[0]?.finding ?? null
  }
  await expect.poll(find).not.toBeNull()
  return find()
}

describe('a disputed match of the rules', () => {
  test.each([
    ['read again', 20 * 60],
    ['read by another account in the last minutes', 0],
  ])('to which the reader objects since is the same to the rules: %s', async (_, waitSeconds) => {
    model.mind = confirming
    const keys = await it.openAccount({ credits: 10 })
    const domain = proven()
    const { body } = await ask(domain, { key: keys.key })
    expect(body).toMatchObject({ outcome: 'matched', method: 'rules', charged: true })
    await it.app.db.query('delete from second_reader_answer')
    model.mind = honest
    it.clock.advance(20 * 60)
    if (waitSeconds === 0) await ask(domain, { body: { max_age_days: 0 } })
    await dispute(keys, body.resolution_id)
    expect(await findingFor(keys)).toBe('same')
    expect((await ask(domain)).body).toMatchObject({ outcome: 'needs_review', method: 'second_reader' })
  })
})

describe('a claim on a company', () => {
  const objecting: ModelMind = ({ task, matched }) => ({
    answer: task === 'find' ? SILENT.find : { ...OBJECTION, company_number: matched },
  })
  const agreeing: ModelMind = ({ task, matched }) => ({
    answer: task === 'find' ? SILENT.find : { ...OBJECTION, company_number: matched, decision: 'confirm' },
  })

  async function publishRivals() {
    const company = await newCompany(it, siteOf)
    const copy = `quick-offers-${company.number}.com`
    it.web.setSite(copy, siteOf(company))
    return { ...company, copy }
  }

  test('is not made by a match that the reader found', async () => {
    expect((await ask(open())).body).toMatchObject({ outcome: 'matched', method: 'second_reader' })
    expect(await it.app.db.query('select from site_claim where company_number = $1', [BRACKEN.number])).toEqual([])
  })

  test('of the rules holds against a copy, although the reader objects to the match', async () => {
    const { domain, copy, number } = await publishRivals()
    model.mind = objecting
    expect((await ask(domain)).body).toMatchObject({ outcome: 'needs_review', method: 'second_reader' })
    model.mind = agreeing
    const { body } = await ask(copy)
    expect(body.outcome).toBe('needs_review')
    expect(body.reason).toContain(`Another site claims this company: ${domain}`)
    const rival = body.evidence.find(({ kind }: { kind: string }) => kind === 'rival_site')
    expect(rival.quote).toContain(number)
  })

  test('is lost to the company’s own site, and the objection stays what is known of the copy', async () => {
    const { domain, copy, number } = await publishRivals()
    model.mind = objecting
    const before = await ask(copy)
    expect(before.body).toMatchObject({ outcome: 'needs_review', second_reader: { decision: 'object' } })
    model.mind = agreeing
    expect((await ask(domain)).body).toMatchObject({ outcome: 'matched', company: { company_number: number } })
    expect((await ask(copy)).body.resolution_id).toBe(before.body.resolution_id)
    const states = `select domain, state from site_claim where company_number = $1 order by domain`
    expect(await it.app.db.query(states, [number])).toEqual([
      { domain, state: 'held' },
      { domain: copy, state: 'contested' },
    ])
  })
})

test('the web site of a company is verified by a match of the rules, and not where the reader objects', async () => {
  const company = await newCompany(it, siteOf)
  const find = () =>
    it.call('POST', '/v1/resolve/company', {
      key: account.key,
      headers: WAIT,
      body: { company_number: company.number, refresh: true },
    })
  model.mind = ({ matched }) => ({ answer: { ...OBJECTION, company_number: matched } })
  expect((await ask(company.domain)).body.outcome).toBe('needs_review')
  expect((await find()).body.website).toMatchObject({ status: 'needs_review', charged: false })
  const asked = model.questions.length
  it.clock.advance(20 * 60)
  expect((await find()).body.website).toMatchObject({ status: 'verified', domain: company.domain, charged: true })
  expect(model.questions).toHaveLength(asked)
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

describe('an operator', () => {
  /** The demo world with a few of its sites. */
  const world = mkdtempSync(join(tmpdir(), 'nameplate-few-sites-'))
  beforeAll(() => {
    cpSync(DEMO, world, { recursive: true, filter: (file) => !file.endsWith('websites.csv') })
    const [header = '', ...labels] = readFileSync(join(DEMO, 'labels.csv'), 'utf8').split('\n')
    const few = labels.filter((line) =>
      /^(?:brinsteadlogistics|clovergablelettings|copperkettle|sunrise-cleaning|thornbeckbakehouse)\./.test(line),
    )
    writeFileSync(join(world, 'labels.csv'), `${[header, ...few].join('\n')}\n`)
  })
  afterAll(() => rmSync(world, { recursive: true }))

  /** In a process alone, because it starts another with its own settings. */
  const evaluate = () => startCommand(it.config, ['second-reader', 'evaluate', world, '--json']).ended
  type Measured = { measures: Array<{ task: string; isPassed: boolean; asked: number; wrongChanges: number }> }

  test('measures a model, and one that is no worse than the rules may check', async () => {
    model.mind = confirming
    const ran = await evaluate()
    const { measures } = JSON.parse(ran.stdout) as Measured
    expect(measures).toMatchObject([
      { task: 'find', isPassed: false, asked: 2 },
      { task: 'check', isPassed: true, asked: 3, wrongChanges: 0 },
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

  test('has sites without a match read again when a model was added', async () => {
    await it.app.db.query('update second_reader_measure set is_passed = false')
    it.app.languageModel.measures = null
    const domain = open()
    expect((await ask(domain)).body.outcome).toBe('no_match')
    await passModel(it.app, { model: MODEL, world: 'exam' })
    it.app.languageModel.measures = null
    expect((await ask(domain)).body.outcome).toBe('no_match')
    const ran = await it.run('second-reader', 'expire')
    expect(ran.stdout).toMatch(/^\d+ answers expired/)
    expect((await ask(domain)).body).toMatchObject({ outcome: 'matched', method: 'second_reader' })
  })

  test('sees what the model passed and what it cost', async () => {
    const ran = await it.run('second-reader', 'status')
    expect(ran.stdout).toContain(MODEL)
    expect(ran.stdout).toContain('is asked')
    expect(ran.stdout).not.toContain(MODEL_KEY)
  })
})
