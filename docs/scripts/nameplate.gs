/**
 * UK companies in Google Sheets. Paste this file into Extensions → Apps Script of your sheet, save, and load the sheet again.
 * Then choose Nameplate → Set the API key. The key is kept with the script: everyone who may edit the sheet may use it.
 *
 *   =NAMEPLATE_PROFILE(C2:C200, "company_status") a fact of companies by their numbers; free
 *   =NAMEPLATE_COMPANY(D2:D200)                  the companies behind domains; a credit for each match
 *   =NAMEPLATE_COMPANY(D2:D200, "company_number") another field of the same answers
 *
 * For long lists of domains: select them and choose Nameplate → Fill the selected column. For names of companies, with their
 * postcodes in the next column if you have them: select both and choose Nameplate → Match the selected names; free.
 */
const NAMEPLATE_URL = 'https://api.example.com'
const NAMEPLATE_PENDING = 'pending'
/** Google stops a function after 30 seconds. */
const NAMEPLATE_SECONDS_MAX = 22
const NAMEPLATE_WAIT_SECONDS = 8
const NAMEPLATE_REQUESTS_AT_ONCE = 10
const NAMEPLATE_CACHE_SECONDS = 21600
const NAMEPLATE_ROWS_MAX = 10000

function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Nameplate')
    .addItem('Fill the selected column', 'nameplateFill')
    .addItem('Match the selected names', 'nameplateMatch')
    .addItem('Fetch the answers', 'nameplateFetch')
    .addItem('Refresh pending cells', 'nameplateRefresh')
    .addItem('Set the API key', 'nameplateSetKey')
    .addToUi()
}

function nameplateSetKey() {
  const ui = SpreadsheetApp.getUi()
  const reply = ui.prompt(
    'Nameplate',
    'Paste your API key. It is kept with this script and never in a cell.',
    ui.ButtonSet.OK_CANCEL,
  )
  if (reply.getSelectedButton() !== ui.Button.OK) return
  PropertiesService.getScriptProperties().setProperty('NAMEPLATE_API_KEY', reply.getResponseText().trim())
}

/**
 * Returns one fact of each company: company_name, company_status, company_status_text, company_type, company_type_text,
 * incorporated_on, dissolved_on, registered_address, registered_postcode, sic_codes, sic_codes_text, accounts_type, employees
 * or net_assets.
 *
 * @param {C2:C200} numbers Company numbers.
 * @param {"company_status"} field The fact.
 * @return The facts.
 * @customfunction
 */
function NAMEPLATE_PROFILE(numbers, field) {
  const wanted = String(field || 'company_name')
  const companies = nameplateFillRows(nameplateRows(numbers), 'number', nameplateLookUp)
  return companies.map((row) => row.map((company) => nameplateFact(company, wanted)))
}

/**
 * Returns the company behind each domain. Each match costs one credit, and nothing again for 30 days.
 *
 * @param {D2:D200} domains Domains, web addresses or e-mail addresses.
 * @param {"company_name"} field company_name, company_number, company_status_text, registered_postcode, match_confidence, …
 * @return Companies.
 * @customfunction
 */
function NAMEPLATE_COMPANY(domains, field) {
  const wanted = String(field || 'company_name')
  const answers = nameplateFillRows(nameplateRows(domains), 'domain', nameplateEnrich)
  return answers.map((row) => row.map((answer) => nameplateField(answer, wanted)))
}

/** Sends the domains of the selected column as one bulk job. */
function nameplateFill() {
  nameplateSend('domains', 1, (rows) => ({ domains: rows.map((row) => row[0]) }))
}

/** Sends the names of the selected column, with the postcodes of the next one, as one bulk job. It costs nothing. */
function nameplateMatch() {
  const columns = { company_name: 1, postcode: 2 }
  nameplateSend('names', 2, (rows) => ({ table: nameplateTable(rows), columns: columns, header_rows: 0 }))
}

/** Sends a selection of any length. `Fetch the answers` writes them beside it. */
function nameplateSend(what, columnsMax, toList) {
  const ui = SpreadsheetApp.getUi()
  const range = SpreadsheetApp.getActiveRange()
  const rows = nameplateRows(range.getDisplayValues()).map((row) => row.slice(0, columnsMax))
  if (rows.every((row) => row[0] === '')) return ui.alert('Select the cells with the ' + what + ' first.')
  if (rows.length > NAMEPLATE_ROWS_MAX) return ui.alert('Select at most ' + NAMEPLATE_ROWS_MAX + ' cells.')
  const sheet = range.getSheet()
  const job = {
    sheetId: sheet.getSheetId(),
    row: range.getRow(),
    rows: rows.length,
    asked: range.getColumn(),
    columns: rows[0].length,
    column: range.getLastColumn() + 1,
    sent: nameplateDigest(JSON.stringify(rows)),
  }
  job.beside = nameplateBeside(sheet, job)
  if (job.beside !== '' && !nameplateMayReplace(ui)) return
  const list = toList(rows)
  const looked = nameplateFetchOne('/v1/bulk?preflight=true', list)
  if (looked.status !== 200) return ui.alert(nameplateProblem(looked))
  const most = looked.body.credits_max + ' credits at most, of your ' + looked.body.credits_available + '. Start?'
  if (ui.alert('Nameplate', looked.body.rows + ' rows: ' + most, ui.ButtonSet.YES_NO) !== ui.Button.YES) return
  const started = nameplateFetchOne(
    '/v1/bulk',
    Object.assign({ name: SpreadsheetApp.getActiveSpreadsheet().getName() }, list),
  )
  if (started.status !== 202) return ui.alert(nameplateProblem(started))
  job.id = started.body.id
  PropertiesService.getScriptProperties().setProperty('NAMEPLATE_BULK', JSON.stringify(job))
  ui.alert(
    'The list is on its way. Choose Nameplate → Fetch the answers in a while; you may close the sheet meanwhile.',
  )
}

const NAMEPLATE_COLUMNS = [
  'outcome',
  'company_name',
  'company_number',
  'company_status_text',
  'registered_postcode',
  'confidence',
  'reason',
]

function nameplateFetch() {
  const ui = SpreadsheetApp.getUi()
  const kept = PropertiesService.getScriptProperties().getProperty('NAMEPLATE_BULK')
  if (!kept)
    return ui.alert('Nothing was sent from this sheet. Select cells and choose Nameplate → Fill the selected column.')
  const job = JSON.parse(kept)
  const sheet = SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .find((each) => each.getSheetId() === job.sheetId)
  if (!sheet || nameplateSent(sheet, job) !== job.sent)
    return ui.alert(
      'The cells that you sent are not where they were: rows were sorted, inserted, removed or changed. Put them back, or ' +
        'select them and choose Nameplate → Fill the selected column again. Matches that you paid for stay free for 30 days.',
    )
  const beside = nameplateBeside(sheet, job)
  if (beside !== '' && beside !== job.beside && !nameplateMayReplace(ui)) return
  const state = nameplateFetchOne('/v1/bulk/' + job.id)
  const results = nameplateFetchOne('/v1/bulk/' + job.id + '/results?format=jsonl')
  if (state.status !== 200 || results.status !== 200)
    return ui.alert(nameplateProblem(state.status === 200 ? results : state))
  const lines = results.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  // A row that repeats another has the answer of that one: every contact of a company has the company.
  const answers = lines.map((line) => (line.duplicate_of ? lines[line.duplicate_of - 1] : line))
  const cells = answers.map((line) =>
    NAMEPLATE_COLUMNS.map((column) => nameplateCell(column === 'outcome' ? line.outcome || line.status : line[column])),
  )
  nameplateWrite(sheet, job, cells)
  job.beside = nameplateBeside(sheet, job)
  PropertiesService.getScriptProperties().setProperty('NAMEPLATE_BULK', JSON.stringify(job))
  const counts = state.body.counts
  const open = counts.waiting + counts.running
  if (state.body.status === 'paused')
    return ui.alert('The list waits for credits. ' + open + ' rows have no answer yet.')
  ui.alert(open === 0 ? 'All rows have their answer.' : open + ' rows have no answer yet. Fetch again in a while.')
}

function nameplateMayReplace(ui) {
  const question =
    'The ' + NAMEPLATE_COLUMNS.length + ' columns to the right are not empty. Replace them with the answers?'
  return ui.alert('Nameplate', question, ui.ButtonSet.YES_NO) === ui.Button.YES
}

/** The digest of the cells where the list was when it was sent. Null where the sheet has fewer rows or columns. */
function nameplateSent(sheet, job) {
  if (job.row + job.rows - 1 > sheet.getMaxRows() || job.asked + job.columns - 1 > sheet.getMaxColumns()) return null
  const cells = sheet.getRange(job.row, job.asked, job.rows, job.columns).getDisplayValues()
  return nameplateDigest(JSON.stringify(nameplateRows(cells)))
}

/** The digest of the cells that the answers replace; empty where all are blank. */
function nameplateBeside(sheet, job) {
  const columns = Math.min(NAMEPLATE_COLUMNS.length, sheet.getMaxColumns() - job.column + 1)
  if (columns < 1) return ''
  const range = sheet.getRange(job.row, job.column, job.rows, columns)
  const formulas = range.getFormulas()
  // A formula may show nothing.
  const texts = range.getDisplayValues().map((row, at) => row.map((text, column) => formulas[at][column] || text))
  const isBlank = texts.every((row) => row.every((text) => text.trim() === ''))
  return isBlank ? '' : nameplateDigest(JSON.stringify(texts))
}

function nameplateWrite(sheet, job, cells) {
  const missing = job.column + NAMEPLATE_COLUMNS.length - 1 - sheet.getMaxColumns()
  if (missing > 0) sheet.insertColumnsAfter(sheet.getMaxColumns(), missing)
  NAMEPLATE_COLUMNS.forEach((column, at) => {
    // As text, so that company numbers keep their zeros.
    if (column !== 'confidence') sheet.getRange(job.row, job.column + at, cells.length, 1).setNumberFormat('@')
  })
  sheet.getRange(job.row, job.column, cells.length, NAMEPLATE_COLUMNS.length).setValues(cells)
}

/** Google keeps what a function returned until its input changes: every formula of ours is written again. */
function nameplateRefresh() {
  const range = SpreadsheetApp.getActiveSheet().getDataRange()
  range.getFormulas().forEach((row, at) =>
    row.forEach((formula, column) => {
      if (formula.indexOf('NAMEPLATE_') === -1) return
      const cell = range.getCell(at + 1, column + 1)
      cell.setValue('')
      SpreadsheetApp.flush()
      cell.setFormula(formula)
    }),
  )
}

function nameplateRows(value) {
  return (Array.isArray(value) ? value : [[value]]).map((row) =>
    row.map((cell) => (cell === null || cell === undefined ? '' : String(cell).trim())),
  )
}

/** The names and postcodes as CSV without a header: every line is a row, also an empty one between others. */
function nameplateTable(rows) {
  const quote = (cell) => '"' + cell.replace(/"/g, '""') + '"'
  return rows.map((row) => quote(row[0]) + ',' + quote(row[1] || '')).join('\n')
}

/** Asks once for each different cell, from the cache where it can, until the time is over. */
function nameplateFillRows(rows, kind, read) {
  const until = Date.now() + NAMEPLATE_SECONDS_MAX * 1000
  const cache = CacheService.getScriptCache()
  const different = [...new Set(rows.flat())].filter((cell) => cell !== '')
  const answers = new Map()
  for (let from = 0; from < different.length; from += 100) {
    const keys = different.slice(from, from + 100)
    const known = cache.getAll(keys.map((key) => nameplateCacheKey(kind, key)))
    for (const key of keys) {
      const text = known[nameplateCacheKey(kind, key)]
      if (text) answers.set(key, JSON.parse(text))
    }
  }
  const left = different.filter((cell) => !answers.has(cell))
  for (let from = 0; from < left.length && Date.now() < until; from += NAMEPLATE_REQUESTS_AT_ONCE) {
    const found = read(left.slice(from, from + NAMEPLATE_REQUESTS_AT_ONCE), until)
    const kept = {}
    for (const [cell, answer] of found) {
      answers.set(cell, answer)
      if (answer !== NAMEPLATE_PENDING) kept[nameplateCacheKey(kind, cell)] = JSON.stringify(answer)
    }
    if (Object.keys(kept).length > 0) cache.putAll(kept, NAMEPLATE_CACHE_SECONDS)
  }
  return rows.map((row) =>
    row.map((cell) => (cell === '' ? '' : answers.has(cell) ? answers.get(cell) : NAMEPLATE_PENDING)),
  )
}

function nameplateCacheKey(kind, cell) {
  return 'nameplate:' + nameplateDigest(kind + '\n' + cell)
}

function nameplateDigest(text) {
  return Utilities.base64Encode(
    Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text, Utilities.Charset.UTF_8),
  )
}

function nameplateLookUp(numbers, until) {
  const padded = numbers.map((number) => (/^\d+$/.test(number) ? number.padStart(8, '0') : number))
  const requests = padded.map((number) => nameplateRequest('/v1/companies/search?name=' + encodeURIComponent(number)))
  const replies = nameplateFetchMany(requests, until)
  return numbers.map((number, at) => [number, nameplateNumbered(replies[at])])
}

/** The company with the number; an empty text where there is none. */
function nameplateNumbered(reply) {
  if (reply.status !== 200) return nameplateRefused(reply)
  return reply.body.data.find((company) => company.matched_on === 'company_number') || ''
}

function nameplateFact(company, field) {
  if (company === '' || typeof company !== 'object') return company
  const value = company[field]
  return nameplateCell(Array.isArray(value) ? value.join('; ') : value)
}

function nameplateEnrich(domains, until) {
  const requests = domains.map((domain) => nameplateRequest('/v1/partner/enrich-company', { domain: domain }))
  const replies = nameplateFetchMany(requests, until)
  return domains.map((domain, at) => [domain, nameplateAnswer(replies[at])])
}

/** Sends the requests together, and waits as long as the service says where it refuses one for now. */
function nameplateFetchMany(requests, until) {
  const replies = UrlFetchApp.fetchAll(requests).map(nameplateRead)
  const pause = Math.max(...replies.map((reply) => (reply.status === 429 ? reply.retrySeconds : 0)))
  if (pause > 0 && Date.now() + pause * 1000 < until) Utilities.sleep(pause * 1000)
  return replies
}

/** A row that is not ready is pending; one that cannot be answered says why. */
function nameplateAnswer(reply) {
  return reply.status === 200 ? reply.body.result : nameplateRefused(reply)
}

function nameplateField(answer, field) {
  if (answer === null || typeof answer !== 'object') return answer
  if (answer.match_status !== 'matched' && field !== 'match_status') return answer.match_status.replace(/_/g, ' ')
  return nameplateCell(answer[field])
}

/** 202, 429 and 503 pass: the cell is pending. Others say in a word why there is no answer, and are asked again next time. */
function nameplateRefused(reply) {
  if (reply.status === 202 || reply.status === 429 || reply.status >= 500) return NAMEPLATE_PENDING
  if (reply.status === 422 || reply.status === 400) return 'not valid'
  throw new Error(nameplateProblem(reply))
}

function nameplateProblem(reply) {
  if (reply.status === 401) return 'The API key is missing or wrong. Choose Nameplate → Set the API key.'
  if (reply.status === 402) return 'Your account has no credits left.'
  return (reply.body && (reply.body.detail || reply.body.title)) || 'Nameplate answered ' + reply.status + '.'
}

function nameplateFetchOne(path, body) {
  return nameplateRead(UrlFetchApp.fetchAll([nameplateRequest(path, body)])[0])
}

function nameplateRequest(path, body) {
  const key = PropertiesService.getScriptProperties().getProperty('NAMEPLATE_API_KEY')
  const headers = { prefer: 'wait=' + NAMEPLATE_WAIT_SECONDS, 'x-api-key': key || '' }
  const request = {
    url: NAMEPLATE_URL + path,
    method: body ? 'post' : 'get',
    headers: headers,
    muteHttpExceptions: true,
  }
  return body ? Object.assign(request, { contentType: 'application/json', payload: JSON.stringify(body) }) : request
}

function nameplateRead(response) {
  const text = response.getContentText()
  const headers = response.getAllHeaders()
  const retry = Object.keys(headers).find((name) => name.toLowerCase() === 'retry-after')
  let body = null
  try {
    body = JSON.parse(text)
  } catch (error) {
    // Lines of a bulk job, or a page of a proxy.
  }
  return {
    status: response.getResponseCode(),
    body: body,
    text: text,
    retrySeconds: retry ? Number(headers[retry]) || 1 : 1,
  }
}

/** A text that a sheet would run as a formula gets an apostrophe. */
function nameplateCell(value) {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? "'" + value : value
}
