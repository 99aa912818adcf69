import {
  housekeepingJob,
  renewPlansJob,
  sendPasswordChangedJob,
  sendResetJob,
  sendVerificationJob,
} from './accounts/index.ts'
import type { App } from './app.ts'
import { releaseExpiredHoldsJob } from './credits/index.ts'
import { forgetAnswersJob } from './http/idempotency.ts'
import type { AnyJob } from './lib/jobs.ts'
import { rebuildSearchJob } from './register/index.ts'
import { findWebsiteJob, resolveDomainJob, sweepResolutionsJob } from './resolution/index.ts'
import { recordSignalsJob, sweepOverdueJob } from './signals/index.ts'

/** Every job there is. A worker runs all of them; migrating makes their queues. */
export const JOBS: readonly AnyJob<App>[] = [
  sendVerificationJob,
  sendResetJob,
  sendPasswordChangedJob,
  renewPlansJob,
  housekeepingJob,
  releaseExpiredHoldsJob,
  forgetAnswersJob,
  rebuildSearchJob,
  recordSignalsJob,
  sweepOverdueJob,
  resolveDomainJob,
  findWebsiteJob,
  sweepResolutionsJob,
]
