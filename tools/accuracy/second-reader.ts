/** A second reader for measurements, which repeats recorded answers, and the figures with and without it. */
import { readFileSync } from 'node:fs'
import type { Label } from '../../rig/labels.ts'
import type { App } from '../../src/app.ts'
import { DomainError } from '../../src/errors.ts'
import type { Db } from '../../src/lib/db/db.ts'
import type { SecondReader } from '../../src/resolver/index.ts'
import { QuestionRecorder, type WrittenQuestion } from '../../src/resolver/second-reader/question-recorder.ts'
import { type Answer, parseAnswer, type Task } from '../../src/resolver/second-reader/task.ts'
import { openReaderToMeasure, readUsage, type Usage } from '../../src/second-reader/index.ts'
import type { Answer as ScoredSite } from './answer.ts'
import { type Figures, type Score, scoreAnswers } from './scoring.ts'

export class ReplayReader extends QuestionRecorder {
  readonly #answers: ReadonlyMap<string, Answer>

  constructor(file: string) {
    super()
    this.#answers = readAnswers(file)
  }

  protected override answer(question: WrittenQuestion): Answer | null {
    const answer = this.#answers.get(question.id) ?? this.#answers.get(toKey(question))
    return answer?.task === question.task ? answer : null
  }
}

/** Asks the model of the settings, and writes the questions down. */
export class LiveReader extends QuestionRecorder {
  /** Questions with an answer. */
  answered = 0
  readonly #reader: SecondReader

  constructor(app: App) {
    super()
    this.#reader = openReaderToMeasure(app)
  }

  override get tasks(): ReadonlySet<Task> {
    return this.#reader.tasks
  }

  override get model(): string {
    return this.#reader.model
  }

  protected override async answer(question: WrittenQuestion): Promise<Answer | null> {
    const answer = await this.#reader.ask(question)
    if (answer) this.answered += 1
    return answer
  }
}

/** The cost of the calls to a model, by its prices. */
export interface ReaderCost {
  calls: number
  failures: number
  input_tokens: number
  output_tokens: number
  spent: number
  spent_per_1000_sites: number
}

/** Null if no model was called. */
export async function readCost(db: Db, sites: number): Promise<ReaderCost | null> {
  const days = await readUsage(db, 2)
  if (days.length === 0) return null
  const sum = (of: (day: Usage) => number) => days.reduce((total, day) => total + of(day), 0)
  const spent = sum((day) => day.spent)
  return {
    calls: sum((day) => day.calls),
    failures: sum((day) => day.failures),
    input_tokens: sum((day) => day.inputTokens),
    output_tokens: sum((day) => day.outputTokens),
    spent,
    spent_per_1000_sites: (spent / Math.max(1, sites)) * 1_000,
  }
}

interface RecordedAnswer {
  id?: string
  domain: string
  task: Task
}

const toKey = ({ domain, task }: Pick<RecordedAnswer, 'domain' | 'task'>) => `${domain} ${task}`

function readAnswers(file: string): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const row = JSON.parse(line) as RecordedAnswer
    const answer = parseAnswer(row.task, row)
    if (!answer) throw new DomainError('invalid_request', `${file} has a line that is no answer: ${line.slice(0, 200)}`)
    answers.set(row.id ?? toKey(row), answer)
  }
  return answers
}

/** The changes that a second reader made. */
export interface ReaderScore {
  asked: Record<Task, number>
  /** Matches that it found where the rules had none. */
  added: { right: number; wrong: number }
  /** Matches of the rules that it took away: `right` ones were wrong. */
  objected: { right: number; wrong: number }
  /** The figures of the rules alone. */
  without: Figures
}

export function scoreReader(
  questions: readonly WrittenQuestion[],
  { scoredAnswers }: Pick<Score, 'scoredAnswers'>,
  labels: readonly Label[],
): ReaderScore {
  const asked = new Map(questions.map((question) => [question.domain, question]))
  const ruled = scoreAnswers(
    scoredAnswers.map(({ answer }) => toRuled(answer, asked.get(answer.domain))),
    labels,
  )
  const score: ReaderScore = {
    asked: { find: 0, check: 0 },
    added: { right: 0, wrong: 0 },
    objected: { right: 0, wrong: 0 },
    without: ruled.figures,
  }
  for (const { task } of questions) score.asked[task] += 1
  for (const [index, after] of scoredAnswers.entries()) {
    const before = ruled.scoredAnswers[index]
    const [was, is] = [before?.answer.outcome === 'matched', after.answer.outcome === 'matched']
    if (!was && is) score.added[after.isWrongMatch ? 'wrong' : 'right'] += 1
    if (was && !is) score.objected[before?.isWrongMatch ? 'right' : 'wrong'] += 1
  }
  return score
}

function toRuled(answer: ScoredSite, question: WrittenQuestion | undefined): ScoredSite {
  if (!question) return answer
  const { outcome, company, confidence, candidates } = question.ruled
  return {
    ...answer,
    outcome,
    companyNumber: company?.number ?? null,
    confidence,
    candidates: candidates.map((one) => one.company.number),
  }
}
