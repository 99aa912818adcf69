/** Everything that can happen to a company, as methods of one object. */
import * as charges from './charge-changes.ts'
import * as companies from './company-changes.ts'
import * as insolvencies from './insolvency-changes.ts'
import * as officers from './officer-changes.ts'
import * as pscs from './psc-changes.ts'
import type { Register } from './register.ts'
import * as strikeOffs from './strike-off.ts'

const ALL = { ...companies, ...officers, ...charges, ...insolvencies, ...strikeOffs, ...pscs }

/** The same functions without their first parameter. */
export type Changes = {
  [Name in keyof typeof ALL]: (typeof ALL)[Name] extends (register: Register, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

export function bindChanges(register: Register): Changes {
  const bound = Object.entries(ALL).map(([name, change]) => {
    const call = change as (register: Register, ...rest: unknown[]) => unknown
    return [name, (...rest: unknown[]) => call(register, ...rest)]
  })
  return Object.fromEntries(bound) as Changes
}
