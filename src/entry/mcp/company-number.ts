import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { parseCompanyNumber } from '../../register/index.ts'

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
