/** The public address of a job: its progress, and then the same body as the answer to the request. */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { type Charge, type FullAnswer, type JobShape, readSharedJob } from '../../../resolution/index.ts'
import { findViewer } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { admitAddress } from '../../http/limits.ts'
import { describeRoute } from '../../http/route.ts'
import { CompanyResult, FlatAnswer, PendingJob, presentFlat } from './bodies.ts'
import { CompanyJob, showCompanyJob } from './company-job.ts'
import { jobNotFound, type Shape, showJob } from './domain-exchange.ts'
import { Enrichment, presentEnrichment } from './enrich.ts'
import { presentResolution, ResolutionBody } from './resolve-domain.ts'

/** Anyone may ask about a job whose id they have; not without end. */
const STATUS_LIMIT = { name: 'status', burst: 120, perSecond: 20 }

/**
 * A resolution as the job of `POST /v1/resolve/domain` has it: the members of that answer, and `result` with the members
 * that every completed job has. A program that knows the flat answer alone reads `result`, one that knows the resolution
 * reads either.
 */
const ResolutionJobAnswer = ResolutionBody.extend({
  result: CompanyResult.extend(ResolutionBody.shape).describe('The flat result and the resolution in one.'),
}).meta({ id: 'ResolutionJobAnswer' })

const statusUrl = (jobId: string) => `/v1/enrich/status/${jobId}`

export function jobStatusRoutes(app: App, server: Server): void {
  const shapes: Record<JobShape, Omit<Shape, 'name'>> = {
    enrich: { statusUrl, needsDetails: true, present: (...result) => presentEnrichment(app, ...result) },
    resolution: { statusUrl, needsDetails: true, present: presentResolutionJob },
    partner: { statusUrl, needsDetails: true, present: presentFlat },
  }

  server.get('/v1/enrich/status/:job_id', STATUS, async (request, reply) => {
    await admitAddress(app, request, reply, STATUS_LIMIT)
    const viewer = await findViewer(app, request)
    const reading = await readSharedJob(app, { id: request.params.job_id, viewer })
    if (!reading) throw jobNotFound()
    if (reading.job.kind === 'company') return sendOk(reply, await showCompanyJob(app, reply, reading))
    const name = reading.job.shape
    const { body } = await showJob(app, reply, reading, { ...shapes[name], name })
    return sendOk(reply, body)
  })
}

// The schema of the route checks the body; which of its forms it has is known by the job alone.
const sendOk = (reply: FastifyReply, body: object) => reply.code(200).send(body)

function presentResolutionJob(input: string, answer: FullAnswer, charge: Charge): z.input<typeof ResolutionJobAnswer> {
  const resolution = presentResolution(input, answer, charge)
  return { ...resolution, result: { ...presentFlat(input, answer, charge).result, ...resolution } }
}

const STATUS = describeRoute({
  operationId: 'getJobStatus',
  summary: 'How far a job is, then its answer',
  description:
    'The job id is the permission: nobody can guess it. Gone 30 days after it ended. A completed job has the same body as the 200 of ' +
    'the endpoint that began it, and always `result`. Without a credential it shows the shared answer. With a credential of ' +
    'the account that asked, it also shows what that account decided itself.',
  tag: 'Resolution',
  reads: ['session', 'key'],
  params: z.object({ job_id: z.string().max(64) }),
  answers: {
    200: {
      description: 'The job, or its answer.',
      // The first that fits is taken, so those with more members come first.
      schema: z.union([ResolutionJobAnswer, Enrichment, FlatAnswer, PendingJob, CompanyJob]),
    },
  },
  errors: ['not_found', 'rate_limited'],
})
