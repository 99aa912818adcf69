/** How figures and answers are said, the same in every form of the report. */
import type { Report } from './report.ts'
import type { Figures, ScoredAnswer } from './scoring.ts'

export function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)}%`
}

export function decimal(value: number | null, digits = 3): string {
  return value === null ? '–' : value.toFixed(digits)
}

/** A weight in bits, always with its sign. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}

export function describeExpected({ label }: ScoredAnswer): string {
  const others = label.accept.length > 0 ? ` (or ${label.accept.join(', ')})` : ''
  return [label.outcome, label.companyNumbers.join(' | ')].filter(Boolean).join(' ') + others
}

export function describeGot({ answer }: ScoredAnswer): string {
  const number = answer.companyNumber ?? answer.candidates[0] ?? ''
  const confidence = answer.confidence === null ? '' : `at ${percent(answer.confidence)}`
  return [answer.outcome, number, confidence].filter(Boolean).join(' ')
}

/** Returns which cues were off; nothing for a run with all of them. */
export function describeCues({ cuesOff }: Pick<Report, 'cuesOff'>): string {
  if (cuesOff === null) return ''
  if (cuesOff.length === 0) return 'No cue was switched off: this world taught none.'
  return `Switched off, as this world taught them: ${cuesOff.join(', ')}.`
}

/** The resolver's own sentence, or the first line of what it threw. */
export function describeReason(report: Report, domain: string): string {
  const site = report.sites.get(domain)
  return site?.resolution?.reason ?? site?.error?.split('\n')[0] ?? ''
}

export interface Headline {
  name: string
  value: string
  detail: string
  isBad: boolean
}

/** The figures that come first, in the order of what a mistake costs. */
export function toHeadlines(report: Report): Headline[] {
  const { figures } = report.score
  const { reverse, guessed, shapes, largestGap, heldOutError, emptyQuotes } = report
  const line = (name: string, value: string, detail: string, isBad = false) => ({ name, value, detail, isBad })
  return [
    line('Wrong matches', String(figures.wrongMatches), ofSites(figures), figures.wrongMatches > 0),
    line('Precision', percent(figures.precision), `at least ${percent(figures.precisionLower)} (Wilson, 95%)`),
    line('Recall', percent(figures.recall), 'of the companies to be found'),
    line('Recall, only a match is right', percent(figures.recallOnlyMatch), 'of those where a review is not accepted'),
    line('Outcome accuracy', percent(figures.outcomeAccuracy), `${figures.right} of ${figures.sites} answers right`),
    line('Shapes right', `${shapes.right} of ${shapes.shapes}`, 'kinds of case of which every site is right'),
    line('Review rate', percent(figures.reviewRate), 'left for a person to decide'),
    line('Calibration error', decimal(figures.ece), 'expected, over ten bins of confidence'),
    ...(heldOutError === null
      ? []
      : [
          line(
            'Calibration error, held out',
            decimal(heldOutError),
            'with weights that were fitted without this world',
          ),
        ]),
    line(
      'Quotes without their words',
      String(emptyQuotes.length),
      'of all quotes of all answers',
      emptyQuotes.length > 0,
    ),
    line(
      'Explanation gap',
      `${decimal(largestGap?.gap ?? null, 2)} bits`,
      `between the confidence and the sum of the terms shown; the largest, on ${largestGap?.domain ?? 'no site'}`,
    ),
    ...(reverse.companies > 0
      ? [
          line(
            'Company to domain',
            `${percent(reverse.precision)} / ${percent(reverse.recall)}`,
            `precision / recall, ${reverse.wrong} wrong of ${reverse.companies} companies`,
            reverse.wrong > 0,
          ),
          line(
            'By the name alone',
            `${percent(guessed.precision)} / ${percent(guessed.recall)}`,
            `the same with nothing known, of ${guessed.companies} companies whose domain can be guessed`,
            guessed.wrong > 0,
          ),
        ]
      : []),
    line('Speed', `${(figures.sites / report.seconds).toFixed(1)} sites/s`, `${report.seconds.toFixed(1)} s in all`),
  ]
}

function ofSites(figures: Figures): string {
  return `of ${figures.sites} sites`
}
