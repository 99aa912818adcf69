/**
 * The second reader as a service: a language model that is asked what the rules leave open.
 *
 * Promises: a question is asked only for tasks that the model was measured on and passed; never beyond the day's budget;
 * never longer than its time; the same question once. Whatever the endpoint does, the rules' answer is there.
 * Never does: believe an answer (the resolver verifies it), or call an address that a page names.
 */
export { readUsage, type Usage } from './budget.ts'
export { forgetReaderAnswersJob } from './jobs.ts'
export { listMeasures, type Measure, recordMeasure } from './measure.ts'
export { NOT_CONFIGURED, openReaderToMeasure, openSecondReader } from './second-reader.ts'
