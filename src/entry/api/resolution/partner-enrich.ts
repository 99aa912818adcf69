import { z } from 'zod'
import type { App } from '../../../app.ts'
import { readJob } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { DomainBody, FlatAnswer, PendingJob, presentFlat } from './bodies.ts'
import { answerDomainOnce, jobNotFound, type Shape, showJob } from './domain-exchange.ts'

const SHAPE: Shape = {
  name: 'partner',
  statusUrl: (jobId) => `/v1/partner/enrich-company/${jobId}`,
  needsDetails: true,
  present: presentFlat,
}

export function partnerEnrichRoutes(app: App, server: Server): void {
  server.post('/v1/partner/enrich-company', ENRICH, async (request, reply) => {
    const caller = callerOf(request)
    return answerDomainOnce(app, { request, reply, caller }, request.body, SHAPE)
  })

  server.get('/v1/partner/enrich-company/:job_id', STATUS, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const reading = await readJob(app, { id: request.params.job_id, accountId, mode })
    if (!reading) throw jobNotFound()
    const { body } = await showJob(app, reply, reading, SHAPE)
    return reply.code(200).send(body)
  })
}

const ENRICH = describeRoute({
  operationId: 'partnerEnrichCompany',
  summary: 'One row of a table: the company behind a domain, flat',
  description: 'For table tools: one request a row with `Prefer: wait=50`, all facts in one flat object.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  limit: 'partner',
  idempotent: true,
  body: DomainBody,
  answers: {
    200: { description: 'The answer.', schema: FlatAnswer },
    202: { description: 'The site is being read.', schema: PendingJob },
  },
  errors: ['invalid_domain', 'insufficient_credits'],
})

const STATUS = describeRoute({
  operationId: 'getPartnerJob',
  summary: 'A job of your own',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  limit: 'partner',
  params: z.object({ job_id: z.string().max(64) }),
  answers: { 200: { description: 'The job, or its answer.', schema: z.union([FlatAnswer, PendingJob]) } },
  errors: ['not_found'],
})
