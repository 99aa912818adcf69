import { secondReaderAnswers } from '../../lib/metrics.ts'
import type { RegisterData } from '../match/register-view.ts'
import type { ExtractedSite, SiteReader } from '../read/site-reader.ts'
import type { Decision } from '../resolution.ts'
import { type Answer, PROMPT_VERSION, type Prompt, type Task, writePrompt } from './task.ts'

/** A language model that reads a case, or a recording of one. */
export interface SecondReader {
  tasks: ReadonlySet<Task>
  /** Every match is checked, not only those of which the rules are less sure. */
  checksAll: boolean
  /** Recorded with each answer. */
  model: string
  /** How often its matches were right where it was measured. */
  foundConfidence: number
  /** Returns null if there is no answer: then the decision of the rules is kept. Never throws. */
  ask(question: Question): Promise<Answer | null>
}

export interface Question {
  /** The requested domain. */
  domain: string
  task: Task
  prompt: Prompt
  /** The decision of the rules. */
  ruled: Pick<Decision, 'outcome' | 'company' | 'confidence' | 'candidates'>
}

interface Consultation {
  domain: string
  extracted: ExtractedSite
  register: RegisterData
  decision: Decision
}

/** Matches stated with less than this are checked: all companies of another name than the site's. */
const CHECKED_BELOW = 0.96

/** Returns the decision of the rules, or what it becomes by a second reader's answer that code has verified. */
export async function consult(
  { reader, secondReader }: { reader: SiteReader; secondReader: SecondReader },
  { domain, extracted, register, decision }: Consultation,
): Promise<Decision> {
  const task = chooseTask(decision, secondReader)
  if (!task) return decision
  const readerCase = await reader.buildCase(extracted, register)
  const prompt = writePrompt(
    task,
    readerCase,
    decision.company && `${decision.company.number} ${decision.company.name}`,
  )
  const answer =
    readerCase.candidates.length === 0 ? null : await secondReader.ask({ domain, task, prompt, ruled: decision })
  if (answer?.task !== task) return decision
  const { model, foundConfidence } = secondReader
  const by = { model, promptVersion: PROMPT_VERSION, foundConfidence }
  const applied = await reader.applyAnswer(extracted, register, { answer, readerCase, by })
  secondReaderAnswers.inc({ task, result: 'refused' in applied ? applied.refused : answer.decision })
  if ('refused' in applied) return decision
  const isChanged = applied.decision.outcome !== decision.outcome
  return isChanged ? { ...applied.decision, ruled: decision } : applied.decision
}

/** Returns the question about a decision; null if there is none, as for a site that cannot be read. */
function chooseTask(
  { outcome, situation, confidence, considered }: Decision,
  { tasks, checksAll }: Pick<SecondReader, 'tasks' | 'checksAll'>,
): Task | null {
  if (outcome === 'matched') {
    return tasks.has('check') && (checksAll || (confidence ?? 0) < CHECKED_BELOW) ? 'check' : null
  }
  const isOpen = outcome === 'needs_review' || outcome === 'no_match'
  return isOpen && situation !== 'dissolved' && considered.length > 0 && tasks.has('find') ? 'find' : null
}

/** Returns whether a second reader would have been asked about a decision that the rules made alone. */
export const isSecondReaderDue = (
  decision: Decision,
  reader: { tasks: readonly Task[]; checksAll: boolean },
): boolean => chooseTask(decision, { ...reader, tasks: new Set(reader.tasks) }) !== null
