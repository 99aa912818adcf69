import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { describeFilings, REGISTER_SITE } from '../../../register/index.ts'
import { listFilingsFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { MaybeText, presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { readCompanyNumber } from './company-profile.ts'
import { Filing } from './filing-body.ts'

const CompanyFilings = z
  .object({
    data: z.array(Filing).describe('At most 100, newest first.'),
    total: z.int().describe('How many the register has, of the category if one is given.'),
    next_cursor: MaybeText.describe('Send as `cursor` for older ones; null on the last page.'),
    as_of: Time.describe('When the register said so.'),
  })
  .meta({ id: 'CompanyFilings' })

export function filingRoutes(app: App, server: Server): void {
  server.get('/v1/companies/:company_number/filings', FILINGS, async (request) => {
    const companyNumber = readCompanyNumber(request.params.company_number)
    const { category = null, cursor } = request.query
    const page = await listFilingsFor(app, callerOf(request), { companyNumber, category, start: Number(cursor ?? 0) })
    if (page.kind === 'missing') throw unavailable(companyNumber, page.retryAt, app)
    return {
      data: describeFilings(companyNumber, page.filings, page.filings.length),
      total: page.total,
      next_cursor: page.next === null ? null : String(page.next),
      as_of: presentTime(page.asOf),
    }
  })
}

const RETRY_SECONDS = 10

function unavailable(companyNumber: string, retryAt: Date | null, { clock, config }: App): DomainError {
  const waitMs = retryAt === null ? 0 : retryAt.getTime() - clock.now().getTime()
  const reason =
    config.register.restKey === null
      ? 'This service has no access to the register.'
      : 'The register does not send filings at this moment. Try again later.'
  const there = `They are on the register’s own site: ${REGISTER_SITE}/company/${companyNumber}/filing-history`
  const retryAfterSeconds = waitMs > 0 ? Math.ceil(waitMs / 1_000) : RETRY_SECONDS
  return new DomainError('unavailable', `${reason} ${there}`, { retryAfterSeconds })
}

const FILINGS = describeRoute({
  operationId: 'listCompanyFilings',
  summary: 'All filings of a company, or those of one category',
  description:
    'The profile has the newest 100; `filings_next_cursor` there leads on to the older ones here. Each page is fetched from the ' +
    'register when you ask and is not stored. It takes one request of the register’s budget, and up to six more for a company ' +
    'whose profile was not read before. Documents of older filings open as those of the newest do. A test key reads the test ' +
    'companies, which have no filings.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params: z.object({ company_number: z.string().max(20).describe('As people write it: `SC 12345` will do.') }),
  querystring: z.object({
    category: z
      .string()
      .regex(/^[a-z]+(?:-[a-z]+){0,6}$/)
      .max(60)
      .optional()
      .describe('A `category` of filings, such as `incorporation`.'),
    cursor: z
      .string()
      .regex(/^\d{1,6}$/)
      .optional()
      .describe('`next_cursor` of the page before, of the same category.'),
  }),
  answers: { 200: { description: 'A page of filings.', schema: CompanyFilings } },
  errors: ['company_not_found', 'unavailable'],
})
