import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { admitCaller } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { CalendarDate, Time } from '../http/page.ts'
import { describeRoute } from '../http/route.ts'
import { findViewer } from '../http/viewer.ts'
import { toLondonDate } from '../lib/clock.ts'
import { type Charge, type FullAnswer, type JobReading, readSharedJob } from '../resolution/index.ts'
import { listCompanySignals, presentSignal } from '../signals/index.ts'
import { Profile, presentProfile } from './company-profile.ts'
import { SignalBody } from './company-signals.ts'
import { answerDomainOnce, jobNotFound, RETRY_SECONDS, type Shape, showJob } from './domain-exchange.ts'
import {
  DomainBody,
  Evidence,
  Explanation,
  FlatAnswer,
  PendingJob,
  presentEvidence,
  presentExplanation,
  presentFlat,
  presentTimes,
} from './resolution-bodies.ts'
import { presentSearching, presentWebsite, presentWebsiteJob, WebsiteJob } from './website-bodies.ts'

const SIGNALS_MAX = 10
/** Anyone may ask about a job whose id they have; not without end. */
const STATUS_LIMIT = { name: 'status', burst: 120, perSecond: 20 }

const Enrichment = FlatAnswer.extend({
  company: Profile.nullable(),
  evidence: z.array(Evidence),
  explanation: Explanation,
  signals: z.array(SignalBody).describe('The newest of the matched company.'),
  resolved_at: Time,
  as_of: CalendarDate.describe('The day for which the facts were computed.'),
  expires_at: Time.describe('From then on the next request has the site read again.'),
}).meta({ id: 'Enrichment' })

const statusUrl = (jobId: string) => `/v1/enrich/status/${jobId}`

export function enrichDoor(app: App, server: Server): void {
  const enrichment: Shape = {
    statusUrl,
    needsDetails: true,
    present: (input, answer, charge) => presentEnrichment(app, input, answer, charge),
  }
  const flat: Shape = { statusUrl, needsDetails: true, present: presentFlat }

  server.post('/v1/enrich', ENRICH, async (request, reply) => {
    const caller = await admitCaller(app, request, reply)
    return answerDomainOnce(app, { request, reply, caller }, request.body, enrichment)
  })

  server.get('/v1/enrich/status/:job_id', STATUS, async (request, reply) => {
    const admission = await app.limiter.admit(request.ip, STATUS_LIMIT)
    if (admission.kind === 'refused') {
      const { retryAfterSeconds } = admission
      throw new DomainError('rate_limited', `Too many questions from this address. Wait ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      })
    }
    const viewer = await findViewer(app, request)
    const reading = await readSharedJob(app, { id: request.params.job_id, viewer })
    if (!reading) throw jobNotFound()
    if (reading.job.kind === 'company') return reply.code(200).send(showSearch(reply, reading))
    const { body } = await showJob(app, reply, reading, flat)
    return reply.code(200).send(body)
  })
}

/** A search for a company's web site has its status here too. */
function showSearch(reply: FastifyReply, reading: JobReading): z.input<typeof WebsiteJob> {
  const { job, charge } = reading
  if (reading.kind === 'website') {
    return presentWebsiteJob(job, presentWebsite(reading.website, reading.resolution, charge, job.id))
  }
  if (job.status !== 'failed') void reply.header('retry-after', String(RETRY_SECONDS))
  return presentWebsiteJob(job, presentSearching(job))
}

async function presentEnrichment(
  app: App,
  input: string,
  answer: FullAnswer,
  charge: Charge,
): Promise<z.input<typeof Enrichment>> {
  const { known, today } = answer
  const day = toLondonDate(app.clock.now())
  const signals = today
    ? await listCompanySignals(app.db, {
        companyNumber: today.details.company.number,
        testAccountId: null,
        limit: SIGNALS_MAX,
        cursor: undefined,
      })
    : { signals: [] }
  return {
    ...presentFlat(input, answer, charge),
    company: today && presentProfile(today.details, day),
    evidence: presentEvidence(known),
    explanation: presentExplanation(known),
    signals: signals.signals.map(presentSignal),
    ...presentTimes(known),
    as_of: day,
  }
}

const ENRICH = describeRoute({
  operationId: 'enrich',
  summary: 'The company behind a domain, with everything the register says of it',
  description:
    'Known answers come at once. Otherwise the site is read, which takes up to 20 seconds: ask at `status_url`, or send ' +
    '`Prefer: wait=30` to wait. Costs one credit when a company is matched, and nothing otherwise; the same domain is free ' +
    'for 30 days after that.',
  tag: 'Resolution',
  accepts: ['key'],
  idempotent: true,
  body: DomainBody,
  answers: {
    200: { description: 'The answer.', schema: Enrichment },
    202: { description: 'The site is being read.', schema: PendingJob },
  },
  errors: ['invalid_domain', 'insufficient_credits'],
})

const STATUS = describeRoute({
  operationId: 'getJobStatus',
  summary: 'How far a job is',
  description:
    'The job id is the permission: nobody can guess it. Gone after 30 days. Without a credential it shows the shared ' +
    'answer. With a credential of the account that asked, it also shows what that account decided itself.',
  tag: 'Resolution',
  reads: ['session', 'key'],
  params: z.object({ job_id: z.string().max(64) }),
  answers: { 200: { description: 'The job, or its answer.', schema: z.union([FlatAnswer, PendingJob, WebsiteJob]) } },
  errors: ['not_found', 'rate_limited'],
})
