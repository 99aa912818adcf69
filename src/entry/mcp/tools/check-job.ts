import { z } from 'zod'
import { getBalance } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import { readWhenEnded, toDomainResult, toWebsiteResult } from '../../../resolution/index.ts'
import { presentDomainResult, presentWebsiteResult, WaitSeconds, waitFor } from '../job.ts'
import { defineTool, READS } from '../tool.ts'

/** The full schema is listed with the tool that started the job. */
const Outline = z.looseObject({ outcome: z.string().nullable(), next_step: z.string() })

export const checkJob = defineTool({
  name: 'check_job',
  title: 'Is the answer ready?',
  description:
    'Is the answer to an earlier question ready? Takes a job_id from a pending result, waits for the job to finish, and ' +
    'gives the result. Use it to poll, resume or collect unfinished work. ' +
    'Free: what the answer costs was settled by the call that began the job.',
  input: z.object({
    job_id: z.string().min(1).max(64).describe('`job_…`, from a result whose status was pending.'),
    wait_seconds: WaitSeconds,
  }),
  output: z.object({
    status: z.enum(['completed', 'pending']),
    job_id: z.string(),
    domain_answer: Outline.nullable().describe('As find_company_behind_domain gives it, when that began the job.'),
    website_answer: Outline.nullable().describe('As find_company_website gives it, when that began the job.'),
  }),
  hints: READS,
  answer: async (app, { job_id: jobId, wait_seconds: waitSeconds }, call) => {
    const { accountId, mode } = call.agent
    const wait = waitFor(call, waitSeconds, () => 'The work')
    const reading = await readWhenEnded(app, { id: jobId, accountId, mode }, wait)
    if (!reading) {
      throw new DomainError(
        'not_found',
        'There is no such job, or it is not this account’s; jobs are kept for 30 days. Ask the question again: a known answer comes at once.',
      )
    }
    const { available } = await getBalance(app.db, accountId)
    if (reading.job.kind === 'company') {
      const { structured, ...rest } = presentWebsiteResult(app, call, toWebsiteResult(reading), available)
      const both = { domain_answer: null, website_answer: structured }
      return { structured: { status: structured.status, job_id: jobId, ...both }, ...rest }
    }
    const { structured, ...rest } = presentDomainResult(app, call, await toDomainResult(app, reading, false), available)
    const both = { domain_answer: structured, website_answer: null }
    return { structured: { status: structured.status, job_id: jobId, ...both }, ...rest }
  },
})
