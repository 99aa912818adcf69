import { toLondonDate } from '../../lib/clock.ts'
import type { CompanyFacts } from '../../register/index.ts'
import type { ChangeContext, DetectedSignal } from './change-context.ts'
import { detectCharge } from './charge.ts'
import { detectCompany } from './company.ts'
import { detectInsolvency } from './insolvency.ts'
import { detectOfficer } from './officer.ts'
import { detectPsc } from './psc.ts'
import { toResource } from './resource.ts'

/** A change as the register recorded it, with what the register knows of the company. */
export interface RegisterChange {
  companyNumber: string
  companyName: string | null
  incorporatedOn: string | null
  /** `company`, or the kind of a part of it. */
  kind: string
  before: unknown
  after: unknown
  source: string
  reference: string
  occurredAt: Date
}

/** Which signals a change is. Pure: the same change always says the same. */
export function detectSignals(change: RegisterChange): DetectedSignal[] {
  const context: ChangeContext = {
    company: change.companyName ?? `Company ${change.companyNumber}`,
    incorporatedOn: change.incorporatedOn,
    day: toLondonDate(change.occurredAt),
  }
  if (change.kind === 'company') {
    return detectCompany(change.before as CompanyFacts | null, change.after as CompanyFacts | null, context)
  }
  const before = change.before === null ? null : toResource(change.before)
  const after = change.after === null ? null : toResource(change.after)
  switch (change.kind) {
    case 'officer':
      return detectOfficer(before, after, context)
    case 'charge':
      return detectCharge(before, after, context)
    case 'insolvency':
      return detectInsolvency(before, after, context)
    case 'psc':
      return detectPsc(before, after, context)
    default:
      // A filing says nothing that the change it brings about does not say better.
      return []
  }
}
