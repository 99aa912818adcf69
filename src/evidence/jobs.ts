import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { anchorAudit } from './anchor/anchor-audit.ts'
import { STAMP_RECORD_JOB } from './record/make-record.ts'
import { stampLate, stampRecord } from './stamp/stamp-records.ts'

/** Has a new record stamped. Where the authority is away, the job below asks again. */
export const stampRecordJob = defineJob({
  name: STAMP_RECORD_JOB,
  concurrency: 4,
  retriesMax: 1,
  timeoutSeconds: 60,
  async run(app: App, { recordId }: { recordId: string }) {
    await stampRecord(app, recordId)
  },
})

/** Every ten minutes: stamps that could not be had before. */
export const stampLateJob = defineJob({
  name: 'evidence.stamp_late',
  retriesMax: 1,
  timeoutSeconds: 3_600,
  schedule: '*/10 * * * *',
  async run(app: App) {
    const { stamped, failed } = await stampLate(app)
    if (stamped + failed > 0) app.log.info({ event: 'evidence.stamped_late', stamped, failed })
  },
})

/** Every day: signs the ends of the audit log's chains, and has the anchor stamped. */
export const anchorAuditJob = defineJob({
  name: 'evidence.anchor_audit',
  timeoutSeconds: 600,
  schedule: '5 0 * * *',
  async run(app: App) {
    await anchorAudit(app)
    await stampLate(app)
  },
})
