import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import { findCompanyFor } from '../../../resolution/index.ts'
import {
  countWatched,
  listCompanySignals,
  listFeed,
  SEVERITIES,
  SIGNAL_ID,
  SIGNAL_TYPES,
  type Signal,
} from '../../../signals/index.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool, READS } from '../tool.ts'

const SAID_MAX = 5

const SignalBrief = z.object({
  id: z.string(),
  signal_type: z.enum(SIGNAL_TYPES),
  severity: z.enum(SEVERITIES),
  company_number: z.string(),
  company_name: z.string(),
  summary: z.string().describe('What happened, in one sentence.'),
  occurred_on: z.string(),
  detected_at: z.string(),
})

const SignalsPage = z.object({
  signals: z.array(SignalBrief).describe('Newest first.'),
  next_cursor: z.string().nullable().describe('Send as cursor for older ones; null when there are none.'),
})

const SignalsPageInput = z.object({
  limit: z.int().min(1).max(50).default(10).describe('How many at most.'),
  cursor: z.string().regex(SIGNAL_ID).optional().describe('next_cursor of the answer before.'),
})

function presentSignals(signals: readonly Signal[], nextCursor: string | null): z.input<typeof SignalsPage> {
  return {
    signals: signals.map((signal) => ({
      id: signal.id,
      signal_type: signal.signalType,
      severity: signal.severity,
      company_number: signal.companyNumber,
      company_name: signal.companyName,
      summary: signal.summary,
      occurred_on: signal.occurredOn,
      detected_at: signal.detectedAt.toISOString(),
    })),
    next_cursor: nextCursor,
  }
}

/** The newest in words; all of them are in the structured answer. */
function formatSignals({ signals, next_cursor: next }: z.input<typeof SignalsPage>): string[] {
  const more = signals.length > SAID_MAX || next !== null
  return [
    ...signals.slice(0, SAID_MAX).map((one) => `- ${one.occurred_on} ${one.company_name}: ${one.summary}`),
    ...(more ? ['There are more in the structured answer, or with next_cursor.'] : []),
  ]
}

export const listCompanySignalsTool = defineTool({
  name: 'list_company_signals',
  title: 'What happened at this company?',
  description:
    'What has happened at this one company? Its history of recorded changes, newest first, by company number: who was ' +
    'appointed or resigned, charges registered, accounts filed or overdue, changes of name, status or office. ' +
    'Needs no watching beforehand; it lists only what changed since Nameplate first saw the company. Free. ' +
    'For the present state use get_company instead. ' +
    'For news of all watched companies together use list_watched_signals instead.',
  input: SignalsPageInput.extend({ company_number: CompanyNumber }),
  output: SignalsPage,
  hints: READS,
  answer: async (app, { company_number: typed, limit, cursor }, { agent }) => {
    const number = readCompanyNumber(typed)
    const company = await findCompanyFor(app, agent, number)
    if (!company) throw new DomainError('company_not_found', 'No company that we have seen has this number.')
    const ask = { companyNumber: number, viewer: agent, limit, cursor }
    const { signals, nextCursor } = await listCompanySignals(app.db, ask)
    const structured = presentSignals(signals, nextCursor)
    const title = signals.length === 0 ? 'Nothing has changed since we first saw' : 'What changed at'
    return {
      structured,
      text: [`${title} ${company.name} (${company.number}).`, ...formatSignals(structured)].join('\n'),
    }
  },
})

export const listWatchedSignals = defineTool({
  name: 'list_watched_signals',
  title: 'What is new on my watchlist?',
  description:
    'What is new among all the companies I watch? The feed of the whole watchlist, newest first: every alert since each ' +
    'company was added, or only those of one type such as insolvency_started. ' +
    'Use it for a briefing, digest or summary of recent news across a portfolio of suppliers or customers. Free. ' +
    'For one company alone, watched or not, use list_company_signals instead.',
  input: SignalsPageInput.extend({
    signal_type: z.enum(SIGNAL_TYPES).optional().describe('Only this type.'),
  }),
  output: SignalsPage,
  hints: READS,
  answer: async (app, { signal_type: signalType, limit, cursor }, { agent }) => {
    const { accountId, mode } = agent
    const ask = { accountId, mode, signalType, limit, offset: 0, cursor }
    const { signals, nextCursor } = await listFeed(app.db, ask)
    const watched = await countWatched(app.db, { accountId, mode })
    const structured = presentSignals(signals, nextCursor)
    const title =
      watched === 0
        ? 'No company is watched yet. watch_company adds one; its changes are reported from then on.'
        : `${signals.length === 0 ? 'Nothing new' : 'What is new'} on the watchlist (companies: ${watched}).`
    return { structured, text: [title, ...formatSignals(structured)].join('\n') }
  },
})
