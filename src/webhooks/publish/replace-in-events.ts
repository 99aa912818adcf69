import type { Tx } from '../../lib/db/db.ts'
import { type LooseRecord, toRecord } from '../../lib/text/loose-json.ts'
import { BODY_BYTES_MAX } from './publish.ts'

/**
 * Replaces the data of a company's events that are kept for retries and replays. They are found by the moments at which they
 * were published. An event keeps its number; a retry has a new signature.
 */
export async function replaceInEvents(
  tx: Tx,
  { companyNumber, createdAt }: { companyNumber: string; createdAt: readonly Date[] },
  replace: (data: LooseRecord) => LooseRecord,
): Promise<void> {
  if (createdAt.length === 0) return
  const events = await tx.query<{ id: string; body: string }>(
    'select id::text, body from webhook_event where created_at = any ($1::timestamptz[])',
    [createdAt],
  )
  for (const { id, body } of events) {
    const event = toRecord(JSON.parse(body))
    const data = toRecord(event['data'])
    if (data['company_number'] !== companyNumber || !Array.isArray(data['changes'])) continue
    await tx.query('update webhook_event set body = $2 where id = $1', [id, serialize(event, replace(data))])
  }
}

/** The new text may be longer than the old one. */
function serialize(event: LooseRecord, data: LooseRecord): string {
  const body = JSON.stringify({ ...event, data })
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body
  return JSON.stringify({ ...event, data: { ...data, changes: [], changes_left_out: true } })
}
