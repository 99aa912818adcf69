/** Ways to change the kept pages of answers, by one who has the database. Each names what `archive verify` must find. */
import type { Tx } from '../../../src/lib/db/db.ts'

export interface ArchiveKind {
  name: string
  /** The count of the report that must not be 0. */
  expected: 'damaged' | 'unquoted'
  change: (tx: Tx) => Promise<unknown>
}

const FIRST = '(select min(id) from page_capture where leads_to is null)'
const OTHER = `(select id from page_capture where leads_to is null
  and sha256 <> (select sha256 from page_capture where id = ${FIRST}) limit 1)`
const setFirst = (assignment: string) => (tx: Tx) =>
  tx.query(`update page_capture set ${assignment} where id = ${FIRST}`)

export const ARCHIVE_KINDS: readonly ArchiveKind[] = [
  {
    name: 'kept: a byte of a body',
    expected: 'damaged',
    change: (tx) =>
      tx.query(
        `update page_body set content = set_byte(content, length(content) / 2, 255 - get_byte(content, length(content) / 2))
         where sha256 = (select sha256 from page_capture where id = ${FIRST})`,
      ),
  },
  {
    name: 'kept: a page pointed at the body of another',
    expected: 'unquoted',
    change: setFirst(`sha256 = (select sha256 from page_capture where id = ${OTHER})`),
  },
  {
    name: 'kept: a page given to another answer',
    expected: 'unquoted',
    change: setFirst(`resolution_id = (select resolution_id from page_capture where id = ${OTHER})`),
  },
  { name: 'kept: a page given another address', expected: 'unquoted', change: setFirst(`url = url || 'other'`) },
]
