/** A file in, the same file back: every cell of the customer, every row accounted for, and columns that are asked about when they are not certain. */
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { countOwnLinks } from '../src/bulk/index.ts'
import { type Cell, cellText } from '../src/lib/sheets/cell.ts'
import { readTable } from '../src/lib/sheets/read-table.ts'
import { writeXlsx } from '../src/lib/sheets/write-xlsx.ts'
import { ALDER, BRACKEN, publish, SITES, siteNaming } from './setup/companies.ts'
import { prepare, type TestKeys, useTestService } from './setup/harness.ts'

const TWIN = { number: '09112233', name: 'ALDER FINCH TOOLS LIMITED', postcode: 'HG4 1AB' }
/** Two companies of one name. */
const PEBBLES = [
  { number: '09112244', name: 'PEBBLE SHORE LIMITED', postcode: 'BN1 1AA' },
  { number: 'SC112255', name: 'PEBBLE SHORE LIMITED', postcode: 'EH1 1AA' },
]
const it = useTestService({ companies: [ALDER, BRACKEN, TWIN, ...PEBBLES], sites: SITES })
const account = prepare(() => it.openAccount({ credits: 50 }))
const other = prepare(() => it.openAccount({ credits: 50 }))

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MIXED = [
  'Customer;Web;Reg no;Postcode;Spend',
  'Alder;https://www.alderfinch.co.uk/about;;;1.200,50',
  `${ALDER.name};;;${ALDER.postcode};7`,
  `${BRACKEN.name};;${BRACKEN.number.replace(/^0+/, '')};;=1+1`,
  'Ann;ann@gmail.com;;;',
  ';;;;x',
  ';;;;',
  'Alder again;alderfinch.co.uk;;; padded ',
].join('\r\n')

function addFile(content: string | Uint8Array, { key }: TestKeys = account, type = 'text/csv', name = 'leads.csv') {
  return it.call('POST', `/v1/bulk/files?name=${name}`, { key, rawBody: content, headers: { 'content-type': type } })
}
const get = (path: string, { key }: TestKeys = account) => it.call('GET', path, { key })
const start = (body: object, query = '', { key }: TestKeys = account) =>
  it.call('POST', `/v1/bulk${query}`, { key, body })
const rowsOf = async (id: string, query = '') => (await get(`/v1/bulk/${id}/rows${query}`)).body
const fetchBytes = async (path: string) =>
  Buffer.from(
    await (await fetch(new URL(path, it.config.baseUrl), { headers: { 'x-api-key': account.key } })).arrayBuffer(),
  )

const COLUMNS = { company_name: 1, web_address: 2, company_number: 3, postcode: 4 }

async function finish(body: object): Promise<string> {
  const sent = await start(body)
  expect(sent.status).toBe(202)
  await it.settle()
  await expect.poll(async () => (await get(`/v1/bulk/${sent.body.id}`)).body.status).toBe('completed')
  return sent.body.id
}

async function toBytes(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
async function* once(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows
}
async function readAll(bytes: Uint8Array, sheet?: string): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for await (const batch of readTable(bytes, { sheet, rowsMax: 1_000 })) rows.push(...batch)
  return rows
}

describe('a file', () => {
  test('is shown with its first rows and the columns that we see in it, before anything starts', async () => {
    const { status, body, headers } = await addFile(MIXED)
    expect([status, headers.get('location')]).toEqual([201, `/v1/bulk/files/${body.id}`])
    expect(body).toMatchObject({ format: 'csv', delimiter: ';', header_rows: 1, rows: 7, mapping_from: 'guess' })
    expect(body.first_rows[1]).toEqual(['Alder', 'https://www.alderfinch.co.uk/about', '', '', '1.200,50'])
    const held = Object.fromEntries(body.columns.map(({ name, holds }: Record<string, string>) => [name, holds]))
    expect(held).toMatchObject({ Web: 'web_address', 'Reg no': 'company_number', Postcode: 'postcode', Spend: null })
    expect((await get(`/v1/bulk/files/${body.id}`)).body).toEqual(body)
    const without = (await get(`/v1/bulk/files/${body.id}?header_rows=0`)).body
    expect([without.rows, without.header_rows]).toEqual([8, 0])
  })

  test('of another account, of a test key or of yesterday is not there', async () => {
    const { id } = (await addFile(MIXED)).body
    for (const reply of [
      await get(`/v1/bulk/files/${id}`, other),
      await it.call('GET', `/v1/bulk/files/${id}`, { key: account.testKey }),
      await start({ file_id: id, columns: COLUMNS }, '', other),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    }
    const refused = await addFile(MIXED, { ...account, key: account.testKey })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    it.clock.advance(86_401)
    expect((await get(`/v1/bulk/files/${id}`)).status).toBe(404)
  })

  test('that is no table is refused with what to do', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    for (const content of ['', old, Buffer.from('PK\u0003\u0004 no zip')]) {
      const refused = await addFile(content, account, 'application/octet-stream')
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
      expect(refused.body.detail).toMatch(/[a-z]+ [a-z]+ [a-z]+.*\.$/)
    }
    const wrong = [
      await addFile(MIXED, account, 'image/png'),
      await addFile(Buffer.alloc(26 * 1_024 * 1_024, 'a'), account),
      await get(`/v1/bulk/files/${'x'.repeat(65)}`),
      await start({ file_id: (await addFile(MIXED)).body.id, columns: { postcode: 4 } }),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([415, 413, 400, 400])
  })

  test('waits for its turn where many are read at once, and is refused with a time to try again where too many are', async () => {
    const headers = { 'content-type': 'text/csv' }
    const ways = [
      (by: TestKeys, _id: string) => addFile(MIXED, by),
      (by: TestKeys, id: string) => get(`/v1/bulk/files/${id}`, by),
      ({ key }: TestKeys, _id: string) => it.call('POST', '/v1/bulk?preflight=true', { key, rawBody: MIXED, headers }),
    ]
    for (const send of ways) {
      const seen = new Set<number>()
      for (let round = 0; round < 10 && !seen.has(503); round += 1) {
        const by = await it.openAccount()
        const { id } = (await addFile(MIXED, by)).body
        const replies = await Promise.all(Array.from({ length: 50 }, () => send(by, id)))
        for (const { status } of replies) seen.add(status)
      }
      expect(seen).toContain(503)
    }
  })

  test('as a table in the body is read by the columns that come with it, without a guess', async () => {
    const table = `Company,Postcode\n${ALDER.name},${ALDER.postcode}\n"",""\nalderfinch.co.uk,`
    const columns = { company_name: 1, postcode: 2 }
    const id = await finish({ table, columns, header_rows: 0 })
    const { data } = await rowsOf(id)
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['no_match', 'matched', 'invalid', 'no_match'])
    expect((await start({ table, columns: { postcode: 2 } })).status).toBe(400)
    expect((await start({ table, columns })).body.counts.total, 'the header is guessed').toBe(3)
  })

  test('with a header that we know from an earlier job has the columns that the person chose then', async () => {
    const text = 'Alpha,Beta\nx,alderfinch.co.uk\ny,garden-diary.co.uk\n'
    const first = (await addFile(text)).body
    await finish({ file_id: first.id, columns: { domain: 2, company_name: 1 } })
    const second = (await addFile(text.replace('garden', 'no'))).body
    expect([second.mapping_from, second.asks]).toEqual(['saved', false])
    expect(second.columns.map(({ holds }: { holds: string }) => holds)).toEqual(['company_name', 'domain'])
    expect((await addFile(text, other)).body.mapping_from).toBe('guess')
  })

  test('whose header rows the person corrected is read like that the next time', async () => {
    const text = 'Domain,Company\nAlpha two,Beta two\nx,alderfinch.co.uk\ny,garden-diary.co.uk\n'
    const first = (await addFile(text)).body
    expect([first.header_rows, first.rows]).toEqual([1, 3])
    await finish({ file_id: first.id, header_rows: 2, columns: { domain: 2, company_name: 1 } })
    const second = (await addFile(text.replace('garden', 'no'))).body
    expect([second.header_rows, second.rows, second.mapping_from]).toEqual([2, 2, 'saved'])
    const columns = second.columns.map(({ name, holds }: { name: string; holds: string }) => [name, holds])
    expect(columns).toEqual([
      ['Alpha two', 'company_name'],
      ['Beta two', 'domain'],
    ])
    const bulk = await finish({ file_id: second.id, columns: { domain: 2 } })
    expect((await rowsOf(bulk)).total, 'the same without header_rows').toBe(2)
    expect((await get(`/v1/bulk/files/${second.id}?header_rows=1`)).body.header_rows).toBe(1)
  })
})

describe('rows of many kinds in one file', () => {
  test('are counted before the start, each once, and cost only what a site can cost', async () => {
    const newcomer = await it.openAccount({ credits: 5 })
    const { id } = (await addFile(MIXED, newcomer)).body
    const { status, body } = await start({ file_id: id, columns: COLUMNS }, '?preflight=true', newcomer)
    expect(status).toBe(200)
    const { rows, unique_domains, numbers, names, duplicates, invalid, free_mail, empty } = body
    expect({ unique_domains, numbers, names, duplicates, invalid, free_mail, empty }).toEqual({
      unique_domains: 1,
      numbers: 1,
      names: 2,
      duplicates: 1,
      invalid: 0,
      free_mail: 0,
      empty: 2,
    })
    expect(rows).toBe(unique_domains + numbers + names + duplicates + invalid + free_mail + empty)
    expect(body.credits_max).toBe(1)
  })

  test('come back in the same order with all their own cells, the company, and what it cost and why not', async () => {
    const { id } = (await addFile(MIXED)).body
    const bulk = await finish({ file_id: id, columns: COLUMNS, name: 'Mixed' })
    const job = (await get(`/v1/bulk/${bulk}`)).body
    expect(job.source).toEqual({
      file_name: 'leads.csv',
      sheet: '',
      columns: ['Customer', 'Web', 'Reg no', 'Postcode', 'Spend'],
    })
    const text = (await fetchBytes(`/v1/bulk/${bulk}/results?format=csv&layout=sheet`)).toString('utf8')
    const lines = parse(text, { bom: true, columns: true, relax_column_count: false }) as Array<Record<string, string>>
    expect(lines.map((line) => [line['Company number'], line['Outcome']])).toEqual([
      [ALDER.number, 'Matched'],
      [ALDER.number, 'Matched'],
      [BRACKEN.number, 'Matched'],
      ['', 'No match'],
      ['', 'Invalid row'],
      ['', 'Invalid row'],
      [ALDER.number, 'Matched (repeats row 1)'],
    ])
    expect(lines[0]).toMatchObject({ Customer: 'Alder', Spend: '1.200,50' })
    expect(lines[0]?.['Cost']).toMatch(/^1 credit: a match$|^Free: already paid$/)
    expect(lines[1]).toMatchObject({ Cost: 'Free: matched with the register', Quote: '' })
    expect(lines[0]?.['Quote']).toContain(ALDER.number)
    // A formula of the customer stays text.
    expect([lines[2]?.['Spend'], lines[6]?.['Spend']]).toEqual(["'=1+1", ' padded '])
    const charged = (await rowsOf(bulk)).data.filter((row: { charged: boolean }) => row.charged)
    expect(charged).toHaveLength(job.credits_spent)
  })
})

test('a name that is cut in the middle of a sign is stored, and the job goes on', async () => {
  const { id } = (await addFile(`Name\n${'a'.repeat(299)}😀\nBracken Mill`)).body
  const bulk = await finish({ file_id: id, header_rows: 1, columns: { company_name: 1 } })
  expect((await rowsOf(bulk)).total).toBe(2)
})

describe('a workbook', () => {
  const own: Cell[][] = [
    ['Alder', 'alderfinch.co.uk', 12.5, { date: '2024-02-29' }, true, '=HYPERLINK("http://x")'],
    ['  Bracken\nMill ', 'garden-diary.co.uk', { number: 0.25, format: '0%' }, null, false, '+44 20 7946 0000'],
  ]
  const names = ['Customer', 'Domain', 'Spend', 'Since', 'Active', 'Note']
  const makeBook = () =>
    toBytes(
      writeXlsx({
        sheets: [
          { name: 'Cover', columns: [{ header: 'Read me' }], rows: once([['See the next sheet']]) },
          { name: 'Leads', columns: names.map((header) => ({ header })), rows: once(own) },
        ],
      }),
    )

  test('with several sheets says how many of them are not in the results', async () => {
    const sheet = (name: string, rows: Cell[][]) => ({ name, columns: [], headerRows: [], rows: once(rows) })
    const leads = sheet('Leads', [['Domain'], ['alderfinch.co.uk']])
    const more = [sheet('Old', [['Domain'], ['brackenmill.co.uk']]), sheet('Notes', [['Ask Ann']]), sheet('Empty', [])]
    const book = await toBytes(writeXlsx({ sheets: [leads, ...more] }))
    const file = (await addFile(book, account, XLSX, 'leads.xlsx')).body
    expect([file.sheet, file.notices]).toEqual([
      'Leads',
      [
        {
          kind: 'other_sheets',
          count: 2,
          message: '2 other sheets are not in the results. A bulk job has the rows of one sheet.',
        },
      ],
    ])
    const old = (await get(`/v1/bulk/files/${file.id}?sheet=Old`)).body
    expect(old.notices.map(({ kind, count }: Record<string, unknown>) => [kind, count])).toEqual([['other_sheets', 2]])
    expect((await addFile(MIXED)).body.notices).toEqual([expect.objectContaining({ kind: 'empty_rows' })])
  })

  test('comes back as a workbook that has lost no cell, with our columns, links and a sheet of sums', async () => {
    const file = (await addFile(await makeBook(), account, XLSX, 'leads.xlsx')).body
    expect([file.format, file.sheets.map(({ name }: { name: string }) => name)]).toEqual(['xlsx', ['Cover', 'Leads']])
    const leads = (await get(`/v1/bulk/files/${file.id}?sheet=Leads`)).body
    expect([leads.sheet, leads.rows]).toEqual(['Leads', 2])
    const bulk = await finish({ file_id: file.id, sheet: 'Leads', columns: { domain: 2 } })
    const bytes = await fetchBytes(`/v1/bulk/${bulk}/results?format=xlsx&columns=company_name,incorporated_on,page`)
    const [header, ...rows] = await readAll(bytes, 'Results')
    expect(header?.map(cellText)).toEqual([...names, 'Company', 'Incorporated', 'Page'])
    expect(rows.map((cells) => cells.slice(0, 6).map(cellText))).toEqual(own.map((cells) => cells.map(cellText)))
    expect(rows[0]?.[6]).toBe(ALDER.name)
    expect(rows[0]?.[8]).toMatchObject({ href: expect.stringContaining('alderfinch.co.uk') })
    const sums = new Map((await readAll(bytes, 'Summary')).map(([word, count]) => [cellText(word), cellText(count)]))
    const charged = (await rowsOf(bulk)).data.filter((row: { charged: boolean }) => row.charged).length
    expect([sums.get('Rows'), sums.get('Matched'), sums.get('Credits spent')]).toEqual(['2', '1', String(charged)])
    expect(sums.has('Filter')).toBe(false)
  })

  test('of some rows has the sums of these rows, names the filter, and says what the whole job came to', async () => {
    const { id } = (await addFile(MIXED)).body
    const bulk = await finish({ file_id: id, columns: COLUMNS })
    const bytes = await fetchBytes(`/v1/bulk/${bulk}/results?format=xlsx&state=no_match,duplicate&q=a`)
    const sums = (await readAll(bytes, 'Summary')).map((cells) => cells.map(cellText))
    const from = sums.findIndex(([word]) => word === 'Filter')
    expect(sums.slice(from).filter(([word]) => word)).toEqual([
      ['Filter', 'No match, Duplicate; with “a”'],
      ['No match', '1'],
      ['Duplicate', '1'],
      ['Rows', '2'],
      ['Credits spent', '0'],
      ['Rows of the whole job', '7'],
      ['Credits spent by the whole job', String((await get(`/v1/bulk/${bulk}`)).body.credits_spent)],
    ])
  })
})

test('the links of a file are counted, so that a workbook has room for them', async () => {
  const link = (text: string) => ({ text, href: `https://${text}/` })
  const rows: Cell[][] = [
    [link('alderfinch.co.uk'), link('x.co.uk')],
    ['no.co.uk', '{"text":"a","href":"b"}'],
  ]
  const columns = [{ header: 'Website' }, { header: 'Note' }]
  const book = await toBytes(writeXlsx({ sheets: [{ name: 'Leads', columns, rows: once(rows) }] }))
  const { id } = (await addFile(book, account, XLSX, 'links.xlsx')).body
  const bulk = await finish({ file_id: id, columns: { web_address: 1 } })
  expect(await countOwnLinks(it.app.db, bulk)).toBe(2)
  const read = await readAll(await fetchBytes(`/v1/bulk/${bulk}/results?format=xlsx&columns=domain`), 'Results')
  expect(read.slice(1).map((cells) => cells.slice(0, 2))).toEqual(rows)
})

test('the header row comes back as it was: an empty name stays empty, and a long one whole', async () => {
  const question = `${'Which web site does your company use? '.repeat(20)}End`
  const { id } = (await addFile(`Domain;;${question}\nalderfinch.co.uk;x;y\n`)).body
  const bulk = await finish({ file_id: id, header_rows: 1, columns: { domain: 1 } })
  const path = `/v1/bulk/${bulk}/results?layout=sheet&columns=company_name`
  const [header] = parse(await fetchBytes(`${path}&format=csv`), { bom: true })
  expect(header).toEqual(['Domain', '', question, 'Company'])
  expect((await readAll(await fetchBytes(`${path}&format=xlsx`), 'Results'))[0]?.map(cellText)).toEqual(header)
  const names = ['Domain', 'Column B', question.slice(0, 300)]
  expect((await get(`/v1/bulk/${bulk}`)).body.source.columns).toEqual(names)
  expect(Object.keys(JSON.parse((await fetchBytes(path)).toString('utf8')))).toEqual([...names, 'Company'])
})

describe('the rows on a screen', () => {
  test('are filtered, sorted and counted; a download that broke off continues; wrong requests are refused', async () => {
    const { id } = (await addFile(MIXED)).body
    const bulk = await finish({ file_id: id, columns: COLUMNS })
    const matched = await rowsOf(bulk, '?state=matched&sort=company&order=desc&limit=2')
    expect([matched.total, matched.data.length]).toEqual([3, 2])
    expect((await rowsOf(bulk, '?q=padded')).data.map(({ row }: { row: number }) => row)).toEqual([7])
    expect((await rowsOf(bulk, '?q=%25')).total).toBe(0)
    expect((await rowsOf(bulk, '?confidence_from=0.5&confidence_to=1&state=matched')).total).toBeGreaterThan(0)
    const one = (await get(`/v1/bulk/${bulk}/rows/7`)).body
    expect(one).toMatchObject({ state: 'duplicate', duplicate_of: 1, company: { number: ALDER.number } })
    const rest = (await fetchBytes(`/v1/bulk/${bulk}/results?format=csv&layout=sheet&after_row=5`)).toString('utf8')
    expect(parse(rest, { bom: true })).toHaveLength(2)
    const lines = (await fetchBytes(`/v1/bulk/${bulk}/results?layout=sheet&state=matched`)).toString('utf8')
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)['Company']),
    ).toHaveLength(3)
    const refused = [
      await get(`/v1/bulk/${bulk}/rows?state=lost`),
      await get(`/v1/bulk/${bulk}/rows/0`),
      await get(`/v1/bulk/${bulk}/rows/99`),
      await get(`/v1/bulk/${bulk}/rows`, other),
      await get(`/v1/bulk/${bulk}/rows/1`, other),
      await get(`/v1/bulk/${bulk}/results?columns=secrets`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404, 400])
  })
})

test('a search finds what cells show, and not how they are stored', async () => {
  const note = { text: 'note', href: 'https://acme.co.uk/a' }
  const rows: Cell[][] = [
    ['Name', 'Kind', 'More'],
    ['5" Pipes', null, { date: '2024-03-01', serial: 45352, format: 'dd/mm/yyyy' }],
    ['C:\\new [x]', { number: 1234.5, format: '#,##0.00' }, note],
    ['Null & Sons_', 17, true],
    ['Fourth', { number: 7700900123, format: '00000 000000' }, { number: 0.25, format: '0%' }],
    ['Fifth', { number: 8496536, format: '00000000' }, { number: -1250, format: '"£"#,##0;("£"#,##0)' }],
  ]
  const bytes = await toBytes(writeXlsx({ sheets: [{ name: 'Sheet', columns: [], headerRows: [], rows: once(rows) }] }))
  const { id } = (await addFile(bytes)).body
  const bulk = await finish({ file_id: id, header_rows: 1, columns: { company_name: 1 } })
  const found = async (text: string) =>
    (await rowsOf(bulk, `?q=${encodeURIComponent(text)}`)).data.map(({ row }: { row: number }) => row)
  const searches = ['5" pipes', 'null', 'date', 'href', 'format', 'yyyy', '453', '2024-03', 'c:\\new [x', '\\n']
  searches.push('1234', '17', 'note', 'acme.co.uk/a', '#,##0', 'sons_', '","')
  searches.push(
    '1,234.50',
    '07700 900123',
    '25%',
    '08496536',
    '(£1,250)',
    '-1250',
    '1,250',
    '£1,234',
    '2%',
    '100%',
    '007',
  )
  const all = Object.fromEntries(await Promise.all(searches.map(async (text) => [text, await found(text)])))
  expect(all).toEqual({
    ...Object.fromEntries(searches.map((text) => [text, []])),
    '5" pipes': [1],
    null: [3],
    '2024-03': [1],
    'c:\\new [x': [2],
    '\\n': [2],
    '1234': [2],
    '17': [3],
    note: [2],
    'acme.co.uk/a': [2],
    sons_: [3],
    '1,234.50': [2],
    '07700 900123': [4],
    '25%': [4],
    '08496536': [5],
    '(£1,250)': [5],
    '-1250': [5],
    '1,250': [5],
  })
})

test('a row that cannot be matched ends as failed and free, and stops no other row', async () => {
  const { id } = (await addFile(`Name,Number\nNo one,\n,${BRACKEN.number}\n`)).body
  const sent = await start({ file_id: id, columns: { company_name: 1, company_number: 2 } })
  await it.app.db.query(`update bulk_row set sought = '{"name": 5}' where bulk_id = $1 and row = 1`, [sent.body.id])
  await it.settle()
  await expect.poll(async () => (await get(`/v1/bulk/${sent.body.id}`)).body.status).toBe('completed')
  const { data } = await rowsOf(sent.body.id)
  expect(data[0]).toMatchObject({
    state: 'failed',
    charged: false,
    reason: expect.stringContaining('Nothing was charged'),
  })
  expect(data[1]).toMatchObject({ state: 'matched', company: { number: BRACKEN.number } })
})

test('a list of rows has the first 50 own columns, and one row has all', async () => {
  const header = Array.from({ length: 60 }, (_, index) => `C${index + 1}`)
  const cells = [BRACKEN.number, ...header.slice(1).map((name) => `v${name}`)]
  const { id } = (await addFile(`${header.join(',')}\n${cells.join(',')}\n`)).body
  const bulk = await finish({ file_id: id, columns: { company_number: 1 } })
  expect((await rowsOf(bulk)).data[0].own).toHaveLength(50)
  expect((await get(`/v1/bulk/${bulk}/rows/1`)).body.own).toEqual(cells)
})

describe('rows that need review', () => {
  const decide = (bulk: string, rows: object[], by: TestKeys = account) =>
    it.call('POST', `/v1/bulk/${bulk}/decisions`, { key: by.key, body: { rows } })

  test('are decided many at once, count at once as what was decided, and can be taken back', async () => {
    const domain = publish(it.web, siteNaming(BRACKEN))
    const text = `Name,Domain\nalder finch tools limted,\nsite,${domain}\n`
    const { id } = (await addFile(text)).body
    const bulk = await finish({ file_id: id, columns: { company_name: 1, domain: 2 } })
    const before = (await rowsOf(bulk, '?state=needs_review')).data
    expect(before.map(({ row, kind }: { row: number; kind: string }) => [row, kind])).toEqual([
      [1, 'register'],
      [2, 'domain'],
    ])
    expect(before[0].candidates[0].company_number).toBe(TWIN.number)
    expect(before[1].candidates[0].company_number).toBe(BRACKEN.number)
    const rows = [
      { row: 1, action: 'accept' },
      { row: 2, action: 'reject' },
      { row: 9, action: 'accept' },
    ]
    const acts = `select from audit_event where account_id = $1 and action = 'decision_made'`
    const counted = async () => (await it.app.db.query(acts, [account.id])).length
    const earlier = await counted()
    for (let time = 0; time < 2; time += 1) {
      const decided = (await decide(bulk, rows)).body
      expect([decided.decided, decided.rows[2].ok]).toEqual([2, false])
      expect([decided.counts.matched, decided.counts.no_match, decided.counts.needs_review]).toEqual([1, 1, 0])
    }
    expect(await counted()).toBe(earlier + 2)
    const after = (await rowsOf(bulk)).data
    expect(after.map(({ state }: { state: string }) => state)).toEqual(['matched', 'no_match'])
    expect(after[0]).toMatchObject({ company: { number: TWIN.number }, decision: { action: 'accept' } })
    expect((await get(`/v1/reviews?status=decided&domain=${domain}`)).body.data).toHaveLength(1)
    const foundBy = async (text: string) =>
      (await rowsOf(bulk, `?q=${encodeURIComponent(text)}&sort=company`)).data.map(({ row }: { row: number }) => row)
    expect([await foundBy(TWIN.number), await foundBy(BRACKEN.number)]).toEqual([[1], []])
    await decide(bulk, [{ row: 2, action: 'reassign', company_number: ALDER.number }])
    expect([await foundBy(ALDER.number), await foundBy(ALDER.name)]).toEqual([[2], [2]])
    const back = (
      await decide(bulk, [
        { row: 1, action: 'withdraw' },
        { row: 2, action: 'withdraw' },
      ])
    ).body
    expect(back.counts.needs_review).toBe(2)
    const refused = [
      await decide(bulk, []),
      await decide(bulk, [{ row: 1, action: 'reassign', company_number: 'none' }]),
      await decide(bulk, rows, other),
      await it.call('POST', `/v1/bulk/${bulk}/decisions`, {
        key: account.key,
        rawBody: 'rows',
        headers: { 'content-type': 'text/plain' },
      }),
      await it.call('POST', `/v1/bulk/${bulk}/decisions`, {
        key: account.key,
        body: { reason: 'x'.repeat(2_000_000) },
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 415, 413])
    const unknown = await decide(bulk, [{ row: 1, action: 'reassign', company_number: '99999999' }])
    expect(unknown.body.rows[0]).toMatchObject({ ok: false, message: expect.stringContaining('99999999') })
  })

  test('candidates of one name have a postcode and a status, in the rows and in the file', async () => {
    const { id } = (await addFile('Name\nPebble Shore\n')).body
    const bulk = await finish({ file_id: id, header_rows: 1, columns: { company_name: 1 } })
    const { candidates } = (await rowsOf(bulk)).data[0]
    const file = await fetchBytes(`/v1/bulk/${bulk}/results?format=csv&layout=sheet&columns=candidates`)
    const cell = parse(file, { bom: true })[1]?.[1] ?? ''
    const known = candidates.map((one: Record<string, unknown>) => [one['company_number'], one['registered_postcode']])
    expect(known.toSorted()).toEqual(PEBBLES.map(({ number, postcode }) => [number, postcode]))
    expect(candidates[0]).toMatchObject({ company_status: 'active', company_status_text: 'Active' })
    for (const { name, number, postcode } of PEBBLES)
      expect(cell).toContain(`${name} (${number}, Active, ${postcode}): `)
  })

  test('an undo can put back what a decision replaced: each row says whether it changed, and what it had before', async () => {
    const domain = publish(it.web, siteNaming(BRACKEN))
    const { id } = (await addFile(`Name,Domain\nalder finch tools limted,\nsite,${domain}\n`)).body
    const bulk = await finish({ file_id: id, columns: { company_name: 1, domain: 2 } })
    const both = (action: string, more: object = {}) => [
      { row: 1, action, ...more },
      { row: 2, action, ...more },
    ]
    const changes = async (rows: object[]) =>
      (await decide(bulk, rows)).body.rows.map((one: { changed: boolean; replaced: object | null }) => [
        one.changed,
        one.replaced,
      ])
    const before = { action: 'reject', company_number: null, reviewer: 'Ann Archer', reason: 'A reseller.' }
    const own = { reviewer: 'Ann Archer', reason: 'A reseller.' }
    expect(await changes(both('reject', own))).toEqual([
      [true, null],
      [true, null],
    ])
    expect(await changes(both('reject'))).toEqual([
      [false, null],
      [false, null],
    ])
    expect(await changes(both('accept'))).toEqual([
      [true, before],
      [true, before],
    ])
    const { company_number: _none, ...again } = before
    await decide(bulk, [
      { row: 1, ...again },
      { row: 2, ...again },
    ])
    const withdrawn = await changes(both('withdraw'))
    expect(withdrawn).toEqual([
      [true, before],
      [true, before],
    ])
    expect(await changes([...both('withdraw'), { row: 9, action: 'withdraw' }])).toEqual([
      [false, null],
      [false, null],
      [false, null],
    ])
  })

  test('a decision that was made after a person looked stays, and the row says so', async () => {
    const domain = publish(it.web, siteNaming(BRACKEN))
    const { id } = (await addFile(`Name,Domain\nalder finch tools limted,\nsite,${domain}\n`)).body
    const bulk = await finish({ file_id: id, columns: { company_name: 1, domain: 2 } })
    const both = (action: string, seen: object | null) => [1, 2].map((row) => ({ row, action, seen_decision: seen }))
    const done = async (rows: object[]) =>
      (await decide(bulk, rows)).body.rows.map((one: { ok: boolean; changed: boolean }) => [one.ok, one.changed])
    expect(await done(both('reject', null))).toEqual([
      [true, true],
      [true, true],
    ])
    const late = (await decide(bulk, both('accept', null))).body
    expect(late.rows[0]).toMatchObject({ ok: false, message: expect.stringContaining('Another decision was made') })
    expect(await done(both('withdraw', { action: 'accept', company_number: ALDER.number }))).toEqual([
      [false, false],
      [false, false],
    ])
    expect(await done(both('reject', null)), 'the same decision replaces none').toEqual([
      [true, false],
      [true, false],
    ])
    const shown = (await rowsOf(bulk)).data.map(({ decision }: { decision: object }) => decision)
    expect(shown[0]).toMatchObject({ action: 'reject', company_number: null })
    expect(shown[1]).toMatchObject({ action: 'reject', company_number: null })
    expect(await done(both('accept', { action: 'reject', company_number: null }))).toEqual([
      [true, true],
      [true, true],
    ])
  })

  test('a decision that is sent again after its response was lost says again what it changed', async () => {
    const { id } = (await addFile('Name\nalder finch tools limted\n')).body
    const bulk = await finish({ file_id: id, columns: { company_name: 1 } })
    const send = (action = 'accept') =>
      it.call('POST', `/v1/bulk/${bulk}/decisions`, {
        key: account.key,
        body: { rows: [{ row: 1, action }] },
        headers: { 'idempotency-key': `decide-${bulk}` },
      })
    const [first, again] = [await send(), await send()]
    expect(first.body.rows[0]).toMatchObject({ changed: true, company_number: TWIN.number })
    expect(again.body).toEqual(first.body)
    const reused = await send('reject')
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
    // As if the first request were still running.
    await it.app.db.query('update idempotency_key set status = null, answer_sealed = null where account_id = $1', [
      account.id,
    ])
    const running = await send()
    expect([running.status, running.body.code]).toEqual([409, 'idempotency_key_in_use'])
  })
})
