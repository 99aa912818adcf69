import type { FullAnswer } from './answer.ts'
import type { Charge } from './charges.ts'
import type { ResolutionJob } from './job-store.ts'
import type { KnownResolution } from './known.ts'
import type { Progress } from './progress.ts'
import type { KnownWebsite } from './website-record.ts'

/** A job, and what it found once it has ended well. */
export type JobReading = { job: ResolutionJob; charge: Charge } & (
  | { kind: 'open'; progress: Progress | null }
  | { kind: 'answered'; known: KnownResolution }
  | { kind: 'test'; answer: FullAnswer }
  | { kind: 'website'; website: KnownWebsite; resolution: KnownResolution | null }
)
