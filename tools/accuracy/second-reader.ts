/** A second reader for measurements: it repeats recorded answers. */
import { readFileSync } from 'node:fs'
import type { Reply } from '../../src/resolver/second-reader/consult.ts'
import { QuestionRecorder, type WrittenQuestion } from '../../src/resolver/second-reader/question-recorder.ts'
import { type Answer, CHECK_ANSWER, FIND_ANSWER, type Task } from '../../src/resolver/second-reader/task.ts'

export class ReplayReader extends QuestionRecorder {
  readonly #answers: ReadonlyMap<string, Answer>

  constructor(file: string) {
    super()
    this.#answers = readAnswers(file)
  }

  protected override answer(question: WrittenQuestion): Reply | null {
    const answer = this.#answers.get(question.id) ?? this.#answers.get(toKey(question))
    return answer?.task === question.task ? { answer, model: 'recorded' } : null
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
    const answer: Answer =
      row.task === 'find' ? { task: 'find', ...FIND_ANSWER.parse(row) } : { task: 'check', ...CHECK_ANSWER.parse(row) }
    answers.set(row.id ?? toKey(row), answer)
  }
  return answers
}
