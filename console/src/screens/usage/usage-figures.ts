/** The figures of the usage chart: one value for each outcome and day of a range. */
import type { Usage } from '../../api/bodies.ts'

export type Measure = 'answers' | 'credits'

/** A kind of answer in the chart. The colour is the name of a CSS variable. */
export interface Outcome {
  name: string
  says: string
  colour: string
  isPaid: boolean
}

const OUTCOMES: readonly Outcome[] = [
  { name: 'matched', says: 'Matched', colour: '--good', isPaid: true },
  { name: 'verified', says: 'Verified web site', colour: '--info', isPaid: true },
  { name: 'already_paid', says: 'Already paid', colour: '--info-soft', isPaid: false },
  { name: 'needs_review', says: 'Needs review', colour: '--warn', isPaid: false },
  { name: 'no_match', says: 'No match', colour: '--line-strong', isPaid: false },
  { name: 'non_uk_entity', says: 'Not a UK company', colour: '--soft', isPaid: false },
  { name: 'scrape_failed', says: 'Site could not be read', colour: '--bad', isPaid: false },
  { name: 'own_decision', says: 'Your decision', colour: '--accent-soft', isPaid: false },
  { name: 'refunded', says: 'Refunded', colour: '--mark', isPaid: false },
]
const OTHER: Outcome = { name: 'other', says: 'Other', colour: '--line', isPaid: false }

export function outcomeOf(counted: string): Outcome {
  const name = counted.replace(/_free$/, '')
  return OUTCOMES.find((outcome) => outcome.name === name) ?? OTHER
}

export interface Layer {
  outcome: Outcome
  /** One for each day. */
  values: number[]
  total: number
}

/** Returns one layer for each outcome that occurs, paid ones first. */
export function layersOf(usage: Usage, days: readonly string[], measure: Measure): Layer[] {
  const indexes = new Map(days.map((day, index) => [day, index]))
  return [...OUTCOMES, OTHER]
    .map((outcome) => {
      const values = days.map(() => 0)
      for (const row of usage.data) {
        const index = indexes.get(row.date)
        if (index === undefined || outcomeOf(row.outcome) !== outcome) continue
        values[index] = (values[index] ?? 0) + row[measure]
      }
      return { outcome, values, total: values.reduce((sum, value) => sum + value, 0) }
    })
    .filter(({ values }) => values.some((value) => value !== 0))
}

const DAYS_MAX = 400

/** Returns every date from `from` to `to`, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days = [from]
  while ((days.at(-1) ?? to) < to && days.length < DAYS_MAX) days.push(shiftDay(days.at(-1) ?? to, 1))
  return days
}

export function shiftDay(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + by)
  return date.toISOString().slice(0, 10)
}

const LONDON_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })

/** Returns the day by which the API counts. */
export const londonToday = () => LONDON_DAY.format(new Date())
