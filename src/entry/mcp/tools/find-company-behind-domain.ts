import { z } from 'zod'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { answerTestDomain, askForDomain, readAnswer } from '../../../resolution/index.ts'
import { parseDomain, scrubAddress, type TypedInput } from '../../../resolver/index.ts'
import { DomainAnswer, presentDomain, presentPendingDomain } from '../answers/domain.ts'
import { assertNotFailed, presentDomainJob } from '../job-answers.ts'
import { defineTool } from '../tool.ts'
import { WaitSeconds, waitForAnswer } from '../wait.ts'

export const findCompanyBehindDomain = defineTool({
  name: 'find_company_behind_domain',
  title: 'Who is behind this domain?',
  description:
    'Which UK registered company is behind this domain? Answers who owns, runs or operates a website or online shop, or ' +
    'which legal entity sent an e-mail or invoice, with the company number and the words on the site that prove it. ' +
    'Give a domain, URL, web address or e-mail address. ' +
    'A site that nobody asked for before is read first, which takes 5 to 30 seconds. ' +
    'Costs 1 credit when a company is matched; any other outcome is free, and so is the same domain for 30 days. ' +
    'With a company number in hand and its site wanted, use find_company_website instead. ' +
    'With nothing but a name, use search_companies instead.',
  input: z.object({
    domain: z.string().min(1).max(2_048).describe('Whatever you have: `example.co.uk`, a URL, or an e-mail address.'),
    max_age_days: z.int().min(0).max(30).optional().describe('Take no older answer than this; 0 reads the site anew.'),
    wait_seconds: WaitSeconds,
  }),
  output: DomainAnswer,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  answer: async (app, { domain: typed, max_age_days: maxAgeDays, wait_seconds: waitSeconds }, call) => {
    const { accountId, mode, connection } = call.agent
    const input = scrubAddress(typed)
    if (mode === 'test') return answerInTestMode(app, input, accountId)
    const domain = parseDomain(typed)
    const asked = await askForDomain(app, { accountId, input, domain, maxAgeDays, connectionId: connection?.id })
    if (asked.kind === 'known') {
      const answer = await readAnswer(app, asked.known, asked.companies)
      return presentDomain({ input, answer, charge: asked.charge, available: asked.available })
    }
    const reading = await waitForAnswer(app, { jobId: asked.jobId, waitSeconds, doing: `Reading ${domain}` }, call)
    if (!reading) throw new Error(`job ${asked.jobId} has vanished`)
    return presentDomainJob(app, reading, call.agent)
  },
})

async function answerInTestMode(app: App, input: TypedInput, accountId: string) {
  const tested = await answerTestDomain(app, { accountId, input })
  const { available } = await getBalance(app.db, accountId)
  const charge = { charged: false, reason: 'test_mode' }
  if (tested.kind === 'answer') return presentDomain({ input, answer: tested.answer, charge, available })
  assertNotFailed(tested.job)
  return presentPendingDomain(tested.job, available)
}
