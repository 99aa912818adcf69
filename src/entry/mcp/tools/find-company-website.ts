import { z } from 'zod'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { answerTestCompany, askForWebsite, findResolution, throwTestRefusal } from '../../../resolution/index.ts'
import { toTypedCompany } from '../../../resolver/index.ts'
import { presentPendingWebsite, presentWebsite, WebsiteAnswer } from '../answers/website.ts'
import { CompanyNumber, getCompanyByNumber, readCompanyNumber } from '../company-number.ts'
import { assertNotFailed, presentWebsiteJob } from '../job-answers.ts'
import { defineTool } from '../tool.ts'
import { WaitSeconds, waitForAnswer } from '../wait.ts'

export const findCompanyWebsite = defineTool({
  name: 'find_company_website',
  title: 'What is the web site of this company?',
  description:
    'What is the official website of this company? Takes a company number and answers with the homepage domain, ' +
    'verified in both directions: the site prints that number, and the site leads back to the same company. ' +
    'Use it to find a homepage or online presence. ' +
    'A first search looks at several sites, which takes up to a minute. ' +
    'Costs 1 credit when a site is verified; any other outcome is free, and so is the same company for 30 days. ' +
    'With a domain in hand and its owner wanted, use find_company_behind_domain instead. ' +
    'With nothing but a name, call search_companies first.',
  input: z.object({
    company_number: CompanyNumber,
    refresh: z.boolean().default(false).describe('Look again whatever is known. Only when the user asks for it.'),
    wait_seconds: WaitSeconds,
  }),
  output: WebsiteAnswer,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  answer: async (app, { company_number: typed, refresh, wait_seconds: waitSeconds }, call) => {
    const { accountId, mode, connection } = call.agent
    const companyNumber = readCompanyNumber(typed)
    if (mode === 'test') return answerInTestMode(app, companyNumber, accountId)
    const { name } = await getCompanyByNumber(app, companyNumber, call.agent)
    const asked = await askForWebsite(app, {
      accountId,
      companyNumber,
      input: toTypedCompany(typed),
      refresh,
      connectionId: connection?.id,
    })
    if (asked.kind === 'not_searched') throw asked.refusal
    if (asked.kind === 'known') {
      const { website, charge, available } = asked
      const resolution = website.resolutionId ? await findResolution(app.db, website.resolutionId) : null
      return presentWebsite({ website, resolution, charge, available })
    }
    const doing = `Looking for the web site of ${name}`
    const reading = await waitForAnswer(app, { jobId: asked.jobId, waitSeconds, doing }, call)
    if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
    return presentWebsiteJob(app, reading, call.agent)
  },
})

async function answerInTestMode(app: App, companyNumber: string, accountId: string) {
  const { website, resolution, job } = await answerTestCompany(app, { accountId, companyNumber })
  const { available } = await getBalance(app.db, accountId)
  const charge = { charged: false, reason: 'test_mode' }
  if (website) return presentWebsite({ website, resolution, charge, available })
  if (!job) throwTestRefusal('no_credits')
  assertNotFailed(job)
  return presentPendingWebsite(job, available)
}
