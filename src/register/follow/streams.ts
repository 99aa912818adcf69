/** The register's streams, and what an event of one is. */

/** The streams we follow, and the kind of resource each is about. */
export const STREAMS = {
  companies: 'company',
  filings: 'filing',
  officers: 'officer',
  charges: 'charge',
  'insolvency-cases': 'insolvency',
  'persons-with-significant-control': 'psc',
  'persons-with-significant-control-statements': 'psc',
  'company-exemptions': 'psc',
} as const

export type StreamName = keyof typeof STREAMS
export type ChangeKind = (typeof STREAMS)[StreamName]
export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[]

export interface StreamEvent {
  timepoint: number
  publishedAt: Date
  companyNumber: string
  /** Unique within the company: appointment, charge, transaction, PSC, statement; the company's number for the rest. */
  resourceId: string
  isDeletion: boolean
  data: Record<string, unknown>
}
