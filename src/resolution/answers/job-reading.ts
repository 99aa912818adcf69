import type { ResolutionJob } from '../ask/job-store.ts'
import type { Charge } from '../money/charges.ts'
import type { KnownWebsite } from '../website/website-record.ts'
import type { Progress } from '../work/progress.ts'
import type { FullAnswer } from './answer.ts'
import type { KnownResolution } from './known.ts'

/** A job, and what it found once it has ended well. */
export type JobReading = { job: ResolutionJob; charge: Charge } & (
  | { kind: 'open'; progress: Progress | null }
  | { kind: 'answered'; known: KnownResolution }
  | { kind: 'test'; answer: FullAnswer }
  | { kind: 'website'; website: KnownWebsite; resolution: KnownResolution | null }
)
