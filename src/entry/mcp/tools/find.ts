import { z } from 'zod'
import { getCompanyFor, requestDomain, requestWebsite } from '../../../resolution/index.ts'
import { toTypedCompany } from '../../../resolver/index.ts'
import { DomainAnswer } from '../answers/domain.ts'
import { WebsiteAnswer } from '../answers/website.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { presentDomainResult, presentWebsiteResult, WaitSeconds, waitFor } from '../job.ts'
import { defineTool } from '../tool.ts'

export const findCompanyBehindDomain = defineTool({
  name: 'find_company_behind_domain',
  title: 'Who is behind this domain?',
  description:
    'Which UK registered company is behind this domain? Answers who owns, runs or operates a website or online shop, or ' +
    'which legal entity sent an e-mail or invoice, with the company number and the words on the site that prove it. ' +
    'Give a domain, URL, web address or e-mail address. ' +
    'A site that was not read before is read first, which takes 5 to 30 seconds. ' +
    'Costs 1 credit when a company is matched; any other outcome is free, and so is the same domain for 30 days. ' +
    'With a company number in hand and its site wanted, use find_company_website instead. ' +
    'With nothing but a name, use search_companies instead.',
  input: z.object({
    domain: z.string().min(1).max(2_048).describe('Whatever you have: `example.co.uk`, a URL, or an e-mail address.'),
    max_age_days: z
      .int()
      .min(0)
      .max(30)
      .optional()
      .describe('Accept no answer that is older than this; 0 reads the site again.'),
    wait_seconds: WaitSeconds,
  }),
  output: DomainAnswer,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  answer: async (app, input, call) => {
    const { domain: typed, max_age_days: maxAgeDays, wait_seconds: waitSeconds } = input
    const requester = { ...call.agent, connectionId: call.agent.connection?.id }
    const request = { typed, maxAgeDays, needsDetails: false }
    const wait = waitFor(call, waitSeconds, ({ subject }) => `Reading ${subject}`)
    const result = await requestDomain(app, requester, request, wait)
    return presentDomainResult(app, call, result, result.available)
  },
})

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
    const companyNumber = readCompanyNumber(typed)
    const { name } = await getCompanyFor(app, call.agent, companyNumber)
    const requester = { ...call.agent, connectionId: call.agent.connection?.id }
    const request = { companyNumber, input: toTypedCompany(typed), refresh }
    const wait = waitFor(call, waitSeconds, () => `Looking for the web site of ${name}`)
    const result = await requestWebsite(app, requester, request, wait)
    return presentWebsiteResult(app, call, result, result.available)
  },
})
