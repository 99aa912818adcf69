/** The colours of the states, the same on every screen. The text is always shown with the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

const OUTCOME_TONES: Record<string, Tone> = {
  matched: 'good',
  verified: 'good',
  needs_review: 'warn',
  no_match: 'neutral',
  non_uk_entity: 'info',
  scrape_failed: 'bad',
  failed: 'bad',
}

export const toneOfOutcome = (outcome: string): Tone => OUTCOME_TONES[outcome] ?? 'neutral'

const OUTCOME_WORDS: Record<string, string> = {
  matched: 'Matched',
  verified: 'Verified',
  needs_review: 'Needs review',
  no_match: 'No match',
  non_uk_entity: 'Not a UK company',
  scrape_failed: 'Site could not be read',
  failed: 'Failed',
}

export const wordOfOutcome = (outcome: string): string => OUTCOME_WORDS[outcome] ?? outcome.replaceAll('_', ' ')

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
