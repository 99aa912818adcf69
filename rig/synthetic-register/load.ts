import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { COPY_COLUMNS, isPlain, splitLine, toCopyLine, toFacts } from '../../src/register/import/row.ts'
import { syntheticRows } from './rows.ts'

/** Straight into `company`, without what an import does beside. The search knows them once its index is rebuilt. */
export async function loadSyntheticRegister(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const copy = client.query(copyFrom(`copy company (${COPY_COLUMNS}) from stdin`))
  let chunk = ''
  for (const line of syntheticRows(rows)) {
    const facts = toFacts(splitLine(line.trimEnd()) ?? [])
    if (facts)
      chunk += `${toCopyLine(facts, { hash: 0, changedAt: '2026-09-01T00:00:00Z', isPlain: isPlain(line.trimEnd()) })}\n`
    if (chunk.length < 1_000_000) continue
    if (!copy.write(chunk)) await once(copy, 'drain')
    chunk = ''
  }
  copy.end(chunk)
  await once(copy, 'finish')
  await client.query('analyze company')
  await client.end()
}
