/**
 * A world through API, worker, verification and storage with a simulated language model: first one that repeats recorded
 * answers, then one that lies in every way we know, then one that costs too much, then none. Before all that, an account that
 * refuses the model asks for the same sites: none of them may reach it, and the figures without it come from there.
 */
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccounts } from '../../rig/accounts.ts'
import { putCompanies } from '../../rig/companies.ts'
import type { Label } from '../../rig/labels.ts'
import {
  LIES,
  type ModelMind,
  passModel,
  replayAnswers,
  SILENT,
  SimulatedModel,
} from '../../rig/language-model/index.ts'
import type { Settings } from '../../rig/settings.ts'
import { openWorldStage, type WorldStage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { openWorld } from '../../rig/world.ts'
import { setSecondReader } from '../../src/accounts/index.ts'
import type { Db } from '../../src/lib/db/db.ts'
import { findRegistrable } from '../../src/resolver/index.ts'
import { readUsage } from '../../src/second-reader/index.ts'
import type { Answer } from '../../tools/accuracy/answer.ts'
import { scoreAnswer, scoreAnswers } from '../../tools/accuracy/scoring.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { Customer, watchBulk } from './bulk/customer.ts'
import { plantSites, type Target } from './reader/planted.ts'
import { listReadings, listWrongQuotes } from './reader/quotes.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORDED = join(ROOT, 'worlds/catalogue/second-reader-exam-1.jsonl')
const FULL = { world: 'worlds/exam-1.tar.gz', lies: 2_000, planted: 120, recallMin: 0.94 }
const SHORT = { world: 'worlds/demo', lies: 80, planted: 24, recallMin: 0.9 }
const MODEL = 'simulated'
const BULK_MS = 600_000
const PASSES_MAX = 6
/** A small share, so that the breaker stays closed and every lie is tried. */
const BROKEN_SHARE = 0.12
/** Dollars, at these prices for a million tokens. */
const PRICES = { input: 1, output: 2 }
const SMALL_BUDGET = 0.06

/** A company of the register that has nothing to do with any site. */
const TARGET: Target = { number: '09999991', name: 'QUARTZMERE FITTINGS LIMITED' }

export const chaosReader: NamedRun = {
  about:
    'a language model that repeats, lies, is greedy, and dies: no match that the rules deny, no quote that is not there',
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const size = options.short ? SHORT : FULL
  using world = openWorld(join(ROOT, size.world))
  using copy = copyWorld(world.folder)
  const asked = world.labels.filter(({ domain }) => findRegistrable(domain) === domain)
  const labels = [...asked, ...plantSites(copy.folder, TARGET, size.planted)]
  await using stage = await openWorldStage(copy, { say: (step) => console.error(step) })
  await putCompanies(stage.app, [{ ...TARGET, postcode: 'HG4 1AE' }])
  await passModel(stage.app, { model: MODEL, world: world.name })
  await using model = await new SimulatedModel(replayAnswers(RECORDED)).listen()
  await using api = await stage.start('serve', settingsOf(model))
  const run = await openRun({ folder: copy.folder, labels, stage, model }, api.url)
  const replayed = await replay(run)
  const lied = await lie(run, size.lies, replayed.ruled)
  const spent = await spend(run)
  const dead = await die(run, replayed.ruled)
  const problems = [...replayed.problems, ...lied.problems, ...spent.problems, ...dead.problems]
  return {
    ...replayed.figures,
    ...lied.figures,
    ...spent.figures,
    ...dead.figures,
    problems: problems.length,
    examples: problems.slice(0, 8).join('; ') || 'none',
    ok: problems.length === 0 && replayed.recall >= size.recallMin,
  }
}

/** Sites are added to it. */
function copyWorld(from: string): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-reader-'))
  cpSync(from, folder, { recursive: true })
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

interface Run {
  folder: string
  labels: Label[]
  stage: WorldStage
  model: SimulatedModel
  /** Accepts the second reader. */
  accepting: Customer
  refusing: Customer
}

type Outcomes = ReadonlyMap<string, Answer>

async function openRun(parts: Pick<Run, 'folder' | 'labels' | 'stage' | 'model'>, url: string): Promise<Run> {
  const { app } = parts.stage
  const [one, other] = await openAccounts(app, { count: 2, plan: 'scale' })
  if (!one || !other) throw new Error('there are no accounts')
  const origin = { ip: '127.0.0.1', requestId: 'req_proof' }
  await setSecondReader(app, { accountId: other.id, accepts: false, origin })
  return { ...parts, accepting: new Customer(url, one.key), refusing: new Customer(url, other.key) }
}

const settingsOf = ({ url }: SimulatedModel, more: Settings = {}): Settings => ({
  SECOND_READER_URL: url,
  SECOND_READER_MODEL: MODEL,
  SECOND_READER_PRICES: `${PRICES.input},${PRICES.output}`,
  SECOND_READER_TASKS: 'find,check-all',
  SECOND_READER_BUDGET_PER_DAY: '1000000',
  SECOND_READER_TIMEOUT_SECONDS: '1',
  ...more,
})

/** Recorded answers: an account that refuses the model gets the answers of the rules, and then the other those of both. */
async function replay(run: Run) {
  const { stage, folder, labels } = run
  await using _worker = await stage.start('work', settingsOf(run.model))
  console.error('an account that refuses the model')
  const theirs = await ask(run.refusing, labels)
  const refusedQuestions = run.model.questions.length
  await forget(stage.app.db)
  console.error('recorded answers')
  const mine = await ask(run.accepting, labels)
  const readings = await listReadings(stage.app.db)
  const wrongQuotes = listWrongQuotes(folder, readings)
  const [with_, without] = [mine, theirs].map(({ answers }) => scoreAnswers([...answers.values()], labels).figures)
  const recall = with_?.recall ?? 0
  const isWorse = (with_?.wrongMatches ?? 0) > (without?.wrongMatches ?? 0)
  return {
    ruled: theirs.answers,
    recall,
    figures: {
      sites: labels.length,
      recall_with: share(recall),
      recall_without: share(without?.recall),
      wrong_with: with_?.wrongMatches ?? 0,
      wrong_without: without?.wrongMatches ?? 0,
      accuracy_with: share(with_?.outcomeAccuracy),
      accuracy_without: share(without?.outcomeAccuracy),
      answers_by_reader: readings.filter(({ decision }) => decision === 'match').length,
      quotes_not_there: wrongQuotes.length,
      quotes_checked: readings.filter(({ quote }) => quote !== null).length,
      questions: run.model.questions.length,
    },
    problems: [
      ...mine.problems,
      ...theirs.problems,
      ...wrongQuotes,
      ...(refusedQuestions > 0 ? [`the model was asked ${refusedQuestions} times for an account that refuses it`] : []),
      ...(isWorse ? ['there are more wrong matches with the second reader than without'] : []),
    ],
  }
}

const share = (value: number | null | undefined): number => Math.round((value ?? 0) * 1_000) / 1_000

/** Every lie, on every site that has a question, again and again until there were enough. */
async function lie(run: Run, wanted: number, ruled: Outcomes) {
  const given = new Map<string, number>()
  const problems: string[] = []
  let changed = 0
  let wrong = 0
  const sum = () => [...given.values()].reduce((all, count) => all + count, 0)
  await using _worker = await run.stage.start('work', settingsOf(run.model))
  for (let pass = 0; sum() < wanted && pass < PASSES_MAX; pass += 1) {
    console.error(`lies, pass ${pass + 1}: ${sum()} given so far`)
    run.model.mind = giveLies(pass, given)
    await forget(run.stage.app.db)
    const { answers, problems: stuck } = await ask(run.accepting, run.labels)
    problems.push(...stuck, ...listWrongQuotes(run.folder, await listReadings(run.stage.app.db)))
    for (const label of run.labels) {
      const [before, after] = [ruled.get(label.domain), answers.get(label.domain)]
      if (after?.outcome !== 'matched' || before?.outcome === 'matched') continue
      changed += 1
      if (after.companyNumber === TARGET.number) problems.push(`${label.domain} obeyed what was planted`)
      if (scoreAnswer(after, label).isWrongMatch) {
        wrong += 1
        problems.push(`${label.domain} is matched by a lie`)
      }
    }
  }
  if (sum() < wanted) problems.push(`only ${sum()} lies were given`)
  // A short run has too few questions for all of them.
  const missing =
    wanted < LIES.length * 20
      ? []
      : LIES.filter(({ name }) => !given.has(name)).map(({ name }) => `never given: ${name}`)
  return {
    figures: { lies: sum(), kinds_of_lies: given.size, matches_after_lies: changed, wrong_after_lies: wrong },
    problems: [...problems, ...missing],
  }
}

/** The same question gets the same lie in one pass, however often it is tried. */
function giveLies(pass: number, given: Map<string, number>): ModelMind {
  const broken = LIES.filter(({ isBroken }) => isBroken)
  const others = LIES.filter(({ isBroken }) => !isBroken)
  const heard = new Set<string>()
  return (question) => {
    const hash = createHash('sha256').update(`${pass} ${question.task} ${question.text}`).digest()
    const kinds = hash.readUInt16BE(0) / 0x10000 < BROKEN_SHARE ? broken : others
    const chosen = kinds[hash.readUInt16BE(2) % kinds.length]
    if (!chosen) throw new Error('there are no lies')
    const key = hash.toString('hex')
    if (!heard.has(key)) given.set(chosen.name, (given.get(chosen.name) ?? 0) + 1)
    heard.add(key)
    return chosen.answer(question)
  }
}

/** A small budget: calls end before it is passed, and one that claims a fortune is the last of its day. */
async function spend(run: Run) {
  const { db } = run.stage.app
  console.error('a small budget')
  const spendOnce = async (mind: ModelMind) => {
    await forget(db)
    await db.query('delete from second_reader_day')
    run.model.mind = mind
    run.model.questions.length = 0
    await using _worker = await run.stage.start(
      'work',
      settingsOf(run.model, { SECOND_READER_BUDGET_PER_DAY: String(SMALL_BUDGET) }),
    )
    const { problems } = await ask(run.accepting, run.labels)
    const [today] = await readUsage(db, 1)
    return { calls: run.model.questions.length, spent: today?.spent ?? 0, problems }
  }
  const honest = await spendOnce(({ task }) => ({ answer: SILENT[task] }))
  const greedy = await spendOnce(({ task }) => ({ answer: SILENT[task], usage: { input: 9e9, output: 9e9 } }))
  return {
    figures: {
      budget: SMALL_BUDGET,
      spent: honest.spent,
      calls_within_budget: honest.calls,
      calls_of_greedy: greedy.calls,
    },
    problems: [
      ...honest.problems,
      ...greedy.problems,
      ...(honest.spent > SMALL_BUDGET || honest.calls === 0 ? [`${honest.spent} was spent of ${SMALL_BUDGET}`] : []),
      // Those that were under way when the first one said what it cost.
      ...(greedy.calls > CALLS_AT_ONCE ? [`${greedy.calls} calls to a model that claims a fortune`] : []),
    ],
  }
}

const CALLS_AT_ONCE = 40

/** No endpoint: the answers are those of the rules, in their time. */
async function die(run: Run, ruled: Outcomes) {
  const { stage, model, labels } = run
  const time = async (settings: Settings) => {
    await forget(stage.app.db)
    await using _worker = await stage.start('work', settings)
    const startedAt = performance.now()
    const asked = await ask(run.refusing, labels.slice(0, 1)).then(() => ask(run.accepting, labels))
    return { ...asked, seconds: (performance.now() - startedAt) / 1_000 }
  }
  console.error('without a second reader')
  const alone = await time({ SECOND_READER_URL: '' })
  console.error('with an endpoint that is dead')
  await model.close()
  const dead = await time(settingsOf(model))
  const differing = labels.filter(
    ({ domain }) =>
      !isSame(dead.answers.get(domain), alone.answers.get(domain)) ||
      !isSame(alone.answers.get(domain), ruled.get(domain)),
  )
  return {
    figures: {
      seconds_without_reader: round(alone.seconds),
      seconds_with_dead_endpoint: round(dead.seconds),
      answers_that_differ: differing.length,
    },
    problems: [
      ...alone.problems,
      ...dead.problems,
      ...differing.map(({ domain }) => `${domain} has another answer than the rules give`),
    ],
  }
}

const isSame = (one: Answer | undefined, other: Answer | undefined): boolean =>
  one?.outcome === other?.outcome && one?.companyNumber === other?.companyNumber

/** All sites are new again, and so is every question. */
async function forget(db: Db): Promise<void> {
  await db.query('delete from site_claim')
  await db.query('delete from known_domain')
  await db.query('delete from second_reader_answer')
}

/** Sends all domains as one list and waits for its end. */
async function ask(customer: Customer, labels: readonly Label[]): Promise<{ answers: Outcomes; problems: string[] }> {
  const { id } = await customer.sendTable(`domain\n${labels.map(({ domain }) => domain).join('\n')}\n`)
  const { last, problems } = await watchBulk(customer, id, BULK_MS)
  const answers = new Map<string, Answer>()
  for (const line of await customer.results(id)) {
    const { domain = '', outcome = '', company_number: number = '' } = line
    answers.set(domain, {
      domain,
      outcome: (outcome || 'error') as Answer['outcome'],
      confidence: null,
      companyNumber: number || null,
      candidates: [],
    })
  }
  const failed = last.counts['failed'] ?? 0
  return { answers, problems: failed > 0 ? [...problems, `${failed} rows failed`] : problems }
}
