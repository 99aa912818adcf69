import { createHash } from 'node:crypto'
import type { Question, SecondReader } from './consult.ts'
import { type Answer, type Prompt, TASKS, type Task } from './task.ts'

/** A question as it is written to a file. An answer names it by its id, or by domain and task. */
export interface WrittenQuestion extends Question {
  id: string
}

/** A second reader that writes all questions down and answers none. */
export class QuestionRecorder implements SecondReader {
  readonly checksAll = true
  readonly foundConfidence = 1
  readonly questions: WrittenQuestion[] = []

  get tasks(): ReadonlySet<Task> {
    return ALL
  }

  get model(): string {
    return 'none'
  }

  async ask(question: Question): Promise<Answer | null> {
    const written = { id: toId(question), ...question }
    this.questions.push(written)
    return this.answer(written)
  }

  protected answer(_question: WrittenQuestion): Answer | null | Promise<Answer | null> {
    return null
  }

  /** One line of JSON for each question, by domain. */
  format(): string {
    const sorted = this.questions.toSorted((one, other) => (one.domain < other.domain ? -1 : 1))
    return sorted
      .map(({ id, domain, task, prompt }) => `${JSON.stringify({ id, domain, task, prompt: join(prompt) })}\n`)
      .join('')
  }
}

const ALL: ReadonlySet<Task> = new Set(TASKS)

const toId = ({ domain, task, prompt }: Question): string =>
  createHash('sha256')
    .update(`${domain} ${task}\n${join(prompt)}`)
    .digest('hex')
    .slice(0, 16)

const join = ({ instructions, text }: Prompt): string => `${instructions}\n\n${text}`
