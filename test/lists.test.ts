/** Lists with names: a company on several of them, notes and tags, import from a file or a bulk job, and one cap for all. */
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { changePlan } from '../src/accounts/index.ts'
import { ALDER, BRACKEN, siteOf } from './setup/companies.ts'
import { prepareEach, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepareEach(() => it.openAccount({ credits: 5 }))
beforeAll(async () => {
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     select lpad(n::text, 8, '0'), 'NUMBER ' || n || ' LIMITED', 'NUMBER ' || n, 'active', 'ltd', 'snapshot', now()
     from generate_series(1, 200) n`,
  )
})

const send = (request: string, body?: object, key = account.key) => {
  const [method = '', path = ''] = request.split(' ')
  return it.call(method, path, { key, ...(body ? { body } : {}) })
}
const makeList = async (name: string): Promise<string> => (await send('POST /v1/watchlists', { name })).body.id
const add = (list: string, company_number: string, more: object = {}) =>
  send(`POST /v1/watchlists/${list}/companies`, { company_number, ...more })
const remove = (list: string, number: string) => send(`DELETE /v1/watchlists/${list}/companies/${number}`)
const entriesOf = async (list: string, query = '') =>
  (await send(`GET /v1/watchlists/${list}/companies${query}`)).body.data as Array<Record<string, unknown>>
const numbersOf = async (list: string, query = '') =>
  (await entriesOf(list, query)).map(({ company_number: number }) => number)
const importCsv = (list: string, rawBody: string | Buffer) =>
  it.call('POST', `/v1/watchlists/${list}/import`, {
    key: account.key,
    rawBody,
    headers: { 'content-type': 'text/csv' },
  })
const SILENT = { digest: 'off', instant_email: 'off' }
const used = async () => (await send('GET /v1/auth/me')).body.watchlist.used

describe('a list', () => {
  test('is made, renamed and deleted; the default one is always there', async () => {
    expect((await send('GET /v1/watchlists')).body).toEqual({
      data: [{ id: 'default', name: 'Watchlist', is_default: true, companies: 0, created_at: null, ...SILENT }],
      tags: [],
    })
    const made = await send('POST /v1/watchlists', { name: ' Key customers ' })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^wl_/),
        name: 'Key customers',
        is_default: false,
        companies: 0,
        created_at: expect.any(String),
        ...SILENT,
      },
    ])
    const { id } = made.body
    expect((await send(`PATCH /v1/watchlists/${id}`, { name: 'Suppliers' })).body.name).toBe('Suppliers')
    expect((await send('PATCH /v1/watchlists/default', { name: 'Everything' })).body).toMatchObject({
      id: 'default',
      name: 'Everything',
    })
    const names = (await send('GET /v1/watchlists')).body.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Everything', 'Suppliers'])
    const taken = await send('POST /v1/watchlists', { name: 'SUPPLIERS' })
    expect([taken.status, taken.body.errors]).toEqual([400, [{ field: 'name', message: 'another list has this name' }]])
    expect((await send(`DELETE /v1/watchlists/${id}`)).body).toEqual({ id, deleted: true, unwatched: 0 })
    expect((await send(`DELETE /v1/watchlists/${id}`)).status).toBe(404)
    expect((await send('DELETE /v1/watchlists/default')).status).toBe(400)
  })

  test('of a test key is another one than that of the live key', async () => {
    const id = await makeList('Live alone')
    expect((await send(`GET /v1/watchlists/${id}/companies`, undefined, account.testKey)).status).toBe(404)
    const made = await send('POST /v1/watchlists', { name: 'Live alone' }, account.testKey)
    expect(made.status).toBe(201)
    const added = await send(
      `POST /v1/watchlists/${made.body.id}/companies`,
      { company_number: 'TS000001' },
      account.testKey,
    )
    expect(added.status).toBe(201)
    expect(await used()).toBe(0)
  })

  test('is refused when there are fifty', async () => {
    for (let made = 0; made < 50; made += 1) await makeList(`List ${made}`)
    await it.app.db.query('delete from rate_bucket')
    const refused = await send('POST /v1/watchlists', { name: 'One more' })
    expect([refused.status, refused.body.code, refused.body.limit]).toEqual([402, 'plan_limit_reached', 50])
  })
})

describe('a company', () => {
  test('on several lists counts once, and is watched until it has left the last of them', async () => {
    const [first, second] = [await makeList('First'), await makeList('Second')]
    expect((await add(first, ALDER.number)).status).toBe(201)
    expect((await add(first, ALDER.number)).status).toBe(200)
    expect((await add(second, ALDER.number)).status).toBe(201)
    expect(await used()).toBe(1)
    // It is not on the default list, which the older endpoint shows.
    expect((await send('GET /v1/watchlist')).body.data).toEqual([])
    expect(await numbersOf('all')).toEqual([ALDER.number])
    expect((await entriesOf(first))[0]).toMatchObject({ lists: [first, second].sort() })
    expect((await remove(first, ALDER.number)).body).toMatchObject({ was_on_list: true, watched: true })
    expect((await remove(first, ALDER.number)).body).toMatchObject({ was_on_list: false, watched: true })
    expect(await used()).toBe(1)
    expect((await send(`DELETE /v1/watchlists/${second}`)).body.unwatched).toBe(1)
    expect([await used(), await numbersOf('all')]).toEqual([0, []])
  })

  test('that is unwatched leaves all lists, and one that leaves the default list stays on the others', async () => {
    const list = await makeList('Beside')
    for (const id of ['default', list]) await add(id, ALDER.number)
    await add('default', BRACKEN.number)
    expect((await send('PUT /v1/watchlist', { company_numbers: [BRACKEN.number] })).body).toMatchObject({
      removed: [ALDER.number],
      kept: 1,
      used: 2,
    })
    expect([await numbersOf(list), await numbersOf('default')]).toEqual([[ALDER.number], [BRACKEN.number]])
    // It is watched, so the older endpoint adds it to the default list and says that it was.
    expect((await send('POST /v1/watchlist', { company_number: ALDER.number })).status).toBe(200)
    expect(await numbersOf('default')).toHaveLength(2)
    expect((await send(`DELETE /v1/watchlist/${ALDER.number}`)).body).toMatchObject({ was_watched: true })
    expect([await numbersOf(list), await used()]).toEqual([[], 1])
  })

  test('has a note and tags, by which it is found, and with which it comes back after it was taken off', async () => {
    await add('default', ALDER.number, { note: 'Their contract ends in March.', tags: ['Renewal', 'renewal', 'north'] })
    await add('default', BRACKEN.number)
    const [entry] = await entriesOf('default', '?tag=north')
    expect(entry).toMatchObject({
      company_number: ALDER.number,
      note: 'Their contract ends in March.',
      tags: ['Renewal', 'north'],
      lists: ['default'],
    })
    const changed = await send(`PATCH /v1/watchlists/default/companies/${ALDER.number}`, { tags: ['south'] })
    expect(changed.body).toEqual({
      company_number: ALDER.number,
      note: 'Their contract ends in March.',
      tags: ['south'],
    })
    expect((await send('GET /v1/watchlists')).body.tags).toEqual([{ tag: 'south', companies: 1 }])
    for (const q of ['contract', ALDER.name.slice(0, 6).toLowerCase(), ALDER.number.slice(0, 5)]) {
      expect([q, await numbersOf('default', `?q=${encodeURIComponent(q)}`)]).toEqual([q, [ALDER.number]])
    }
    const { body } = await remove('default', ALDER.number)
    expect(body).toMatchObject({ watched: false, note: 'Their contract ends in March.', tags: ['south'] })
    expect((await send('GET /v1/watchlists')).body.tags).toEqual([])
    await add('default', ALDER.number, { note: body.note, tags: body.tags })
    expect(await numbersOf('default', '?tag=south')).toEqual([ALDER.number])
  })

  test('that is not watched has no note', async () => {
    const refused = await send(`PATCH /v1/watchlists/default/companies/${ALDER.number}`, { note: 'Ours.' })
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  })

  test('beyond the plan is refused, unless it is watched on another list', async () => {
    const list = await makeList('Full')
    const numbers = Array.from({ length: 25 }, (_, index) => String(index + 1).padStart(8, '0'))
    await send('POST /v1/watchlist/bulk', { company_numbers: numbers })
    const refused = await add(list, ALDER.number)
    expect([refused.status, refused.body.code, refused.body.limit]).toEqual([402, 'plan_limit_reached', 25])
    expect((await add(list, numbers[0] ?? '')).status).toBe(201)
    expect((await add(list, '09999999')).status).toBe(404)
  })

  test('of a long list is found page by page', async () => {
    await changePlan(it.app, { accountId: account.id, plan: 'starter' })
    const list = await makeList('Long')
    const numbers = Array.from({ length: 150 }, (_, index) => String(index + 1).padStart(8, '0'))
    await send(`POST /v1/watchlists/${list}/import`, { company_numbers: numbers })
    const first = (await send(`GET /v1/watchlists/${list}/companies?limit=100`)).body
    const second = (await send(`GET /v1/watchlists/${list}/companies?limit=100&cursor=${first.next_cursor}`)).body
    const found = [...first.data, ...second.data].map((entry: { company_number: string }) => entry.company_number)
    expect([second.next_cursor, found.toSorted()]).toEqual([null, numbers])
  })
})

describe('an import', () => {
  test('finds the column of company numbers, adds up, and changes nothing the second time', async () => {
    const file = `Name;Company No.;Owner\r\n"Alder; Finch";${Number(ALDER.number)};Ann\r\nNobody;99999999;Ben\r\nBracken;${BRACKEN.number};Ann\r\nWrong;ACME;Ben\r\nEmpty;;Ben\r\n`
    const list = await makeList('From a file')
    const imported = await importCsv(list, file)
    expect([imported.status, imported.body]).toEqual([
      200,
      {
        rows: 4,
        counts: { watched: 2, already_watched: 0, limit_reached: 0, not_found: 1, invalid: 1 },
        problems: [
          { row: 2, company_number: '99999999', outcome: 'not_found' },
          { row: 4, company_number: 'ACME', outcome: 'invalid' },
        ],
        used: 2,
        limit: 25,
      },
    ])
    expect((await importCsv(list, file)).body.counts).toMatchObject({ watched: 0, already_watched: 2 })
    expect(new Set(await numbersOf(list))).toEqual(new Set([ALDER.number, BRACKEN.number]))
  })

  test('of pasted numbers without a heading takes the first column, as far as the plan goes', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => String(index + 1).padStart(8, '0'))
    const { body } = await importCsv('default', numbers.join('\n'))
    expect([body.rows, body.counts.watched, body.counts.limit_reached]).toEqual([30, 25, 5])
  })

  test('never takes another number for a company number: a table without such a column is refused with its names', async () => {
    const list = await makeList('From a CRM')
    const refused = await importCsv(list, 'Record ID,Company,Owner\n7214938,Alder,Ann\n5820417,Bracken,Ben\n')
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      expect.stringContaining('Its columns are “Record ID”, “Company”, “Owner”.'),
    ])
    expect(await numbersOf(list)).toEqual([])
    const known = `Record ID,Company,UK company number\n5820417,Alder,${ALDER.number}\n7000001,Bracken,\n`
    expect((await importCsv(list, known)).body).toMatchObject({ rows: 1, counts: { watched: 1 } })
    expect(await numbersOf(list)).toEqual([ALDER.number])
    const bare = await makeList('Without a header')
    expect((await importCsv(bare, `Alder,${ALDER.number}\nBracken,${BRACKEN.number}\n`)).body.counts.watched).toBe(2)
  })

  test('reads the text as spreadsheet programs save it, in other encodings too', async () => {
    const text = `Überschrift\tCRN\r\nCafé\t${ALDER.number}\r\n\r\nMüller\t${BRACKEN.number}\r\n`
    const files = [Buffer.from(text, 'latin1'), Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(`\uFEFF${text}`)]
    for (const [index, file] of files.entries()) {
      const list = await makeList(`In encoding ${index}`)
      expect((await importCsv(list, file)).body).toMatchObject({ rows: 2, problems: [] })
      expect(new Set(await numbersOf(list))).toEqual(new Set([ALDER.number, BRACKEN.number]))
    }
  })

  test('is refused with a time to try again where too many files of an account are read at once', async () => {
    const seen = new Set<number>()
    for (let round = 0; round < 10 && !seen.has(503); round += 1) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => importCsv('default', ALDER.number)))
      for (const { status } of replies) seen.add(status)
    }
    expect(seen).toContain(503)
  })

  test('of up to a thousand numbers says what became of each, on the list that is named', async () => {
    const list = await makeList('Many')
    const added = await send('POST /v1/watchlist/bulk', { company_numbers: [ALDER.number], list })
    expect([added.body.counts.watched, await numbersOf(list), await numbersOf('default')]).toEqual([
      1,
      [ALDER.number],
      [],
    ])
    const unknown = await send('POST /v1/watchlist/bulk', { company_numbers: [ALDER.number], list: 'wl_none' })
    expect(unknown.status).toBe(404)
  })

  test('takes notes and tags beside the numbers, as far as a person could type them', async () => {
    const list = await makeList('With notes')
    await add(list, BRACKEN.number, { note: 'Stays.', tags: ['old'] })
    const head = 'Company number,Company name,Notes,Tags'
    const file = `${head}\n${ALDER.number},Alder,"Ends in March, ask Ann","north, tier 1; best"\n${BRACKEN.number},Bracken,,"North,north"\n`
    expect((await importCsv(list, file)).body.counts).toMatchObject({ watched: 1, already_watched: 1 })
    const notes = await entriesOf(list)
    const noteOf = (number: string) => notes.find((entry) => entry.company_number === number)
    expect(noteOf(ALDER.number)).toMatchObject({ note: 'Ends in March, ask Ann', tags: ['north', 'tier 1; best'] })
    expect(noteOf(BRACKEN.number)).toMatchObject({ note: 'Stays.', tags: ['North'] })
    for (const [cells, what] of [
      [`${'x'.repeat(2_001)},`, 'a note of more than 2,000 characters'],
      [`,${'x'.repeat(41)}`, 'a tag of more than 40 characters'],
      [`,"${Array.from({ length: 21 }, (_, index) => index).join(',')}"`, 'more than 20 tags'],
    ]) {
      const refused = await importCsv(list, `${head}\n${ALDER.number},Alder,${cells}\n`)
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringContaining(`${what} at ${ALDER.number}`),
      ])
    }
    const companies = [{ company_number: ALDER.number, note: '', tags: [] }]
    expect((await send(`POST /v1/watchlists/${list}/import`, { companies })).body.counts.already_watched).toBe(1)
    expect((await entriesOf(list, `?q=${ALDER.number}`))[0]).toMatchObject({ note: '', tags: [] })
  })

  test('takes the companies that a bulk job matched', async () => {
    it.web.setSite('alder-of-a-list.co.uk', siteOf(ALDER))
    const sent = await send('POST /v1/bulk', { domains: ['alder-of-a-list.co.uk', 'nothing-here.co.uk'] })
    await expect.poll(async () => (await send(`GET /v1/bulk/${sent.body.id}`)).body.status).toBe('completed')
    const list = await makeList('From a bulk job')
    const imported = await send(`POST /v1/watchlists/${list}/import`, { bulk_id: sent.body.id })
    expect(imported.body).toMatchObject({ rows: 1, counts: { watched: 1 } })
    expect(await numbersOf(list)).toEqual([ALDER.number])
    const again = await send(`POST /v1/watchlists/${list}/import`, { bulk_id: sent.body.id })
    expect(again.body.counts).toMatchObject({ watched: 0, already_watched: 1 })
    expect((await send(`POST /v1/watchlists/${list}/import`, { bulk_id: `blk_${'0'.repeat(27)}` })).status).toBe(404)
  })

  test('needs numbers or a bulk job, and a file that can be read', async () => {
    expect((await send('POST /v1/watchlists/default/import', {})).status).toBe(400)
    expect((await importCsv('default', `a,"${'x'.repeat(70_000)}`)).status).toBe(400)
    expect((await send('POST /v1/watchlists/default/import', { bulk_id: 'x', company_numbers: ['1'] })).status).toBe(
      400,
    )
  })
})

describe('a list as a file', () => {
  test('has its companies with status, note and tags, is safe to open, is recorded, and comes back by an import', async () => {
    const list = await makeList('To take along')
    const words = { note: '- ask "Ann"\n=1+1, then -x', tags: ['north', '@renewal'] }
    await add(list, ALDER.number, words)
    await add(list, BRACKEN.number)
    await add('default', '00000001')
    const file = await send(`GET /v1/watchlists/${list}/export`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="companies-\d{4}-\d\d-\d\d\.csv"$/)
    const [head, ...rows] = parse(file.text)
    expect(head).toEqual(['company_number', 'company_name', 'company_status_text', 'note', 'tags', 'watched_on'])
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    expect(new Set(rows.map(([number]) => number))).toEqual(new Set([ALDER.number, BRACKEN.number]))
    expect(rows.find(([number]) => number === ALDER.number)).toEqual([
      ALDER.number,
      ALDER.name,
      'Active',
      `'- ask "Ann"\n'=1+1, then -x`,
      "north, '@renewal",
      day,
    ])
    const acts = await it.app.db.query(
      `select details from audit_event where account_id = $1 and action = 'watchlist_exported'`,
      [account.id],
    )
    expect(acts).toEqual([{ details: { list_id: list } }])

    await remove(list, ALDER.number)
    expect((await importCsv(list, file.text)).body.counts).toMatchObject({ watched: 1, already_watched: 1 })
    expect((await entriesOf(list, `?q=${ALDER.number}`))[0]).toMatchObject(words)
  })

  test('has letters with accents and signs of money when a spreadsheet opens it', async () => {
    const [list, note] = [await makeList('Abroad'), 'Owes £400, Café Noël']
    await add(list, ALDER.number, { note })
    const path = `/v1/watchlists/${list}/export`
    const bytes = await (
      await fetch(new URL(path, it.config.baseUrl), { headers: { 'x-api-key': account.key } })
    ).arrayBuffer()
    // The mark by which a program for spreadsheets knows the encoding.
    expect([...new Uint8Array(bytes.slice(0, 3))]).toEqual([0xef, 0xbb, 0xbf])
    expect((await importCsv(list, Buffer.from(bytes))).status).toBe(200)
    expect((await entriesOf(list))[0]).toMatchObject({ company_number: ALDER.number, note })
  })

  test('brings the tags back that the service takes: none has a comma, which is between tags in a file', async () => {
    const sent = await it.call('PATCH', `/v1/watchlists/default/companies/${ALDER.number}`, {
      key: account.key,
      body: { tags: ['Leeds, UK'] },
    })
    expect([sent.status, JSON.stringify(sent.body)]).toEqual([400, expect.stringContaining('a tag has no comma')])
  })

  test('has only what the filter leaves, or every company that is watched', async () => {
    const list = await makeList('Narrow')
    await add(list, ALDER.number, { tags: ['north'] })
    await add('default', BRACKEN.number, { note: 'Pays late.' })
    const numbersIn = async (query: string) =>
      parse((await send(`GET /v1/watchlists/${query}`)).text)
        .slice(1)
        .map(([number]) => number)
    expect(await numbersIn('all/export?tag=north')).toEqual([ALDER.number])
    expect(await numbersIn('all/export?q=late')).toEqual([BRACKEN.number])
    expect(new Set(await numbersIn('all/export'))).toEqual(new Set([ALDER.number, BRACKEN.number]))
    expect((await send('GET /v1/watchlists/wl_none/export')).status).toBe(404)
  })

  test('of more companies than a page has every one of them once', async () => {
    await it.app.db.query(
      `insert into company (number, name, name_key, status, type, source, changed_at)
       select lpad(n::text, 8, '0'), 'N' || n, 'N' || n, 'active', 'ltd', 'snapshot', now() from generate_series(201, 1100) n
       on conflict do nothing`,
    )
    await changePlan(it.app, { accountId: account.id, plan: 'growth' })
    const companies = Array.from({ length: 1_100 }, (_, index) => String(index + 1).padStart(8, '0'))
    await send('POST /v1/watchlists/default/import', { company_numbers: companies })
    const rows = parse((await send('GET /v1/watchlists/default/export')).text).slice(1)
    expect([rows.length, new Set(rows.map(([number]) => number))]).toEqual([1_100, new Set(companies)])
  })
})

describe('a request that', () => {
  const requests = (): Array<[request: string, body: object, other: object]> => [
    ['POST /v1/watchlists', { name: 'Once' }, { name: 'Twice' }],
    ['POST /v1/watchlists/default/companies', { company_number: ALDER.number }, { company_number: BRACKEN.number }],
    ['POST /v1/watchlists/default/import', { company_numbers: ['1'] }, { company_numbers: ['2'] }],
  ]

  test('is repeated under its key has its effect once', async () => {
    for (const [request, body, other] of requests()) {
      const [method = '', path = ''] = request.split(' ')
      const sendOnce = (sent: object) =>
        it.call(method, path, { key: account.key, body: sent, headers: { 'idempotency-key': path } })
      expect((await sendOnce(body)).status).toBeLessThan(300)
      expect([request, (await sendOnce(other)).body.code]).toEqual([request, 'idempotency_key_reused'])
      // As if the first request were still running.
      await it.app.db.query('update idempotency_key set status = null, answer_sealed = null where account_id = $1', [
        account.id,
      ])
      expect([request, (await sendOnce(body)).body.code]).toEqual([request, 'idempotency_key_in_use'])
    }
  })

  test('cannot be read is refused', async () => {
    const company = `default/companies/${ALDER.number}`
    const changing = ['PATCH default', 'POST default/companies', 'POST default/import', `PATCH ${company}`]
    for (const [method = '', path = ''] of changing.map((request) => request.split(' '))) {
      const refusals: Array<[number, object]> = [
        [400, { body: { name: 7, company_number: 7, company_numbers: 7, note: 7 } }],
        [413, { rawBody: JSON.stringify({ padding: 'x'.repeat((path.endsWith('import') ? 16 : 4) * 1024 * 1024) }) }],
        [415, { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } }],
      ]
      for (const [status, sent] of refusals) {
        const reply = await it.call(method, `/v1/watchlists/${path}`, { key: account.key, ...sent })
        expect([path, reply.status]).toEqual([path, status])
      }
    }
    for (const request of [
      'GET default/companies?limit=0',
      'GET default/export?tag=',
      'DELETE default/companies/ACME',
    ]) {
      const [method = '', path = ''] = request.split(' ')
      expect((await send(`${method} /v1/watchlists/${path}`)).status).toBe(400)
    }
  })
})
