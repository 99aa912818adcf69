import { z } from 'zod'
import { toLondonDate } from '../../../lib/clock.ts'
import { getDetailsFor } from '../../../resolution/index.ts'
import { CompanyProfile, formatCompany, presentCompany } from '../answers/company.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool, READS } from '../tool.ts'

export const getCompany = defineTool({
  name: 'get_company',
  title: 'What does the register say about this company?',
  description:
    'What does the register say about this company today? The profile by company number: whether it is active or ' +
    'dissolved, registered office address, directors and secretaries, persons with significant control, mortgages and ' +
    'charges, insolvency, industry codes, and when accounts and the confirmation statement are due or overdue. ' +
    'Use it for due diligence and to check that a company exists. Free. ' +
    'With nothing but a name, call search_companies first. ' +
    'For what changed over time use list_company_signals instead.',
  input: z.object({ company_number: CompanyNumber }),
  output: CompanyProfile,
  hints: READS,
  answer: async (app, { company_number: typed }, { agent }) => {
    const details = await getDetailsFor(app, agent, readCompanyNumber(typed))
    const structured = presentCompany(details, toLondonDate(app.clock.now()))
    return { structured, text: formatCompany(structured) }
  },
})
