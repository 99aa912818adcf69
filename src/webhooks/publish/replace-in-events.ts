import type { Tx } from '../../lib/db/db.ts'
import { type LooseRecord, toRecord } from '../../lib/text/loose-json.ts'
import { BODY_BYTES_MAX } from './publish.ts'

const BATCH = 1_000
const BATCHES_MAX = 1_000

/**
 * Replaces texts in events of companies that are kept for retries and replays. `texts` has the texts by company number. An
 * event keeps its number; a retry has a new signature.
 */
export async function replaceInEvents(
  tx: Tx,
  texts: ReadonlyMap<string, string[]>,
  replace: (value: unknown, texts: readonly string[]) => unknown,
): Promise<void> {
  const escaped = [...new Set([...texts.values()].flat())].map((text) => JSON.stringify(text).slice(1, -1))
  if (escaped.length === 0) return
  let after = '0'
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const events = await tx.query<{ id: string; body: string }>(
      `select id::text, body from webhook_event
       where id > $1 and exists (select from unnest($2::text[]) as text where strpos(body, text) > 0)
       order by id limit ${BATCH}`,
      [after, escaped],
    )
    for (const { id, body } of events) {
      const event = toRecord(JSON.parse(body))
      const ofCompany = texts.get(String(toRecord(event['data'])['company_number']))
      if (!ofCompany) continue
      const data = toRecord(replace(event['data'], ofCompany))
      await tx.query('update webhook_event set body = $2 where id = $1', [id, serialize(event, data)])
    }
    if (events.length < BATCH) return
    after = events.at(-1)?.id ?? after
  }
}

/** The new text may be longer than the old one. */
function serialize(event: LooseRecord, data: LooseRecord): string {
  const body = JSON.stringify({ ...event, data })
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body
  return JSON.stringify({ ...event, data: { ...data, changes: [], changes_left_out: true } })
}
