/** Why a replica did not answer a read. */
import { isPassingFailure } from './failures.ts'

/**
 * `behind`: it had not replayed what the read must see. `slow`: it hangs, or took too long. `lost`: no connection.
 * `conflict`: it cancelled the statement to go on replaying. `failed`: the statement itself fails, there at least.
 * `paused`: it failed again and again and is not used until a look at it succeeds.
 */
export type Refusal = 'behind' | 'slow' | 'lost' | 'conflict' | 'failed' | 'paused'

/** There is no connection, whatever the reason: a wrong password counts too. */
export class Unreachable extends Error {}

export class TooSlow extends Error {}

const CONFLICT = /^40/
const STATEMENT_TIMEOUT = '57014'
const NO_CONNECTION_IN_TIME = 'timeout exceeded when trying to connect'

export function describeRefusal(error: unknown): Refusal {
  if (error instanceof TooSlow) return 'slow'
  if (error instanceof Unreachable) {
    return error.cause instanceof Error && error.cause.message === NO_CONNECTION_IN_TIME ? 'slow' : 'lost'
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === STATEMENT_TIMEOUT) return 'slow'
  if (CONFLICT.test(code)) return 'conflict'
  return isPassingFailure(error) ? 'lost' : 'failed'
}
