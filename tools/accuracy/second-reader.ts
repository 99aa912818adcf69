/** Second readers for measurements: one that only writes the questions down, and one that repeats recorded answers. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Question, Reply, SecondReader } from '../../src/resolver/second-reader/consult.ts'
import { type Answer, CHECK_ANSWER, FIND_ANSWER, TASKS, type Task } from '../../src/resolver/second-reader/task.ts'

/** A question as it is written to a file; an answer names it by its id, or by domain and task. */
export interface WrittenQuestion extends Question {
  id: string
}

export class RecordingReader implements SecondReader {
  readonly tasks: ReadonlySet<Task> = new Set(TASKS)
  readonly checksAll = true
  readonly questions: WrittenQuestion[] = []
  readonly #answers: ReadonlyMap<string, Answer>

  /** `file` has the recorded answers; without it, nothing is answered. */
  constructor(file: string | null) {
    this.#answers = file === null ? new Map() : readAnswers(file)
  }

  async ask(question: Question): Promise<Reply | null> {
    const id = toId(question)
    this.questions.push({ id, ...question })
    const answer = this.#answers.get(id) ?? this.#answers.get(toKey(question))
    return answer?.task === question.task ? { answer, model: 'recorded' } : null
  }
}

const toKey = ({ domain, task }: Pick<Question, 'domain' | 'task'>) => `${domain} ${task}`
const toId = ({ domain, task, prompt }: Question) =>
  createHash('sha256')
    .update(`${toKey({ domain, task })}\n${prompt}`)
    .digest('hex')
    .slice(0, 16)

function readAnswers(file: string): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const row = JSON.parse(line) as { id?: string; domain: string; task: Task }
    const answer: Answer =
      row.task === 'find' ? { task: 'find', ...FIND_ANSWER.parse(row) } : { task: 'check', ...CHECK_ANSWER.parse(row) }
    answers.set(row.id ?? toKey(row), answer)
  }
  return answers
}
