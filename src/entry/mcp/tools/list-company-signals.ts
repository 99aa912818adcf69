import { DomainError } from '../../../errors.ts'
import { findCompany } from '../../../register/index.ts'
import { getTestDetails } from '../../../resolution/index.ts'
import { listCompanySignals } from '../../../signals/index.ts'
import { formatSignals, presentSignals, SignalsPage, SignalsPageInput } from '../answers/signals.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool, READS } from '../tool.ts'

export const listCompanySignalsTool = defineTool({
  name: 'list_company_signals',
  title: 'What happened at this company?',
  description:
    'What has happened at this one company? Its history of recorded changes, newest first, by company number: who was ' +
    'appointed or resigned, charges registered, accounts filed or overdue, changes of name, status or office. ' +
    'Needs no watching beforehand; only what changed since Nameplate first saw the company is told. Free. ' +
    'For the present state use get_company instead. ' +
    'For news of all watched companies together use list_watched_signals instead.',
  input: SignalsPageInput.extend({ company_number: CompanyNumber }),
  output: SignalsPage,
  hints: READS,
  answer: async (app, { company_number: typed, limit, cursor }, { agent }) => {
    const { accountId, mode } = agent
    const number = readCompanyNumber(typed)
    const company =
      mode === 'test' ? getTestDetails(number, app.clock.now()).company : await findCompany(app.db, number)
    if (!company) throw new DomainError('company_not_found', 'No company that we have seen has this number.')
    const testAccountId = mode === 'test' ? accountId : null
    const ask = { companyNumber: number, testAccountId, limit, cursor }
    const { signals, nextCursor } = await listCompanySignals(app.db, ask)
    const structured = presentSignals(signals, nextCursor)
    const title = signals.length === 0 ? 'Nothing has changed since we first saw' : 'What changed at'
    return {
      structured,
      text: [`${title} ${company.name} (${company.number}).`, ...formatSignals(structured)].join('\n'),
    }
  },
})
