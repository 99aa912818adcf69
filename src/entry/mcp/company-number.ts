import { z } from 'zod'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { type Company, findCompany, parseCompanyNumber } from '../../register/index.ts'
import { getDetailsFor } from '../../resolution/index.ts'
import type { Caller } from '../http/caller.ts'

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
  return stored ?? (await getDetailsFor(app, caller, number)).company
}
