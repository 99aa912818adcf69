/** Formats figures, dates and the API's codes for people. */

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const NUMBER = new Intl.NumberFormat('en-GB')

export function showDay(date: string | null): string {
  return date === null ? '–' : DAY.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))
}

const LONDON_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })

/** Returns the day by which the API counts. */
export const londonToday = () => LONDON_DAY.format(new Date())

export function showMoment(time: string | null): string {
  return time === null ? '–' : MOMENT.format(new Date(time))
}

/** The time of day: "14:05". */
export function showTime(time: number): string {
  return TIME.format(new Date(time))
}

export function showNumber(value: number): string {
  return NUMBER.format(value)
}

const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })

export function showPounds(value: number): string {
  return POUNDS.format(value)
}

const STEPS: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const AGO = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

export function showAgo(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  return step ? AGO.format(Math.round(seconds / step[1]), step[0]) : 'just now'
}

/** Formats a probability: 0.8 is "80 %", 0.985 is "98.5 %". Rounds down, because rounding up would promise too much. */
export function showShare(share: number): string {
  // Floating point makes 0.57 * 1000 a little less than 570.
  const tenths = Math.floor(share * 1_000 + 1e-6)
  if (tenths === 0 && share > 0) return 'below 0.1 %'
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`
}

/** `director_resigned` is "Director resigned". */
export function showWord(word: string): string {
  const words = word.replaceAll(/[_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${showNumber(count)} ${count === 1 ? one : many}`
}
