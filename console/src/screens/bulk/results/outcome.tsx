import type { BulkRow } from '../../../api/bodies.ts'
import { Badge } from '../../../ui/parts.tsx'
import { toneOfOutcome } from '../../../ui/tones.ts'
import { wordOfState } from '../bulk-words.ts'

/** The state of a row, and whether a person decided it. */
export function Outcome({ row: { state, decision } }: { row: BulkRow }) {
  return (
    <>
      <Badge tone={toneOfOutcome(state)}>{wordOfRow(state)}</Badge>
      {decision && <Badge tone="info">You</Badge>}
    </>
  )
}

const SINGULAR: Partial<Record<BulkRow['state'], string>> = { invalid: 'Invalid', duplicate: 'Duplicate' }

const wordOfRow = (state: BulkRow['state']) => SINGULAR[state] ?? wordOfState(state)
