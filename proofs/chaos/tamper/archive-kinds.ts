/** Ways to change the kept pages of answers, by one who has the database. Each names what `archive verify` must find. */
import type { Tx } from '../../../src/lib/db/db.ts'

export interface ArchiveKind {
  name: string
  /** The count of the report that must not be 0. */
  expected: 'damaged' | 'unquoted' | 'altered' | 'unanswered'
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
  {
    name: 'kept: a page made a redirect to another site',
    expected: 'unquoted',
    change: setFirst(`leads_to = 'https://another.example/'`),
  },
  { name: 'kept: a page made a redirect to itself', expected: 'unquoted', change: setFirst('leads_to = url') },
  {
    name: 'kept: a planted redirect to another site',
    expected: 'unquoted',
    change: (tx) =>
      tx.query(
        `insert into page_capture
           (resolution_id, domain, kept_until, url, leads_to, status, fetched_at, ip, request, response, is_cut, sha256)
         select resolution_id, domain, kept_until, url || 'from', 'https://another.example/', 301, fetched_at, ip, request,
           response, is_cut, sha256 from page_capture where id = ${FIRST}`,
      ),
  },
  {
    name: 'kept: the time of a page',
    expected: 'altered',
    change: setFirst(`fetched_at = fetched_at - interval '30 days'`),
  },
  { name: 'kept: the status of a page', expected: 'altered', change: setFirst('status = 404') },
  {
    name: 'kept: a page given to an answer that there is not',
    expected: 'unanswered',
    change: setFirst(`resolution_id = 'res_none'`),
  },
]
