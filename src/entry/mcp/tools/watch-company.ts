import { z } from 'zod'
import { PLANS } from '../../../accounts/index.ts'
import { describeStatus } from '../../../register/index.ts'
import { countWatched, unwatchCompany, watchCompany } from '../../../signals/index.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool } from '../tool.ts'

export const watchCompanyTool = defineTool({
  name: 'watch_company',
  title: 'Watch this company',
  description:
    'Can you keep an eye on this company, and add it to the watchlist? Takes a company number; changes are reported from now ' +
    'on, in the feed and by the webhooks and e-mails the account has set up. ' +
    'Use it to monitor, track, follow or be notified about a company. ' +
    'Free; each plan has a number of places. ' +
    'To read the changes use list_watched_signals. To end it use unwatch_company.',
  input: z.object({ company_number: CompanyNumber }),
  output: z.object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string().nullable(),
    company_status_detail: z.string().nullable(),
    company_status_text: z.string().nullable(),
    was_watched: z.boolean().describe('True when it was on the list already.'),
    watched: z.int().describe('Companies on the list now.'),
    watched_max: z.int().describe('Places that the plan has.'),
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  answer: async (app, { company_number: typed }, { agent }) => {
    const { watchlistMax } = PLANS[agent.plan]
    const number = readCompanyNumber(typed)
    const { entry, isNew } = await watchCompany(app, { ...agent, watchlistMax }, number)
    const statusText =
      entry.companyStatus && describeStatus({ status: entry.companyStatus, statusDetail: entry.companyStatusDetail })
    const structured = {
      company_number: entry.companyNumber,
      company_name: entry.companyName,
      company_status: entry.companyStatus,
      company_status_detail: entry.companyStatusDetail,
      company_status_text: statusText,
      was_watched: !isNew,
      watched: await countWatched(app.db, agent),
      watched_max: watchlistMax,
    }
    const what = isNew ? 'is watched from now on' : 'was watched already'
    const text = `${entry.companyName} (${number}, ${statusText ?? 'status not known'}) ${what}. Places used: ${structured.watched} of ${watchlistMax}.\nNext: list_watched_signals shows what changes.`
    return { structured, text }
  },
})

export const unwatchCompanyTool = defineTool({
  name: 'unwatch_company',
  title: 'Stop watching this company',
  description:
    'Can you stop watching this company? Takes it off the watchlist by company number; its alerts leave the feed too. ' +
    'Use it to remove, drop or unsubscribe from a company, or to make room. Free. ' +
    'To begin again use watch_company.',
  input: z.object({ company_number: CompanyNumber }),
  output: z.object({
    company_number: z.string(),
    watched: z.literal(false),
    was_watched: z.boolean().describe('False when it was not on the list anyway.'),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async (app, { company_number: typed }, { agent }) => {
    const number = readCompanyNumber(typed)
    const wasWatched = await unwatchCompany(app, agent, number)
    const text = wasWatched ? `${number} is not watched any more.` : `${number} was not watched; nothing has changed.`
    return { structured: { company_number: number, watched: false as const, was_watched: wasWatched }, text }
  },
})
