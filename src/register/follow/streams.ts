/** The register's streams, and how a line of one is parsed. */
import { withoutNested } from '../../lib/text/loose-json.ts'
import { NEVER_STORED } from '../details/part-items.ts'
import { PSC_STREAMS, type PscStream } from '../pscs/psc-streams.ts'

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

export function isPscStream(stream: StreamName): stream is PscStream {
  return PSC_STREAMS.some((name) => name === stream)
}

export interface StreamEvent {
  timepoint: number
  publishedAt: Date
  companyNumber: string
  /** Unique within the company: appointment, charge, transaction, PSC, statement; the company's number for the rest. */
  resourceId: string
  isDeletion: boolean
  data: Record<string, unknown>
}

/** Parses a line of a stream; null when it is no event. Unknown members are kept, and members may be absent. */
export function parseEvent(line: string): StreamEvent | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return null
  }
  const { resource_uri: uri, resource_id: id, data, event } = (parsed ?? {}) as Record<string, unknown>
  const { timepoint, published_at: published, type } = (event ?? {}) as Record<string, unknown>
  if (typeof uri !== 'string') return null
  const number = /^\/?company\/([A-Za-z0-9]{6,8})/.exec(uri)?.[1]
  if (!number || typeof timepoint !== 'number' || !Number.isSafeInteger(timepoint)) return null
  return {
    timepoint,
    publishedAt: parsePublished(published),
    companyNumber: number.toUpperCase().padStart(8, '0'),
    resourceId: typeof id === 'string' && id !== '' ? id : uri.slice(uri.lastIndexOf('/') + 1),
    isDeletion: type === 'deleted',
    data: typeof data === 'object' && data !== null ? withoutNested(data as Record<string, unknown>, NEVER_STORED) : {},
  }
}

/** Times are UTC without a zone; older events carry one. */
function parsePublished(text: unknown): Date {
  const withZone = typeof text === 'string' ? (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`) : ''
  const at = new Date(withZone)
  return Number.isNaN(at.getTime()) ? new Date(0) : at
}
