import { z } from 'zod'
import { unwatchCompany } from '../../../signals/index.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool } from '../tool.ts'

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
