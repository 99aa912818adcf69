/** One question to the model: repeated from before, or asked within budget, time and attempts. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { SecondReaderConfig } from '../config.ts'
import { DomainError } from '../errors.ts'
import { type ChatModel, type ChatReply, describeChatError, isWorthRetrying } from '../lib/chat-model.ts'
import { secondReaderCalls, secondReaderSeconds } from '../lib/metrics.ts'
import {
  ANSWER_SCHEMAS,
  type Answer,
  PROMPT_VERSION,
  parseAnswer,
  type Question,
  type SecondReader,
  type Task,
} from '../resolver/index.ts'
import { countRepeat, reserveCall, settleCall, type Tokens } from './budget.ts'
import { readMeasures, toProbability } from './measure.ts'

type ReaderApp = Pick<App, 'config' | 'db' | 'clock' | 'log' | 'languageModel'>

/** Returns the model as the resolver asks it; null where none is configured. It has no task until it is measured. */
export async function openSecondReader(app: ReaderApp): Promise<SecondReader | null> {
  const config = app.config.secondReader
  const { chatModel } = app.languageModel
  if (!config || !chatModel) return null
  const { model } = config
  const measures = await readMeasures(app, { model, promptVersion: PROMPT_VERSION })
  const passed = measures.filter(({ task, isPassed }) => isPassed && config.tasks.includes(task))
  const find = passed.find(({ task }) => task === 'find')
  return toReader(
    app,
    { config, chatModel },
    passed.map(({ task }) => task),
    find ? toProbability(find) : 0,
  )
}

/** Returns the model with all its tasks, whether it passed or not: to measure it. */
export function openReaderToMeasure(app: ReaderApp): SecondReader {
  const config = app.config.secondReader
  const { chatModel } = app.languageModel
  if (!config || !chatModel) throw new DomainError('invalid_request', NOT_CONFIGURED)
  return toReader(app, { config, chatModel }, config.tasks, 1)
}

export const NOT_CONFIGURED =
  'No second reader is configured. Set SECOND_READER_URL, SECOND_READER_MODEL and SECOND_READER_PRICES; .env.example explains them.'

function toReader(app: ReaderApp, model: Model, tasks: readonly Task[], foundConfidence: number): SecondReader {
  return {
    tasks: new Set(tasks),
    checksAll: model.config.checksAll,
    model: model.config.model,
    foundConfidence,
    ask: (question) => askSafely(app, model, question),
  }
}

interface Model {
  config: SecondReaderConfig
  chatModel: ChatModel
}

/** An answer of the rules is worth more than an error: whatever fails here is logged, and there is no answer. */
async function askSafely(app: ReaderApp, model: Model, question: Question): Promise<Answer | null> {
  try {
    return await ask(app, model, question)
  } catch (error) {
    secondReaderCalls.inc({ task: question.task, result: 'failed' })
    app.log.warn({ event: 'second_reader.failed', error })
    return null
  }
}

async function ask(app: ReaderApp, model: Model, question: Question): Promise<Answer | null> {
  const { task } = question
  const key = toKey(model.config.model, question)
  const known = await findAnswer(app, question, key)
  if (known) {
    await countRepeat(app)
    secondReaderCalls.inc({ task, result: 'repeated' })
    return known
  }
  const asked = await askModel(app, model, question)
  secondReaderCalls.inc({ task, result: typeof asked === 'string' ? asked : 'answered' })
  if (typeof asked === 'string') return null
  await app.db.query(
    `insert into second_reader_answer (key, task, model, answer, created_at) values ($1, $2, $3, $4, $5)
     on conflict (key) do nothing`,
    [key, task, model.config.model, JSON.stringify(asked), app.clock.now()],
  )
  return asked
}

const toKey = (model: string, { task, prompt }: Question): string =>
  createHash('sha256').update([model, PROMPT_VERSION, task, prompt.text].join('\n')).digest('hex')

async function findAnswer(app: ReaderApp, { task }: Question, key: string): Promise<Answer | null> {
  const [row] = await app.db.query<{ answer: unknown }>('select answer from second_reader_answer where key = $1', [key])
  return row ? parseAnswer(task, row.answer) : null
}

type NoAnswer = 'paused' | 'busy' | 'over_budget' | 'failed' | 'unreadable'

async function askModel(app: ReaderApp, model: Model, question: Question): Promise<Answer | NoAnswer> {
  const state = app.languageModel
  if (performance.now() < state.pausedUntilMs) return 'paused'
  const signal = AbortSignal.timeout(model.config.timeoutSeconds * 1_000)
  const leave = await state.slots.enter()
  if (!leave) return 'busy'
  const end = secondReaderSeconds.startTimer({ task: question.task })
  try {
    // The pause may have begun while this one waited.
    return performance.now() < state.pausedUntilMs ? 'paused' : await callModel(app, model, { ...question, signal })
  } finally {
    end()
    leave()
  }
}

/** Enough for the longest answer that its form allows. */
const OUTPUT_TOKENS_MAX = 600
const RETRIES = 2

type TimedQuestion = Question & { signal: AbortSignal }

async function callModel(app: ReaderApp, model: Model, question: TimedQuestion): Promise<Answer | NoAnswer> {
  const { config } = model
  // A token is at least a byte. Each attempt may be counted, even one whose reply never arrives.
  const bytes = Buffer.byteLength(question.prompt.instructions) + Buffer.byteLength(question.prompt.text)
  const once: Tokens = { input: bytes, output: OUTPUT_TOKENS_MAX }
  const most: Tokens = { input: once.input * (1 + RETRIES), output: once.output * (1 + RETRIES) }
  const call = await reserveCall(app, config, most)
  if (!call) return 'over_budget'
  const tokens: Tokens = { input: 0, output: 0 }
  let answer: Answer | null = null
  let failure: NoAnswer = 'failed'
  try {
    const reply = await askWithRetries(model, question, () => add(tokens, once))
    count(tokens, reply, once)
    answer = readAnswer(question, reply)
    failure = 'unreadable'
  } catch (error) {
    app.log.warn({ event: 'second_reader.call_failed', reason: describeChatError(error) })
  }
  notePause(app, answer !== null)
  await settleCall(app.db, call, { tokens, isFailed: answer === null, prices: config.prices })
  return answer ?? failure
}

function add(tokens: Tokens, { input, output }: Tokens): void {
  tokens.input += input
  tokens.output += output
}

/** An endpoint that does not say what a call took is taken to have used the most. */
function count(tokens: Tokens, { inputTokens, outputTokens }: ChatReply, most: Tokens): void {
  const isCount = (value: number | null): value is number => value !== null && Number.isFinite(value) && value >= 0
  add(tokens, {
    input: isCount(inputTokens) ? Math.ceil(inputTokens) : most.input,
    output: isCount(outputTokens) ? Math.ceil(outputTokens) : most.output,
  })
}

const BACKOFF_MS = 300

/** Asks once and, where that may help, twice more, all within the time for one question. */
async function askWithRetries(
  { chatModel }: Model,
  { task, prompt, signal }: TimedQuestion,
  onLost: () => void,
): Promise<ChatReply> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const schema = ANSWER_SCHEMAS[task]
      return await chatModel.ask({ ...prompt, schema, outputTokensMax: OUTPUT_TOKENS_MAX, signal })
    } catch (error) {
      if (isCharged(error)) onLost()
      if (attempt >= RETRIES || signal.aborted || !isWorthRetrying(error)) throw error
      await sleep(BACKOFF_MS * 2 ** attempt, undefined, { signal })
    }
  }
}

/** A call that was refused with a status, or never connected, costs nothing; of any other we cannot know. */
function isCharged(error: unknown): boolean {
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode < 400
  }
  return !/ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(describeCodes(error))
}

function describeCodes(error: unknown): string {
  const codes: string[] = []
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one) codes.push(String(one.code))
  }
  return codes.join(' ')
}

function readAnswer({ task }: Question, { text }: ChatReply): Answer | null {
  try {
    return parseAnswer(task, JSON.parse(text))
  } catch {
    return null
  }
}

const FAILURES_MAX = 5
const PAUSE_MS = 60_000
const PAUSE_MS_MAX = 15 * 60_000

/** After five failures in a row the model is not asked for a minute; each pause that did not help doubles the next. */
function notePause({ languageModel: state, log }: ReaderApp, isAnswered: boolean): void {
  if (isAnswered) {
    Object.assign(state, { failures: 0, pauses: 0 })
    return
  }
  // Calls that were under way when the pause began say nothing new.
  if (performance.now() < state.pausedUntilMs) return
  state.failures += 1
  if (state.failures < FAILURES_MAX) return
  const pauseMs = Math.min(PAUSE_MS * 2 ** state.pauses, PAUSE_MS_MAX)
  state.pauses += 1
  // After the pause one failure is enough for the next.
  state.failures = FAILURES_MAX - 1
  state.pausedUntilMs = performance.now() + pauseMs
  log.warn({ event: 'second_reader.paused', seconds: pauseMs / 1_000 })
}
