import { z } from 'zod'
import type { App } from '../../../app.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import type { Charge, FullAnswer } from '../../../resolution/index.ts'
import { listCompanySignals, presentSignal } from '../../../signals/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { Profile, presentProfile } from '../register/company-profile.ts'
import { SignalBody } from '../register/company-signals.ts'
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
} from './bodies.ts'
import { answerDomainOnce, type Shape } from './domain-exchange.ts'

const SIGNALS_MAX = 10

export const Enrichment = FlatAnswer.extend({
  company: Profile.nullable(),
  evidence: z.array(Evidence),
  explanation: Explanation,
  signals: z.array(SignalBody).describe('The newest of the matched company.'),
  resolved_at: Time,
  as_of: CalendarDate.describe('The day for which the facts were computed.'),
  expires_at: Time.describe('From then on the next request has the site read again.'),
}).meta({ id: 'Enrichment' })

const statusUrl = (jobId: string) => `/v1/enrich/status/${jobId}`

export function enrichRoutes(app: App, server: Server): void {
  const enrichment: Shape = {
    name: 'enrich',
    statusUrl,
    needsDetails: true,
    present: (input, answer, charge) => presentEnrichment(app, input, answer, charge),
  }

  server.post('/v1/enrich', ENRICH, async (request, reply) => {
    const caller = callerOf(request)
    return answerDomainOnce(app, { request, reply, caller }, request.body, enrichment)
  })
}

export async function presentEnrichment(
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
  accepts: ['session', 'key'],
  idempotent: true,
  body: DomainBody,
  answers: {
    200: { description: 'The answer.', schema: Enrichment },
    202: { description: 'The site is being read.', schema: PendingJob },
  },
  errors: ['invalid_domain', 'insufficient_credits'],
})
