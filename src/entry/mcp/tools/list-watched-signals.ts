import { z } from 'zod'
import { countWatched, listFeed, SIGNAL_TYPES } from '../../../signals/index.ts'
import { formatSignals, presentSignals, SignalsPage, SignalsPageInput } from '../answers/signals.ts'
import { defineTool, READS } from '../tool.ts'

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
