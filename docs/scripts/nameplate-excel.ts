/**
 * UK companies in Excel, as an Office Script: Automate → New script, paste this file, save. Select the cells of one column and
 * run it. Excel asks for the two parameters; the key is kept in no cell.
 *
 *   check:   what a run with domains can cost at most. It writes nothing, starts nothing and is free.
 *   domains: the companies behind domains, web addresses or e-mail addresses. A credit for each match.
 *   names:   the companies of names; if you select two columns, the second has the postcodes. Free.
 *
 * The answers are written to the right of the selection, into empty cells or over earlier answers of this script. Where a row is
 * not ready, run the script again on the same cells within 24 hours: the same list is sent once only.
 */
const NAMEPLATE_URL = 'https://api.example.com'
const ROWS_MAX = 10000
const WAIT_SECONDS_MAX = 90
const TRIES_MAX = 5

const COLUMNS = ['outcome', 'company_name', 'company_number', 'company_status_text', 'registered_postcode', 'reason']

interface BulkJob {
  id: string
  status: string
  counts: { waiting: number; running: number }
}

interface BulkRow {
  status: string
  outcome: string | null
  company_name: string | null
  company_number: string | null
  company_status_text: string | null
  registered_postcode: string | null
  reason: string | null
  duplicate_of: number | null
}

interface Preflight {
  rows: number
  unique_domains: number
  duplicates: number
  invalid: number
  free_mail: number
  already_paid: number
  credits_max: number
  credits_available: number
}

// oxlint-disable-next-line no-unused-vars -- Excel calls it
async function main(
  workbook: ExcelScript.Workbook,
  what: 'check' | 'domains' | 'names',
  apiKey: string,
): Promise<string> {
  const range = workbook.getSelectedRange()
  const rows = range.getTexts().map((row) => row.map((text) => text.trim()))
  if (rows.length > ROWS_MAX) throw new Error('Select at most ' + ROWS_MAX + ' rows.')
  if (rows.every((row) => row[0] === '')) {
    throw new Error('Select the cells with your ' + (what === 'names' ? 'names' : 'domains') + ' first.')
  }
  if (what === 'check') return checkDomains(rows, apiKey.trim())
  const sheet = range.getWorksheet()
  const [row, column] = [range.getRowIndex(), range.getColumnIndex() + range.getColumnCount()]
  const target = sheet.getRangeByIndexes(row, column, rows.length, COLUMNS.length)
  const property = 'nameplate-' + row + '-' + column
  refuseFilled(target, sheet.getWorksheetCustomProperty(property))
  const list = what === 'names' ? toNameList(rows) : { domains: rows.map((cells) => cells[0]) }
  const answers = await runBulk(list, rows.length, apiKey.trim())
  // As text, so that Excel keeps the zeros of company numbers.
  target.setNumberFormat('@')
  target.setValues(answers.cells)
  sheet.addWorksheetCustomProperty(property, hash(JSON.stringify(target.getFormulas())))
  return answers.message
}

/** Cells beside the selection are written again only where they hold what this script wrote. */
function refuseFilled(target: ExcelScript.Range, written: ExcelScript.WorksheetCustomProperty | undefined): void {
  const cells = target.getFormulas()
  if (cells.every((row) => row.every((cell) => String(cell).trim() === ''))) return
  if (written !== undefined && written.getValue() === hash(JSON.stringify(cells))) return
  throw new Error(
    'The answers need ' +
      COLUMNS.length +
      ' empty columns to the right of your cells. Insert columns there, or clear them.',
  )
}

/** The names and postcodes as CSV without a header: every line is a row, also an empty one between others. */
function toNameList(rows: string[][]): object {
  const quote = (cell: string) => '"' + cell.replace(/"/g, '""') + '"'
  const lines = rows.map((row) => quote(row[0]) + ',' + quote(row[1] || ''))
  return { table: lines.join('\n'), columns: { company_name: 1, postcode: 2 }, header_rows: 0 }
}

/** Sends a list as one bulk job and waits for its answers. */
async function runBulk(list: object, count: number, apiKey: string): Promise<{ cells: string[][]; message: string }> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const once = { ...headers, 'idempotency-key': 'excel-' + count + '-' + hash(JSON.stringify(list)) }
  const started = await send('/v1/bulk', {
    method: 'POST',
    headers: once,
    body: JSON.stringify({ ...list, name: 'Excel' }),
  })
  let job: BulkJob = await started.json()
  const until = Date.now() + WAIT_SECONDS_MAX * 1000
  while (countOpen(job) > 0 && job.status === 'running' && Date.now() < until) {
    await sleep(2)
    job = await (await send('/v1/bulk/' + job.id, { headers: headers })).json()
  }
  const lines = await (await send('/v1/bulk/' + job.id + '/results?format=jsonl', { headers: headers })).text()
  const results: BulkRow[] = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BulkRow)
  // A row that repeats another has the answer of that one: every contact of a company has the company.
  const answers = results.map((row) => (row.duplicate_of === null ? row : results[row.duplicate_of - 1]))
  const cells = answers.map((row) => COLUMNS.map((column) => toCell(readColumn(row, column))))
  // Empty rows at the end of a table are no rows of the job.
  while (cells.length < count) cells.push(COLUMNS.map(() => ''))
  return { cells: cells, message: describeJob(job) }
}

async function checkDomains(rows: string[][], apiKey: string): Promise<string> {
  const reply = await send('/v1/bulk?preflight=true', {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ domains: rows.map((row) => row[0]) }),
  })
  const found: Preflight = await reply.json()
  const counts = [
    found.unique_domains + ' domains',
    found.already_paid + ' of them already paid',
    found.duplicates + ' repeated',
    found.invalid + ' empty or not valid',
    found.free_mail + ' free e-mail addresses',
  ]
  const most = 'It costs at most ' + found.credits_max + ' credits, of your ' + found.credits_available + '.'
  return found.rows + ' rows: ' + counts.join(', ') + '. ' + most + ' Nothing was started.'
}

function readColumn(row: BulkRow, column: string): string | null {
  if (column === 'outcome') return row.outcome === null ? row.status : row.outcome
  return row[column as 'company_name']
}

function countOpen(job: BulkJob): number {
  return job.counts.waiting + job.counts.running
}

function describeJob(job: BulkJob): string {
  if (job.status === 'paused') return 'Your credits are used up: ' + countOpen(job) + ' rows have no answer.'
  return countOpen(job) === 0
    ? 'All rows have their answer.'
    : countOpen(job) + ' rows are not ready. Run the script again.'
}

/** Waits as long as the service says when it is busy; a refusal ends the script with its sentence. */
async function send(path: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(NAMEPLATE_URL + path, request)
    if (response.ok) return response
    if ((response.status !== 429 && response.status !== 503) || tries === TRIES_MAX) {
      const problem: { detail?: string; title?: string } = await response.json().catch(() => ({}))
      throw new Error(problem.detail || problem.title || 'Nameplate answered ' + response.status + '.')
    }
    await sleep(Math.min(30, Number(response.headers.get('retry-after')) || 2))
  }
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

/** The same list has the same key. */
function hash(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
    other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
  }
  return (one >>> 0).toString(16) + (other >>> 0).toString(16)
}

/** A text that Excel would run as a formula gets an apostrophe. */
function toCell(value: string | null): string {
  if (value === null) return ''
  return /^[=+\-@\t\r]/.test(value) ? "'" + value : value
}
