/** The feed narrowed by list, tag, type, severity, days and what was read; marked as read; and as a file for a spreadsheet. */
import { describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { prepareEach, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepareEach(() => it.openAccount())

const send = (request: string, body?: object, key = account.key) => {
  const [method = '', path = ''] = request.split(' ')
  return it.call(method, path, { key, ...(body ? { body } : {}) })
}
const idsOf = async (query = '') =>
  (await send(`GET /v1/signals${query}`)).body.data.map((signal: { id: string }) => signal.id) as string[]
const unread = async () => (await send('GET /v1/signals/unread')).body.unread

let changes = 0
/** Both companies change: one gets a warning, the other information. Returns the ids of their signals. */
async function changeBoth(): Promise<{ warning: string; info: string }> {
  changes += 1
  const before = new Set(await idsOf())
  const status = changes % 2 === 0 ? 'active' : 'liquidation'
  await putCompanies(it.app, [
    { ...ALDER, status },
    { ...BRACKEN, postcode: `LS1 ${changes}AP` },
  ])
  await recordQueuedChanges(it.app)
  const { data } = (await send('GET /v1/signals?limit=100')).body as { data: Array<Record<string, string>> }
  const fresh = data.filter(({ id = '' }) => !before.has(id))
  const idOf = (number: string) => fresh.find((signal) => signal['company_number'] === number)?.['id'] ?? ''
  return { warning: idOf(ALDER.number), info: idOf(BRACKEN.number) }
}

async function watchBoth(): Promise<string> {
  const { body } = await send('POST /v1/watchlists', { name: 'Chosen' })
  await send(`POST /v1/watchlists/${body.id}/companies`, { company_number: ALDER.number, tags: ['renewal'] })
  await send('POST /v1/watchlists/default/companies', { company_number: BRACKEN.number })
  return body.id
}

describe('the feed is narrowed', () => {
  test('by list, tag, severity and type', async () => {
    const list = await watchBoth()
    const { warning, info } = await changeBoth()
    expect(new Set(await idsOf())).toEqual(new Set([warning, info]))
    const { data } = (await send('GET /v1/signals')).body
    const severityOf = (id: string) => data.find((signal: { id: string }) => signal.id === id).severity
    for (const query of [`?list=${list}`, '?tag=renewal', `?severity=${severityOf(warning)}&list=all`]) {
      expect([query, await idsOf(query)]).toEqual([query, expect.arrayContaining([warning])])
    }
    expect(await idsOf(`?list=${list}`)).toEqual([warning])
    expect(await idsOf('?list=default')).toEqual([info])
    expect(await idsOf('?list=default&tag=renewal')).toEqual([])
    expect(await idsOf('?list=default&signal_type=registered_office_changed')).toEqual([info])
    expect(await idsOf('?list=default&signal_type=status_changed')).toEqual([])
    expect((await send('GET /v1/signals?list=wl_none')).status).toBe(404)
    expect((await send('GET /v1/signals?from=never')).status).toBe(400)
  })

  test('by the day in London on which they were detected', async () => {
    await watchBoth()
    const day = it.clock.now().toISOString().slice(0, 10)
    const first = await changeBoth()
    it.clock.advance(3 * 86_400)
    const second = await changeBoth()
    const later = it.clock.now().toISOString().slice(0, 10)
    expect(new Set(await idsOf(`?from=${day}&to=${day}`))).toEqual(new Set([first.warning, first.info]))
    expect(new Set(await idsOf(`?from=${later}`))).toEqual(new Set([second.warning, second.info]))
    expect(await idsOf(`?to=2001-01-01`)).toEqual([])
  })

  test('page by page, and says where to go on when few signals pass', async () => {
    const list = await watchBoth()
    const { warning } = await changeBoth()
    // Three thousand newer rows of the other list: more than one request looks at.
    await it.app.db.query(
      `with made as (
         insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at, changes,
           source_kind, source_reference, dedupe_key)
         select $2, 'X', 'name_changed', 'info', 'x', now(), $3::timestamptz + n * interval '1 second', '[]', 'stream', 'x', $1 || n
         from generate_series(1, 3200) n returning id, detected_at, company_number)
       insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type, company_number, severity)
       select watchlist.id, made.detected_at, made.id, 'name_changed', made.company_number, 'info'
       from made, watchlist where account_id = $1 and mode = 'live'`,
      [account.id, BRACKEN.number, it.clock.now()],
    )
    const first = (await send(`GET /v1/signals?list=${list}`)).body
    expect([first.data, first.has_more]).toEqual([[], true])
    const second = (await send(`GET /v1/signals?list=${list}&cursor=${first.next_cursor}`)).body
    expect([second.data.map(({ id }: { id: string }) => id), second.next_cursor]).toEqual([[warning], null])
    const page = (await send('GET /v1/signals?list=default&limit=2')).body
    expect([page.data.length, page.has_more]).toEqual([2, true])
    const next = (await send(`GET /v1/signals?list=default&limit=2&cursor=${page.next_cursor}`)).body
    expect(next.data[0].detected_at < page.data[1].detected_at).toBe(true)
    const file = await send('GET /v1/signals/export?list=default')
    expect(file.text.split('\r\n')).toHaveLength(1 + 3_201 + 1)
  })
})

describe('signals are read', () => {
  test('one by one, or all up to a moment, which can be undone', async () => {
    expect((await send('GET /v1/signals/unread')).body).toEqual({ unread: 0, read_through: null })
    await watchBoth()
    it.clock.advance(60)
    const { warning, info } = await changeBoth()
    expect(await unread()).toBe(2)
    expect((await send('POST /v1/signals/read', { ids: [warning] })).body).toMatchObject({ unread: 1 })
    expect([await idsOf('?read=true'), await idsOf('?read=false')]).toEqual([[warning], [info]])
    expect((await send('GET /v1/signals')).body.data.find(({ id }: { id: string }) => id === warning).is_read).toBe(
      true,
    )
    it.clock.advance(60)
    const marked = (await send('POST /v1/signals/read', { through: null })).body
    expect(marked.unread).toBe(0)
    expect(await idsOf('?read=false')).toEqual([])
    const undone = await send('POST /v1/signals/read', { through: marked.previous_read_through })
    expect([undone.body.unread, await idsOf('?read=false')]).toEqual([1, [info]])
    await send('POST /v1/signals/read', { through: null })
    expect((await send('POST /v1/signals/read', { ids: [info], read: false })).body.unread).toBe(1)
    it.clock.advance(60)
    await changeBoth()
    expect(await unread()).toBe(3)
  })

  test('by their own account alone', async () => {
    await watchBoth()
    it.clock.advance(60)
    const { warning } = await changeBoth()
    const other = await it.openAccount()
    await send('POST /v1/watchlist', { company_number: ALDER.number }, other.key)
    expect((await send('POST /v1/signals/read', { ids: [warning] }, other.key)).body.unread).toBe(0)
    expect(await unread()).toBe(2)
    expect((await send('GET /v1/signals/export', undefined, other.key)).text).not.toContain(warning)
  })

  test('by a request that says which', async () => {
    expect((await send('POST /v1/signals/read', {})).status).toBe(400)
    expect((await send('POST /v1/signals/read', { ids: ['sig_1'], through: null })).status).toBe(400)
  })
})

test('a file of signals is safe to open, and its download is recorded', async () => {
  await watchBoth()
  await putCompanies(it.app, [{ ...BRACKEN, name: '=HYPERLINK("http://x") LIMITED' }])
  await recordQueuedChanges(it.app)
  const file = await send('GET /v1/signals/export?list=default')
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="signals-\d{4}-\d\d-\d\d\.csv"$/)
  const [head, row] = file.text.split('\r\n')
  expect(head).toBe(
    '"detected_at","occurred_on","company_number","company_name","signal_type","severity","summary","is_read","id"',
  )
  expect(row).toContain(`"'=HYPERLINK`)
  const acts = await it.app.db.query('select 1 from audit_event where account_id = $1 and action = $2', [
    account.id,
    'signals_exported',
  ])
  expect(acts).toHaveLength(1)
  expect((await send('GET /v1/signals/export?from=never')).status).toBe(400)
  expect((await send('GET /v1/signals/export?list=wl_none')).status).toBe(404)
})
