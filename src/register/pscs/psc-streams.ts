/** The streams that keep the table `psc` current. People, statements and exemptions come apart; the file has all of them. */
export const PSC_STREAM = 'persons-with-significant-control'

/** Statements and exemptions stand in place of owners. Our REST requests list neither, so only these streams and the file have them. */
export const STATEMENT_STREAMS = ['persons-with-significant-control-statements', 'company-exemptions'] as const

export type PscStream = typeof PSC_STREAM | (typeof STATEMENT_STREAMS)[number]

export const PSC_STREAMS: readonly PscStream[] = [PSC_STREAM, ...STATEMENT_STREAMS]

/** As PostgreSQL's array, for constant statements. */
export const PSC_STREAM_NAMES = `'{${PSC_STREAMS.join(',')}}'::text[]`

/** Up to when all records are current; null where one of the streams is not followed, or missed something since the file. */
export const ALL_PSCS_CURRENT_UNTIL = `(select case when count(current_until) = ${PSC_STREAMS.length} then min(current_until) end
  from register_stream where name = any (${PSC_STREAM_NAMES}) and gap_since is null)`
