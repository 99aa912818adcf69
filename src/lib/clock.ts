/** Time that matters to logic comes from here, so that tests can hold it still. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

const londonDate = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The calendar date in London at this moment, as `YYYY-MM-DD`: what "today" means throughout Nameplate. */
export function toLondonDate(at: Date): string {
  return londonDate.format(at)
}

export function addSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000)
}

export function addDaysToDate(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** The same day of a later month, or that month's last day where it is shorter (31 January → 28 February). */
export function addMonthsToDate(date: string, months: number): string {
  const at = new Date(`${date}T00:00:00Z`)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  return at.toISOString().slice(0, 10)
}
