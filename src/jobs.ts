import {
  housekeepingJob,
  renewPlansJob,
  resendVerificationJob,
  sendPasswordChangedJob,
  sendResetJob,
  sendSecurityNoticeJob,
  sendVerificationJob,
} from './accounts/index.ts'
import type { App } from './app.ts'
import { feedBulkJob, sweepBulkJob } from './bulk/index.ts'
import { releaseExpiredHoldsJob } from './credits/index.ts'
import { forgetAnswersJob } from './entry/http/idempotency.ts'
import { anchorAuditJob, stampLateJob, stampRecordJob } from './evidence/index.ts'
import { makePartitionsJob } from './lib/db/partitions.ts'
import type { AnyJob } from './lib/jobs/jobs.ts'
import { forgetPayloadsJob } from './oauth/index.ts'
import { expirePagesJob, moveBodiesJob } from './page-archive/index.ts'
import { forgetAddressesJob, removeNamesJob, sweepNamesJob } from './privacy/index.ts'
import { rebuildSearchJob } from './register/index.ts'
import {
  deleteOldAnswersJob,
  forgetHistoryJob,
  keepPagesLongerJob,
  resolveDomainJob,
  sweepResolutionsJob,
} from './resolution/index.ts'
import { checkDisputeJob } from './review/index.ts'
import { forgetReaderAnswersJob } from './second-reader/index.ts'
import {
  followMissedJob,
  followWatchedJob,
  forgetTestSignalsJob,
  recordSignalsJob,
  sendDigestJob,
  sendInstantJob,
  sendListDigestJob,
  startDigestsJob,
  sweepIdentityJob,
  sweepOverdueJob,
  sweepStatementsJob,
} from './signals/index.ts'
import {
  deliverJob,
  forgetEventsJob,
  publishAuditJob,
  retryJob,
  sendDisabledJob,
  wakeDestinationsJob,
} from './webhooks/index.ts'
import { checkWebsiteJob, findWebsiteJob, scheduleWebsiteChecksJob } from './websites/index.ts'

/** Every job there is. A worker runs all of them; migrating makes their queues. */
export const JOBS: readonly AnyJob<App>[] = [
  sendVerificationJob,
  resendVerificationJob,
  sendResetJob,
  sendPasswordChangedJob,
  sendSecurityNoticeJob,
  renewPlansJob,
  housekeepingJob,
  releaseExpiredHoldsJob,
  forgetAnswersJob,
  rebuildSearchJob,
  recordSignalsJob,
  sweepOverdueJob,
  sweepIdentityJob,
  sweepStatementsJob,
  forgetTestSignalsJob,
  followWatchedJob,
  followMissedJob,
  startDigestsJob,
  sendDigestJob,
  sendInstantJob,
  sendListDigestJob,
  deliverJob,
  retryJob,
  wakeDestinationsJob,
  publishAuditJob,
  forgetEventsJob,
  sendDisabledJob,
  forgetPayloadsJob,
  forgetAddressesJob,
  removeNamesJob,
  sweepNamesJob,
  resolveDomainJob,
  findWebsiteJob,
  sweepResolutionsJob,
  deleteOldAnswersJob,
  forgetHistoryJob,
  keepPagesLongerJob,
  moveBodiesJob,
  expirePagesJob,
  scheduleWebsiteChecksJob,
  checkWebsiteJob,
  feedBulkJob,
  sweepBulkJob,
  checkDisputeJob,
  forgetReaderAnswersJob,
  stampRecordJob,
  stampLateJob,
  anchorAuditJob,
  makePartitionsJob,
]
