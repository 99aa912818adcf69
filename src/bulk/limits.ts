import { DomainError } from '../errors.ts'

export const ROWS_MAX = 10_000
export const RUNNING_MAX = 5
export const KEPT_DAYS = 30

export function tooManyRows(rows: number): DomainError {
  const [sent, most] = [rows, ROWS_MAX].map((count) => count.toLocaleString('en-GB'))
  return refuseRows(`There are ${sent} rows, and a bulk job takes up to ${most}. Send them as several bulk jobs.`)
}

export function noRows(): DomainError {
  return refuseRows('There are no rows. Send at least one domain.')
}

function refuseRows(message: string): DomainError {
  return new DomainError('invalid_request', message, { errors: [{ field: 'domains', message }] })
}

export function tooManyRunning(): DomainError {
  const message = `${RUNNING_MAX} bulk jobs of this account are running, and that is the most. Wait until one has ended, or cancel one.`
  return new DomainError('bulk_limit_reached', message)
}
