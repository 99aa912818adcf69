/** Events about the owners of a company: people, statements in place of them, and exemptions. */
import type { Tx } from '../../lib/db/db.ts'
import { applyPscs, type IncomingPsc } from '../pscs/apply-pscs.ts'
import { EXEMPTIONS_ID, toPscRow } from '../pscs/psc-row.ts'
import { PSC_STREAM, type PscStream } from '../pscs/psc-streams.ts'
import type { StreamEvent } from './streams.ts'

/** The kind of a record that does not name it, as that of a deletion. */
const KIND: Record<PscStream, string> = {
  [PSC_STREAM]: '',
  'persons-with-significant-control-statements': 'persons-with-significant-control-statement',
  'company-exemptions': 'exemptions',
}

/** The events must be of different resources. */
export async function applyPscEvents(tx: Tx, stream: PscStream, events: readonly StreamEvent[]): Promise<void> {
  const incoming = events.map(
    ({ companyNumber, resourceId, data, isDeletion, timepoint, publishedAt }): IncomingPsc => {
      // The stream names exemptions by their company; the file has them under this id.
      const id = stream === 'company-exemptions' ? EXEMPTIONS_ID : resourceId
      const row = toPscRow(companyNumber, id, { kind: KIND[stream], ...data })
      return { row, isDeletion, rowHash: null, timepoint, at: publishedAt, reference: `${stream} ${timepoint}` }
    },
  )
  await applyPscs(tx, incoming, {
    source: 'stream',
    // A stream that lags sends what the file of a later day has already.
    isStale: (known, { timepoint, at }) =>
      known.timepoint >= timepoint || (known.row_hash !== null && at < known.changed_at),
  })
}
