/** The tones of the states, the same on every screen. */
import { OUTCOME_LOOKS, type Tone } from '../../../src/lib/design/outcomes.ts'

export type { Tone }

const OUTCOMES: Record<string, { tone: Tone; word: string } | undefined> = OUTCOME_LOOKS

export const toneOfOutcome = (outcome: string): Tone => OUTCOMES[outcome]?.tone ?? 'neutral'

/** Returns the CSS colour that an outcome has in bars and charts. */
export function colourOfOutcome(outcome: string): string {
  const tone = toneOfOutcome(outcome)
  return `var(--${tone === 'neutral' ? 'soft' : tone})`
}

export const wordOfOutcome = (outcome: string): string => OUTCOMES[outcome]?.word ?? outcome.replaceAll('_', ' ')

const COMPANY_TONES: Record<string, Tone> = {
  active: 'good',
  open: 'good',
  // An overseas entity in good order.
  registered: 'good',
  dissolved: 'bad',
  closed: 'bad',
  'converted-closed': 'bad',
  removed: 'bad',
  liquidation: 'bad',
  administration: 'bad',
  receivership: 'bad',
  'voluntary-arrangement': 'bad',
  'insolvency-proceedings': 'bad',
}

export const toneOfCompany = (status: string | null): Tone => COMPANY_TONES[status ?? ''] ?? 'warn'

const SEVERITY_TONES: Record<string, Tone> = { info: 'info', notice: 'warn', warning: 'bad' }

export const toneOfSeverity = (severity: string): Tone => SEVERITY_TONES[severity] ?? 'neutral'
