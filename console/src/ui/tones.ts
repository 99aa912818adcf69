/** The colours of the states, the same on every screen. The text is always shown with the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'abroad' | 'info' | 'neutral'

const OUTCOMES: Record<string, { tone: Tone; word: string }> = {
  matched: { tone: 'good', word: 'Matched' },
  verified: { tone: 'good', word: 'Verified' },
  needs_review: { tone: 'warn', word: 'Needs review' },
  no_match: { tone: 'neutral', word: 'No match' },
  non_uk_entity: { tone: 'abroad', word: 'Not a UK company' },
  scrape_failed: { tone: 'bad', word: 'Site could not be read' },
  failed: { tone: 'bad', word: 'Failed' },
}

export const toneOfOutcome = (outcome: string): Tone => OUTCOMES[outcome]?.tone ?? 'neutral'

/** Returns the CSS colour that an outcome has in bars and charts. */
export function colourOfOutcome(outcome: string): string {
  const tone = toneOfOutcome(outcome)
  return `var(--${tone === 'neutral' ? 'soft' : tone})`
}

export const wordOfOutcome = (outcome: string): string => OUTCOMES[outcome]?.word ?? outcome.replaceAll('_', ' ')

const COMPANY_TONES: Record<string, Tone> = {
  active: 'good',
  dissolved: 'bad',
  liquidation: 'bad',
  administration: 'bad',
  receivership: 'bad',
  'insolvency-proceedings': 'bad',
}

export const toneOfCompany = (status: string | null): Tone => COMPANY_TONES[status ?? ''] ?? 'warn'

const SEVERITY_TONES: Record<string, Tone> = { info: 'info', notice: 'warn', warning: 'bad' }

export const toneOfSeverity = (severity: string): Tone => SEVERITY_TONES[severity] ?? 'neutral'
