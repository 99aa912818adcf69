/** The due dates of a list in a calendar program: an address that needs no account, and that ends when it is made new. */
import { expect, test } from 'vitest'
import { formatCalendar } from '../src/entry/site/calendar-file.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { prepareEach, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepareEach(() => it.openAccount())

const send = (request: string, body?: object, key = account.key) => {
  const [method = '', path = ''] = request.split(' ')
  return it.call(method, path, { key, ...(body ? { body } : {}) })
}
const makeAddress = async (list = 'default'): Promise<string> =>
  new URL((await send(`POST /v1/watchlists/${list}/calendar`)).body.calendar_url).pathname
const open = (path: string, headers: object = {}) => it.visit('GET', path, { headers: { ...headers } })
const dayAfter = (days: number) => addDaysToDate(toLondonDate(it.clock.now()), days)
const setDue = (number: string, accounts: string, confirmation: string | null = null) =>
  it.app.db.query('update company set accounts_next_due = $2, confirmation_next_due = $3 where number = $1', [
    number,
    accounts,
    confirmation,
  ])
test('an overseas entity is asked for its yearly update, not for a confirmation statement', () => {
  const dates = [
    { kind: 'confirmation' as const, companyNumber: 'OE001234', companyName: 'PALM INC', dueOn: '2027-01-02' },
  ]
  const text = formatCalendar({ name: 'Land', madeAt: new Date(0), dates }, new URL('https://nameplate.test'))
  expect(text).toContain('SUMMARY:Yearly update statement due: PALM INC')
})

/** Long lines are folded. */
const unfold = (text: string) => text.replaceAll('\r\n ', '')

test('the dates of the companies on the list are all-day events, the same each time', async () => {
  const { body: list } = await send('POST /v1/watchlists', { name: 'Deadlines,\nall; of them' })
  await send(`POST /v1/watchlists/${list.id}/companies`, { company_number: ALDER.number })
  await send('POST /v1/watchlist', { company_number: BRACKEN.number })
  const [accounts, confirmation] = [dayAfter(20), dayAfter(45)]
  await setDue(ALDER.number, accounts, confirmation)
  await setDue(BRACKEN.number, dayAfter(20))
  await it.app.db.query(
    `insert into company_item (company_number, kind, item_id, data, changed_at) values ($1, 'officer', 'one', $2, now())
     on conflict do nothing`,
    [
      ALDER.number,
      { name: 'DOE, Jo', identity_verification_details: { appointment_verification_statement_due_on: dayAfter(30) } },
    ],
  )
  const path = await makeAddress(list.id)
  const reply = await open(path)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(reply.headers.get('x-robots-tag')).toContain('noindex')
  const text = unfold(reply.text)
  const compact = (day: string) => day.replaceAll('-', '')
  for (const line of [
    `SUMMARY:Accounts due: ${ALDER.name}`,
    `SUMMARY:Confirmation statement due: ${ALDER.name}`,
    `SUMMARY:Identity verification due: ${ALDER.name}`,
    `DTSTART;VALUE=DATE:${compact(accounts)}`,
    `DTEND;VALUE=DATE:${compact(dayAfter(21))}`,
    `DTSTART;VALUE=DATE:${compact(confirmation)}`,
    `DTSTART;VALUE=DATE:${compact(dayAfter(30))}`,
    `UID:accounts.${ALDER.number}.${accounts}@`,
    'Deadlines\\, all\\; of them',
  ]) {
    expect(text).toContain(line)
  }
  expect([text.match(/BEGIN:VEVENT/g)?.length, text.includes('DOE')]).toEqual([3, false])
  const tag = reply.headers.get('etag') ?? ''
  it.clock.advance(3_600)
  expect((await open(path, { 'if-none-match': tag })).status).toBe(304)
  await send(`PATCH /v1/watchlists/${list.id}`, { name: 'Other name' })
  const renamed = await open(path, { 'if-none-match': tag })
  expect([renamed.status, renamed.headers.get('etag') === tag]).toEqual([200, false])
  await setDue(ALDER.number, dayAfter(60))
  expect((await open(path, { 'if-none-match': tag })).status).toBe(200)
})

test('a new address ends the one before, and an ended or unknown one is 404', async () => {
  expect((await send('GET /v1/watchlists/default/calendar')).body).toEqual({ calendar_made_at: null })
  const first = await makeAddress()
  const second = await makeAddress()
  expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200])
  expect((await send('GET /v1/watchlists/default/calendar')).body.calendar_made_at).toMatch(/Z$/)
  expect((await send('DELETE /v1/watchlists/default/calendar')).body).toEqual({ calendar_made_at: null })
  expect((await send('DELETE /v1/watchlists/default/calendar')).status).toBe(200)
  expect((await open(second)).status).toBe(404)
  for (const path of ['/calendar/unknown.ics', `/calendar/${'x'.repeat(43)}.ics`])
    expect((await open(path)).status).toBe(404)
})

test('the secret is stored as a hash alone, and a deleted list has no calendar', async () => {
  const { body: list } = await send('POST /v1/watchlists', { name: 'Short' })
  const path = await makeAddress(list.id)
  const rows = await it.app.db.query<{ text: string }>('select list_calendar::text as text from list_calendar')
  expect(rows.some(({ text }) => text.includes(path.slice(10, 40)))).toBe(false)
  await send(`DELETE /v1/watchlists/${list.id}`)
  expect((await open(path)).status).toBe(404)
})

test('a test key has a calendar too, which has no dates', async () => {
  const made = await send('POST /v1/watchlists/default/calendar', undefined, account.testKey)
  const reply = await open(new URL(made.body.calendar_url).pathname)
  expect([reply.status, reply.text.includes('VEVENT')]).toEqual([200, false])
})

test('a name that is too long names no list', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect((await send(`${method} /v1/watchlists/${'x'.repeat(65)}/calendar`)).status).toBe(400)
  }
})
