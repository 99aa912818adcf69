/** The word and the tone of each outcome, the same on every page and screen. The word is always shown with the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'abroad' | 'info' | 'neutral'

export const OUTCOME_LOOKS = {
  matched: { tone: 'good', word: 'Matched' },
  verified: { tone: 'good', word: 'Verified' },
  needs_review: { tone: 'warn', word: 'Needs review' },
  no_match: { tone: 'neutral', word: 'No match' },
  non_uk_entity: { tone: 'abroad', word: 'Not a UK company' },
  scrape_failed: { tone: 'bad', word: 'Site could not be read' },
  failed: { tone: 'bad', word: 'Failed' },
} as const satisfies Record<string, { tone: Tone; word: string }>
