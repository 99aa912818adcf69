import { z } from 'zod'
import { SEVERITIES, SIGNAL_ID, SIGNAL_TYPES, type Signal } from '../../../signals/index.ts'

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

export const SignalsPage = z.object({
  signals: z.array(SignalBrief).describe('Newest first.'),
  next_cursor: z.string().nullable().describe('Send as cursor for older ones; null when there are none.'),
})

export const SignalsPageInput = z.object({
  limit: z.int().min(1).max(50).default(10).describe('How many at most.'),
  cursor: z.string().regex(SIGNAL_ID).optional().describe('next_cursor of the answer before.'),
})

export function presentSignals(signals: readonly Signal[], nextCursor: string | null): z.input<typeof SignalsPage> {
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
export function formatSignals({ signals, next_cursor: next }: z.input<typeof SignalsPage>): string[] {
  const more = signals.length > SAID_MAX || next !== null
  return [
    ...signals.slice(0, SAID_MAX).map((one) => `- ${one.occurred_on} ${one.company_name}: ${one.summary}`),
    ...(more ? ['There are more in the structured answer, or with next_cursor.'] : []),
  ]
}
