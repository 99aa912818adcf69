import type { SearchCriteria } from './search.ts'

/** Completed years since the incorporation, both ends included. */
export interface AgeCriteria {
  ageFromYears?: number | undefined
  ageToYears?: number | undefined
}

/** Returns the criteria with the age as days of incorporation, seen from `today` (`YYYY-MM-DD`); the narrower day counts. */
export function applyAge(
  { ageFromYears, ageToYears, ...criteria }: SearchCriteria & AgeCriteria,
  today: string,
): SearchCriteria {
  const latest = ageFromYears === undefined ? undefined : yearsBefore(today, ageFromYears)
  const earliest = ageToYears === undefined ? undefined : nextDay(yearsBefore(today, ageToYears + 1))
  const from = [criteria.incorporatedFrom, earliest].filter((day) => day !== undefined).toSorted()
  const to = [criteria.incorporatedTo, latest].filter((day) => day !== undefined).toSorted()
  return { ...criteria, incorporatedFrom: from.at(-1), incorporatedTo: to[0] }
}

/** A company of 29 February completes its year on 1 March. */
function yearsBefore(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) - years).padStart(4, '0')
  const date = `${year}${day.slice(4)}`
  return isDate(date) ? date : `${year}-02-28`
}

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
