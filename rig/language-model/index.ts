export { INVENTED, LIES, type Lie } from './lies.ts'
export { type ModelMind, type ModelReply, SimulatedModel } from './model.ts'
export type { AskedQuestion } from './question.ts'
export { replayAnswers, SILENT } from './recorded.ts'
