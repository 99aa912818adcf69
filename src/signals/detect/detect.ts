import { toLondonDate } from '../../lib/clock.ts'
import type { CompanyFacts } from '../../register/index.ts'
import { detectCharge } from './charge.ts'
import { detectCompany } from './company.ts'
import type { ChangeContext, DetectedSignal } from './detected-signal.ts'
import { detectInsolvency } from './insolvency.ts'
import { detectOfficer } from './officer.ts'
import { detectPsc } from './psc.ts'
import { type Resource, toResource } from './resource.ts'

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

/** The detectors of parts. Filings have none: the change that a filing brings about is the signal. */
const DETECTORS: Partial<
  Record<string, (before: Resource | null, after: Resource | null, context: ChangeContext) => DetectedSignal[]>
> = { officer: detectOfficer, charge: detectCharge, insolvency: detectInsolvency, psc: detectPsc }

/** Returns the signals of a change. Pure: the same change always has the same signals. */
export function detectSignals(change: RegisterChange): DetectedSignal[] {
  const { kind, before, after } = change
  const context: ChangeContext = {
    company: change.companyName ?? `Company ${change.companyNumber}`,
    incorporatedOn: change.incorporatedOn,
    day: toLondonDate(change.occurredAt),
  }
  if (kind === 'company') return detectCompany(before as CompanyFacts | null, after as CompanyFacts | null, context)
  const toPart = (part: unknown) => (part === null ? null : toResource(part))
  return DETECTORS[kind]?.(toPart(before), toPart(after), context) ?? []
}
