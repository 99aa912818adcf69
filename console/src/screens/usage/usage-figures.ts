/** The figures of the usage chart: one value for each outcome and day of a range. */
import type { Usage } from '../../api/bodies.ts'
import { colourOfOutcome, wordOfOutcome } from '../../ui/tones.ts'

export type Measure = 'answers' | 'credits'

/** A kind of answer in the chart, with its CSS colour. */
export interface Outcome {
  name: string
  says: string
  colour: string
  isPaid: boolean
}

const paler = (colour: string) => `color-mix(in oklab, ${colour} 50%, var(--card))`
const usual = (name: string) => ({ name, says: wordOfOutcome(name), colour: colourOfOutcome(name), isPaid: false })

const OUTCOMES: readonly Outcome[] = [
  { ...usual('matched'), isPaid: true },
  { ...usual('verified'), says: 'Verified web site', colour: paler('var(--good)'), isPaid: true },
  { name: 'already_paid', says: 'Already paid', colour: 'var(--good-soft)', isPaid: false },
  usual('needs_review'),
  usual('no_match'),
  usual('non_uk_entity'),
  usual('scrape_failed'),
  { name: 'own_decision', says: 'Your decision', colour: 'var(--info)', isPaid: false },
  { name: 'refunded', says: 'Refunded', colour: 'var(--mark)', isPaid: false },
]
const OTHER: Outcome = { name: 'other', says: 'Other', colour: 'var(--line)', isPaid: false }

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
