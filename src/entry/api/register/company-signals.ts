import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { parseCompanyNumber } from '../../../register/index.ts'
import { findCompanyFor } from '../../../resolution/index.ts'
import { listCompanySignals, presentSignal, SEVERITIES, SIGNAL_ID, SIGNAL_TYPES } from '../../../signals/index.ts'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, PageQuery, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { cursorOf, cursorPageOf, presentPage, toOffset } from '../cursor-page.ts'

const ChangeValue = z.union([z.string(), z.boolean(), z.array(z.string()), z.null()])

const maybeWords = (member: string) =>
  z.string().nullable().optional().describe(`\`${member}\` in words; null for no value.`)

const Change = z.object({
  field: z.string(),
  from: ChangeValue,
  to: ChangeValue,
  field_text: z.string().optional().describe('`field` in words.'),
  from_text: maybeWords('from'),
  to_text: maybeWords('to'),
})

export const SignalBody = z
  .object({
    id: z.string().describe('`sig_…`'),
    signal_type: z.enum(SIGNAL_TYPES),
    company_number: z.string(),
    company_name: z.string().describe('As it was when the signal was detected.'),
    severity: z.enum(SEVERITIES),
    summary: z.string().describe('What happened, in one sentence.'),
    occurred_on: CalendarDate.describe(
      'The day of the fact if the register says it, otherwise the day on which we learnt it.',
    ),
    detected_at: Time,
    changes: z.array(Change),
    source: z.object({
      kind: z
        .string()
        .describe(
          'Where we learnt it: `stream`, `snapshot`, `rest`, `sweep` for a date that passed, `website` for a check of the site, `test` for a test signal.',
        ),
      reference: z.string(),
    }),
  })
  .meta({ id: 'Signal' })

const CompanySignals = cursorPageOf(SignalBody, 'new signals arrive').meta({ id: 'CompanySignals' })

export function companySignalsRoutes(app: App, server: Server): void {
  server.get('/v1/companies/:company_number/signals', COMPANY_SIGNALS, async (request) => {
    const caller = callerOf(request)
    const { limit, cursor } = request.query
    const companyNumber = await readNumber(app, caller, request.params.company_number)
    const offset = toOffset(request.query, 'signals')
    const ask = { companyNumber, viewer: caller, limit, offset, cursor }
    const { signals, nextCursor } = await listCompanySignals(app.db, ask)
    return presentPage(signals.map(presentSignal), request.query, nextCursor)
  })
}

/** The number of a company that is there: on the register, or for a test key among the test companies. */
async function readNumber(app: App, caller: Caller, typed: string): Promise<string> {
  const number = parseCompanyNumber(typed)
  if (number !== null && (await findCompanyFor(app, caller, number))) return number
  throw new DomainError('not_found', 'No company has this number. Find it with the company search.')
}

const COMPANY_SIGNALS = describeRoute({
  operationId: 'listCompanySignals',
  stable: true,
  summary: 'What changed about a company',
  description:
    'Newest first by detection, whether you watch the company or not. We report each change once; the first record of a company is no change. A test key sees the test companies, with the signals that it raised.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params: z.object({
    company_number: z.string().max(20).describe('As people write it: `6500244`, `SC 12345` and `oc301234` will do.'),
  }),
  querystring: PageQuery.extend({ cursor: cursorOf(SIGNAL_ID) }),
  answers: { 200: { description: 'A page of signals.', schema: CompanySignals } },
  errors: ['not_found', 'company_not_found'],
})
