/** Rows that repeat others: they are found, sorted, filtered and saved by the company that they show. */
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { cellText } from '../src/lib/sheets/cell.ts'
import { readTable } from '../src/lib/sheets/read-table.ts'
import { ALDER, BRACKEN, publish, SITES, siteNaming } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN], sites: SITES })
const account = prepare(() => it.openAccount({ credits: 20 }))
const get = (path: string) => it.call('GET', path, { key: account.key })
const download = async (path: string) =>
  Buffer.from(
    await (await fetch(new URL(path, it.config.baseUrl), { headers: { 'x-api-key': account.key } })).arrayBuffer(),
  )

let bulk: string
beforeAll(async () => {
  const open = publish(it.web, siteNaming(BRACKEN))
  const domains = ['garden-diary.co.uk', 'alderfinch.co.uk', 'garden-diary.co.uk', open, 'alderfinch.co.uk', open]
  const rawBody = `Website,Owner\n${domains.map((domain, index) => `${domain},Owner ${index + 1}`).join('\n')}\n`
  const headers = { 'content-type': 'text/csv' }
  const { id } = (await it.call('POST', '/v1/bulk/files', { key: account.key, rawBody, headers })).body
  const body = { file_id: id, columns: { web_address: 1 } }
  bulk = (await it.call('POST', '/v1/bulk', { key: account.key, body })).body.id
  await it.settle()
  // Rows 2 and 5 are matched, 4 and 6 are decided, 1 and 3 have no match.
  const rows = [{ row: 4, action: 'accept' }]
  await it.call('POST', `/v1/bulk/${bulk}/decisions`, { key: account.key, body: { rows } })
})

async function listRows(query: string): Promise<number[]> {
  const { data, total } = (await get(`/v1/bulk/${bulk}/rows?${query}`)).body
  expect(total).toBe(data.length)
  return data.map(({ row }: { row: number }) => row)
}

test('a search by company finds every row that shows it', async () => {
  expect(await listRows(`q=${ALDER.number}`)).toEqual([2, 5])
  expect(await listRows('q=alderfinch%20joinery')).toEqual([2, 5])
  expect(await listRows(`q=${BRACKEN.number}`), 'decided').toEqual([4, 6])
  expect(await listRows(`q=${encodeURIComponent('Owner 6')}`), 'their own cells').toEqual([6])
})

test('confidence and order are those that the row shows', async () => {
  expect(await listRows('confidence_from=0.9')).toEqual([2, 5])
  expect(await listRows('sort=company')).toEqual([2, 5, 4, 6, 1, 3])
  expect((await listRows('sort=confidence&order=desc')).slice(0, 2)).toEqual([2, 5])
  expect(await listRows('sort=state')).toEqual([3, 5, 6, 2, 4, 1])
})

test('a filter by outcome has the duplicates of these rows where they are asked for', async () => {
  expect(await listRows('state=matched')).toEqual([2, 4])
  expect(await listRows('state=matched&with_duplicates=false')).toEqual([2, 4])
  expect(await listRows('state=matched&with_duplicates=true')).toEqual([2, 4, 5, 6])
  expect(await listRows('state=no_match&with_duplicates=true')).toEqual([1, 3])
  expect(await listRows('state=duplicate&with_duplicates=true')).toEqual([3, 5, 6])
  expect(await listRows(`state=matched&with_duplicates=true&q=${BRACKEN.number}`)).toEqual([4, 6])
  expect(await listRows('with_duplicates=true')).toEqual([1, 2, 3, 4, 5, 6])
  expect((await get(`/v1/bulk/${bulk}/rows?with_duplicates=perhaps`)).status).toBe(400)
})

test('a file of the matched rows has every contact, and says which row each repeats; its sums add up', async () => {
  const path = `/v1/bulk/${bulk}/results?layout=sheet&state=matched&with_duplicates=true&columns=company_number,outcome`
  const lines = parse(await download(`${path}&format=csv`), { bom: true }).slice(1)
  expect(lines.map((cells) => cells.slice(1))).toEqual([
    ['Owner 2', ALDER.number, 'Matched'],
    ['Owner 4', BRACKEN.number, 'Matched'],
    ['Owner 5', ALDER.number, 'Matched (repeats row 2)'],
    ['Owner 6', BRACKEN.number, 'Matched (repeats row 4)'],
  ])
  const sums = new Map<string, string>()
  for await (const rows of readTable(await download(`${path}&format=xlsx`), { sheet: 'Summary', rowsMax: 100 }))
    for (const [word, count] of rows) sums.set(cellText(word ?? null), cellText(count ?? null))
  const shown = ['Filter', 'Matched', 'Duplicate', 'Rows', 'Rows of the whole job'].map((word) => sums.get(word))
  expect(shown).toEqual(['Matched; with the rows that repeat them', '2', '2', '4', '6'])
  const rest = parse(await download(`${path}&format=csv&after_row=4`), { bom: true })
  expect(rest.map(([, owner]) => owner)).toEqual(['Owner 5', 'Owner 6'])
})

test('lines for programs, in which a duplicate has no company, are filtered by what they have', async () => {
  const read = async (query: string) =>
    (await download(`/v1/bulk/${bulk}/results?format=jsonl&${query}`))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { row: number; company_number: string | null })
  expect((await read('confidence_from=0.9')).map(({ row }) => row)).toEqual([2])
  const lines = await read('state=matched&with_duplicates=true')
  expect(lines.map(({ row, company_number: number }) => [row, number])).toEqual([
    [2, ALDER.number],
    [4, BRACKEN.number],
    [5, null],
    [6, null],
  ])
})
