import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import {
  type Company,
  type CompanyDetails,
  findCompany,
  getCompanyDetails,
  parseCompanyNumber,
} from '../../register/index.ts'
import { getTestDetails } from '../../resolution/index.ts'
import type { Caller } from '../http/caller.ts'

/** A caller waits this long for the register at most; what has not come by then is said to be missing. */
const MAX_WAIT_MS = 8_000

/** Long enough for a name, so that an agent that sends one gets the right error. */
export const CompanyNumber = z
  .string({ error: 'must be given: the number of a company. search_companies finds it by name' })
  .min(1)
  .max(200)
  .describe('Of the UK register, as people write it: `07214938`, `SC 12345`. Not a name.')

/** A name never passes for a number: the agent must choose one company first. */
export function readCompanyNumber(typed: string): string {
  const number = parseCompanyNumber(typed)
  if (number !== null) return number
  throw new DomainError(
    'invalid_request',
    `"${typed}" is not a company number. Call search_companies with it as the name, choose the right company, and call this again with its company_number.`,
  )
}

/** From what we have, or else looked up at the register; for a test key, a test company. */
export async function getCompanyByNumber(app: App, number: string, caller: Caller): Promise<Company> {
  const stored = caller.mode === 'live' ? await findCompany(app.db, number) : null
  return stored ?? (await getDetailsByNumber(app, number, caller)).company
}

export async function getDetailsByNumber(
  app: App,
  number: string,
  { mode, accountId }: Caller,
): Promise<CompanyDetails> {
  if (mode === 'test') return getTestDetails(number, app.clock.now())
  try {
    return await getCompanyDetails(app, number, { priority: 'user', maxWaitMs: MAX_WAIT_MS, accountId })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
    throw new DomainError('company_not_found', error.message, { cause: error })
  }
}
