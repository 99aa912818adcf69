/** E-mails of single lists: a digest each day or week, and one soon after a signal. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { formatDay } from '../src/lib/text/wording.ts'
import { eraseAccount, exportAccount } from '../src/privacy/index.ts'
import { mondayOf, sevenInLondon } from '../src/signals/digest/digest.ts'
import {
  type NewSignal,
  raiseSignals,
  recordSignalsJob,
  sendInstantJob,
  sendListDigestJob,
  startDigestsJob,
} from '../src/signals/index.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })

interface Reader extends TestKeys {
  email: string
}

const NOTIFICATIONS = '/v1/account/notifications'
let account: Reader
// The job of the minute runs when a test says so.
beforeAll(() => it.app.db.query('delete from pgboss.schedule where name = $1', [recordSignalsJob.name]))
beforeEach(async () => {
  // The clock goes on from test to test: the accounts of those before have had their e-mails.
  await it.app.db.query('update notification_setting set daily_digest = false')
  await it.app.db.query('delete from list_email')
  account = await openReader()
})

async function openReader(): Promise<Reader> {
  const keys = await it.openAccount()
  const { body } = await it.call('GET', NOTIFICATIONS, { key: keys.key })
  return { ...keys, email: body.email }
}

const send = (request: string, body?: object, key = account.key) => {
  const [method = '', path = ''] = request.split(' ')
  return it.call(method, path, { key, ...(body ? { body } : {}) })
}
const turnOnAccountDigest = () => send(`PATCH ${NOTIFICATIONS}`, { daily_digest: true })
const mailsTo = (reader: Reader = account) => it.mailbox.mailsTo(reader.email)
const subjects = () => mailsTo().map(({ subject }) => subject)
const today = () => toLondonDate(it.clock.now())
const showOf = async (list: string) => {
  const { body } = await send('GET /v1/watchlists')
  const found = body.data.find(({ id }: { id: string }) => id === list)
  return { digest: found.digest, instant_email: found.instant_email }
}

let lists = 0

/** A list with these companies and e-mails. */
async function makeList(
  emails: object,
  { name, numbers = [ALDER.number] }: { name?: string; numbers?: string[] } = {},
) {
  lists += 1
  const { id } = (await send('POST /v1/watchlists', { name: name ?? `List ${lists}` })).body
  for (const number of numbers) await add(id, number)
  await set(id, emails)
  return id as string
}

const add = (list: string, number: string) => send(`POST /v1/watchlists/${list}/companies`, { company_number: number })
const set = async (list: string, emails: object) => {
  if (Object.keys(emails).length === 0) return
  const changed = await send(`PATCH /v1/watchlists/${list}`, emails)
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(emails)])
}

let raisedCount = 0

function signalOf(facts: Partial<NewSignal>): NewSignal {
  raisedCount += 1
  const { companyName: name = ALDER.name } = facts
  return {
    companyNumber: ALDER.number,
    companyName: name,
    signalType: 'registered_office_changed',
    severity: 'notice',
    summary: `${name} moved.`,
    occurredOn: today(),
    changes: [],
    sourceKind: 'stream',
    sourceReference: 'companies:1',
    dedupe: { key: `test ${raisedCount}`, leavingKey: null },
    ...facts,
  }
}

/** Signals that are raised together, now. */
async function raise(...signals: Partial<NewSignal>[]): Promise<void> {
  const made = (signals.length > 0 ? signals : [{}]).map(signalOf)
  const raised = await it.app.db.transaction((tx) => raiseSignals(it.app, tx, made, it.clock.now()))
  expect(raised).toHaveLength(made.length)
}

const BRACKEN_SIGNAL = { companyNumber: BRACKEN.number, companyName: BRACKEN.name }

/** Ten past seven in London on a day, and the digests are sent. */
async function morningOf(day: string): Promise<void> {
  it.clock.advance((sevenInLondon(day).getTime() - it.clock.now().getTime()) / 1_000 + 600)
  await runDigests()
}
const nextMorning = () => morningOf(addDaysToDate(today(), 1))
const nextMonday = () => morningOf(addDaysToDate(mondayOf(today()), 7))

async function runDigests(): Promise<void> {
  await it.runJob(startDigestsJob)
  await it.settle()
}

/** The job of the minute. */
async function nextMinute(): Promise<void> {
  it.clock.advance(60)
  await it.runJob(recordSignalsJob)
  await it.settle()
}

function unsubscribeLink(): string {
  const link = /https?:\/\/\S+\/unsubscribe\?\S+/.exec(mailsTo().at(-1)?.text ?? '')?.[0]
  if (!link) throw new Error('no link to unsubscribe')
  const { pathname, search } = new URL(link)
  return pathname + search
}

describe('the e-mails of a list', () => {
  test('are off until they are turned on; the change is shown and in the audit log, and the name stays', async () => {
    const list = await makeList({}, { name: 'Key customers' })
    expect(await showOf(list)).toEqual({ digest: 'off', instant_email: 'off' })
    await set(list, { digest: 'weekly' })
    await set(list, { instant_email: 'warning' })
    await set(list, { instant_email: 'warning' })
    const { body } = await send('GET /v1/watchlists')
    expect(body.data[1]).toMatchObject({ name: 'Key customers', digest: 'weekly', instant_email: 'warning' })
    const { body: log } = await send('GET /v1/account/audit?act=list_emails_changed')
    expect(log.data).toMatchObject([
      {
        before: { digest: 'weekly', instant_email: 'off' },
        after: { digest: 'weekly', instant_email: 'warning' },
        details: { list_id: list },
      },
      { before: { digest: 'off' }, after: { digest: 'weekly' } },
    ])
    await raise()
    await nextMinute()
    expect(mailsTo()).toEqual([])
  })

  test.each([
    [{ digest: 'hourly' }, 'digest'],
    [{ instant_email: 'critical' }, 'instant_email'],
    [{ digest: null }, 'digest'],
    [{}, 'name'],
    [{ digets: 'daily' }, 'name'],
  ])('are refused as %j', async (body, field) => {
    const refused = await send('PATCH /v1/watchlists/default', body)
    expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([400, 'invalid_request', field])
  })

  test('cannot be turned on with a test key, and a test signal makes none', async () => {
    const refused = await send('PATCH /v1/watchlists/default', { digest: 'daily' }, account.testKey)
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    expect(refused.body.detail).toContain('live key')
    expect((await send('PATCH /v1/watchlists/default', { name: 'Trial' }, account.testKey)).status).toBe(200)
    await set('default', { digest: 'daily', instant_email: 'info' })
    const body = { company_number: 'TS000001', signal_type: 'name_changed' }
    expect((await send('POST /v1/test/signals', body, account.testKey)).status).toBe(201)
    await nextMinute()
    await nextMorning()
    expect(mailsTo()).toEqual([])
  })

  test('end with a link that stops this list alone, by one click of a mail program too', async () => {
    const other = await makeList({ digest: 'daily', instant_email: 'info' }, { numbers: [BRACKEN.number] })
    const list = await makeList({ digest: 'daily', instant_email: 'info' }, { name: 'Stopped <soon>' })
    await turnOnAccountDigest()
    await raise()
    await nextMinute()
    const link = unsubscribeLink()
    expect(mailsTo()[0]?.headers).toMatchObject({
      'list-unsubscribe': `<${new URL(link, it.config.siteUrl).href}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    const question = await it.visit('GET', link)
    expect([question.status, question.text]).toEqual([200, expect.stringContaining('“Stopped &lt;soon&gt;”')])
    expect(await showOf(list)).toEqual({ digest: 'daily', instant_email: 'info' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const done = await it.visit('POST', link, { rawBody: 'List-Unsubscribe=One-Click', headers })
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('The e-mails of this list are off')])
    expect(await showOf(list)).toEqual({ digest: 'off', instant_email: 'off' })
    expect(await showOf(other)).toEqual({ digest: 'daily', instant_email: 'info' })
    expect((await send(`GET ${NOTIFICATIONS}`)).body.daily_digest).toBe(true)
    const { body: log } = await send('GET /v1/account/audit?act=list_emails_changed&limit=1')
    expect(log.data[0]).toMatchObject({ after: { digest: 'off', instant_email: 'off' } })
    const forged = [link.slice(0, -2), link.replace('token=wl_', `token=${account.id}`)]
    for (const path of forged) expect((await it.visit('POST', path)).status).toBe(400)
    await send(`DELETE /v1/watchlists/${list}`)
    expect((await it.visit('GET', link)).status).toBe(200)
    expect((await it.visit('POST', link)).status).toBe(200)
  })

  test('are in the export of the account, and gone after its erasure', async () => {
    const list = await makeList({ digest: 'daily', instant_email: 'info' })
    await raise()
    const tables: string[] = []
    await exportAccount(it.app, account.id, ({ table }) => tables.push(table))
    expect(tables).toEqual(expect.arrayContaining(['list_email', 'instant_signal']))
    await eraseAccount(it.app, account)
    await nextMinute()
    await nextMorning()
    expect(mailsTo()).toEqual([])
    const left = await it.app.db.query(
      `select list_key from list_email union all select list_key from instant_signal
       union all select key from company_list where id = $1`,
      [list],
    )
    expect(left).toEqual([])
  })
})

describe('the daily digest of a list', () => {
  test('has its signals alone, names the list and leads to its feed', async () => {
    const list = await makeList({ digest: 'daily' }, { name: 'Key customers' })
    await add('default', BRACKEN.number)
    await raise({ severity: 'warning' }, BRACKEN_SIGNAL)
    await nextMorning()
    const [mail, ...others] = mailsTo()
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`Key customers, ${formatDay(today())}: 1 signal, a warning`)
    expect(mail?.text).toContain(`${ALDER.name} (${ALDER.number})`)
    expect(mail?.text).toContain(`/console/signals?list=${list}`)
    expect(mail?.text).not.toContain(BRACKEN.name)
    expect(mail?.html).toContain(`<strong>${ALDER.name}</strong>`)
  })

  test('takes its companies out of the account’s, which has the rest', async () => {
    await turnOnAccountDigest()
    await makeList({ digest: 'daily' }, { name: 'Apart' })
    await makeList({ digest: 'weekly' }, { name: 'Weekly', numbers: [BRACKEN.number] })
    await raise({ summary: 'Of the list.' }, { ...BRACKEN_SIGNAL, summary: 'Of the account.' })
    await nextMorning()
    const texts = mailsTo()
      .filter(({ subject }) => !subject.startsWith('Weekly'))
      .map(({ subject, text }) => [subject.split(',')[0], /Of the \w+/.exec(text)?.[0], text.match(/^- /gm)?.length])
    expect(texts).toHaveLength(2)
    expect(texts).toEqual(
      expect.arrayContaining([
        ['Apart', 'Of the list', 1],
        ['Your watchlist', 'Of the account', 1],
      ]),
    )
  })

  test('begins when it is turned on: what came before on that day is in the account’s', async () => {
    await turnOnAccountDigest()
    const list = await makeList({}, { name: 'Late' })
    await raise({ summary: 'Before.' })
    it.clock.advance(1)
    await set(list, { digest: 'daily' })
    await raise({ summary: 'After.' })
    await nextMorning()
    const found = mailsTo().map(({ subject, text }) => [subject.split(',')[0], text.match(/Before|After/g)])
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        ['Late', ['After']],
        ['Your watchlist', ['Before']],
      ]),
    )
  })

  test('that is turned off gives what was not sent back to the account’s', async () => {
    await turnOnAccountDigest()
    const list = await makeList({ digest: 'daily' })
    await raise()
    await set(list, { digest: 'off' })
    await nextMorning()
    expect(subjects()).toEqual([expect.stringContaining('Your watchlist')])
  })

  test('that was off for a moment by mistake has everything', async () => {
    const list = await makeList({ digest: 'daily' })
    await raise({ summary: 'One.' })
    await set(list, { digest: 'off' })
    it.clock.advance(60)
    await raise({ summary: 'Two.' })
    await set(list, { digest: 'daily' })
    await nextMorning()
    expect(mailsTo().map(({ text }) => text.match(/One|Two/g))).toEqual([['One', 'Two']])
    await raise({ summary: 'Three.' })
    await set(list, { digest: 'off' })
    it.clock.advance(3_600)
    await set(list, { digest: 'daily' })
    await nextMorning()
    expect(mailsTo()).toHaveLength(1)
  })

  test('of the default list has the companies on it', async () => {
    await set('default', { digest: 'daily' })
    await add('default', ALDER.number)
    await makeList({}, { numbers: [BRACKEN.number] })
    await raise({}, BRACKEN_SIGNAL)
    await nextMorning()
    expect(subjects()).toEqual([`Watchlist, ${formatDay(today())}: 1 signal`])
    expect(mailsTo()[0]?.text).toContain('/console/signals?list=default')
  })

  test('is sent once, however often its jobs run', async () => {
    await makeList({ digest: 'daily' })
    await raise()
    await nextMorning()
    await runDigests()
    await it.runJob(sendListDigestJob, await todaysDigest())
    await nextMorning()
    expect(mailsTo()).toHaveLength(1)
  })

  test('is sent again with its Message-ID after a worker died with it, and with the next one if it never could be sent', async () => {
    await makeList({ digest: 'daily' })
    await raise({ summary: 'First.' })
    it.mailbox.refuseNext(1)
    await nextMorning()
    const died = async () => {
      throw new Error('the worker died')
    }
    const digest = await todaysDigest()
    await expect(it.runJob(sendListDigestJob, digest, { finish: died })).rejects.toThrow('the worker died')
    await it.runJob(sendListDigestJob, digest)
    const [first, second, ...others] = mailsTo()
    expect([second?.messageId, second?.text, others]).toEqual([first?.messageId, first?.text, []])

    await raise({ summary: 'Second.' })
    it.mailbox.refuseNext(1)
    await nextMorning()
    const lost = await todaysDigest()
    await raise({ summary: 'Third.' })
    await nextMorning()
    await it.runJob(sendListDigestJob, lost)
    expect(
      mailsTo()
        .slice(2)
        .map(({ text }) => text.match(/First|Second|Third/g)),
    ).toEqual([['Second', 'Third']])
  })

  test('leaves out companies that left the list, and ends with the list', async () => {
    const list = await makeList({ digest: 'daily' })
    await add('default', ALDER.number)
    await raise()
    await send(`DELETE /v1/watchlists/${list}/companies/${ALDER.number}`)
    await nextMorning()
    expect(mailsTo()).toEqual([])
    await add(list, ALDER.number)
    await raise()
    await send(`DELETE /v1/watchlists/${list}`)
    await nextMorning()
    expect(mailsTo()).toEqual([])
  })

  test('goes to no account that was disabled', async () => {
    await makeList({ digest: 'daily', instant_email: 'info' })
    await raise()
    await it.app.db.query('update account set disabled_at = now() where id = $1', [account.id])
    await nextMinute()
    await nextMorning()
    expect(mailsTo()).toEqual([])
  })

  const todaysDigest = async () => {
    const [row] = await it.app.db.query<{ list_key: number; digest: 'daily' }>(
      'select list_key, digest from list_email',
    )
    return {
      listKey: row?.list_key ?? 0,
      cadence: row?.digest ?? 'daily',
      through: sevenInLondon(today()).toISOString(),
    }
  }
})

describe('the weekly digest of a list', () => {
  test('comes on Mondays with the signals of the week, and is no part of the account’s days', async () => {
    await nextMonday()
    await makeList({ digest: 'weekly' }, { name: 'Suppliers' })
    await raise({ summary: 'Monday.' })
    for (let day = 0; day < 6; day += 1) {
      await nextMorning()
      expect(mailsTo()).toEqual([])
      if (day === 2) await raise({ summary: 'Thursday.' })
    }
    await nextMorning()
    await runDigests()
    expect(subjects()).toEqual([`Suppliers, week to ${formatDay(today())}: 2 signals`])
    expect(mailsTo()[0]?.text).toContain('in the week until 7 o’clock')
    expect(mailsTo()[0]?.text).toMatch(/Monday\.[\s\S]*Thursday\./)
    await nextMonday()
    expect(mailsTo()).toHaveLength(1)
  })

  test('that could not start on Monday is sent on the first day that it can', async () => {
    await nextMonday()
    await makeList({ digest: 'weekly' })
    await raise()
    await morningOf(addDaysToDate(today(), 9))
    const monday = mondayOf(today())
    expect(subjects()).toEqual([expect.stringContaining(`week to ${formatDay(monday)}`)])
    await nextMorning()
    expect(mailsTo()).toHaveLength(1)
  })

  test('becomes a daily one, and back, without a loss and without a repetition', async () => {
    await nextMonday()
    const list = await makeList({ digest: 'weekly' })
    await raise({ summary: 'One.' })
    await set(list, { digest: 'daily' })
    await nextMorning()
    await raise({ summary: 'Two.' })
    await set(list, { digest: 'weekly' })
    await nextMorning()
    await nextMonday()
    expect(mailsTo().map(({ text }) => text.match(/One|Two/g))).toEqual([['One'], ['Two']])
  })

  test('becomes a daily one on a Monday whose e-mail could not be sent: the whole week is in the next', async () => {
    await nextMonday()
    const list = await makeList({ digest: 'weekly' })
    await raise({ summary: 'One.' })
    // No worker sends on that Monday.
    it.clock.advance(
      (sevenInLondon(addDaysToDate(mondayOf(today()), 7)).getTime() - it.clock.now().getTime()) / 1_000 + 3_600,
    )
    await set(list, { digest: 'daily' })
    await nextMorning()
    expect(mailsTo().map(({ text }) => text.match(/One|Two/g))).toEqual([['One']])
  })
})

describe('an instant e-mail', () => {
  test('comes within a minute with all that came together, from the chosen severity on', async () => {
    const list = await makeList({ instant_email: 'notice' }, { name: 'Watch closely' })
    await raise({ severity: 'info', summary: 'Too small.' }, { summary: 'A.' }, { severity: 'warning', summary: 'B.' })
    await nextMinute()
    const [mail, ...others] = mailsTo()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Watch closely: 2 new signals, 1 of them a warning')
    expect(mail?.text.match(/^- .*$/gm)?.map((line) => line.slice(0, 4))).toEqual(['- B.', '- A.'])
    expect(mail?.text).toContain(`/console/signals?list=${list}`)
    await nextMinute()
    expect(mailsTo()).toHaveLength(1)
    await raise({ summary: 'C.' })
    await nextMinute()
    expect(mailsTo()[1]?.text.match(/^- \w\./gm)).toEqual(['- C.'])
  })

  test('is one for each list that wants it, and none for others', async () => {
    await makeList({ instant_email: 'info' }, { name: 'One' })
    await makeList({ instant_email: 'warning' }, { name: 'Two' })
    await makeList({ digest: 'daily' }, { name: 'Three' })
    await set('default', { instant_email: 'info' })
    const other = await openReader()
    await send('POST /v1/watchlist', { company_number: ALDER.number }, other.key)
    await raise()
    await nextMinute()
    expect([subjects(), mailsTo(other)]).toEqual([['One: 1 new signal'], []])
  })

  test('has nothing below a severity that was raised while it waited for the end of the hour', async () => {
    const list = await makeList({ instant_email: 'info' })
    for (let minute = 0; minute < 12; minute += 1) {
      await raise({ severity: 'info', summary: `Minute ${minute}.` })
      await nextMinute()
    }
    await raise({ severity: 'info', summary: 'Too small now.' }, { severity: 'warning', summary: 'Grave.' })
    await nextMinute()
    await set(list, { instant_email: 'warning' })
    it.clock.advance(3_600)
    await nextMinute()
    expect(mailsTo()).toHaveLength(13)
    expect(mailsTo()[12]?.text).toContain('Grave.')
    expect(mailsTo()[12]?.text).not.toContain('Too small now.')
  })

  test('comes at most twelve times in an hour; the rest is in one e-mail, and nothing is missing', async () => {
    await makeList({ instant_email: 'info' })
    for (let minute = 0; minute < 20; minute += 1) {
      await raise({ summary: `Minute ${minute}.` })
      await nextMinute()
    }
    expect(mailsTo()).toHaveLength(12)
    expect(mailsTo()[10]?.text).not.toContain('as many e-mails as we send in an hour')
    expect(mailsTo()[11]?.text).toContain('as many e-mails as we send in an hour')
    it.clock.advance(3_600)
    await nextMinute()
    expect(mailsTo()).toHaveLength(13)
    expect(subjects()[12]).toContain(': 8 new signals')
    const said = mailsTo().flatMap(({ text }) => text.match(/Minute \d+/g) ?? [])
    expect(new Set(said).size).toBe(20)
    expect(said).toHaveLength(20)
  })

  test('that the mail server refuses is tried again, and comes once', async () => {
    await makeList({ instant_email: 'info' })
    await raise()
    it.mailbox.refuseNext(1)
    await nextMinute()
    expect(mailsTo()).toEqual([])
    await it.app.db.query(`update pgboss.job set start_after = now() where name = $1 and state = 'retry'`, [
      sendInstantJob.name,
    ])
    await it.settle()
    await nextMinute()
    expect(mailsTo()).toHaveLength(1)
  })

  test('of a worker that died after sending has the same Message-ID', async () => {
    await makeList({ instant_email: 'info' })
    await raise()
    const [waiting] = await it.app.db.query<{ list_key: number; signal_id: number }>('select * from instant_signal')
    const email = { listKey: waiting?.list_key ?? 0, signals: [waiting?.signal_id ?? 0], resumesAt: null }
    for (const attempt of [1, 2]) await it.runJob(sendInstantJob, email, { id: 'same', attempt })
    const [first, second] = mailsTo()
    expect([second?.messageId, second?.text]).toEqual([first?.messageId, first?.text])
  })

  test('does not come for what happened before, nor after it was turned off', async () => {
    const list = await makeList({})
    await raise()
    await set(list, { instant_email: 'info' })
    await nextMinute()
    expect(mailsTo()).toEqual([])
    await raise()
    await set(list, { instant_email: 'off' })
    await nextMinute()
    await set(list, { instant_email: 'info' })
    await nextMinute()
    expect(mailsTo()).toEqual([])
  })

  test('leaves out companies that left the list, and ends with the list', async () => {
    const list = await makeList({ instant_email: 'info' }, { numbers: [ALDER.number, BRACKEN.number] })
    await raise({}, BRACKEN_SIGNAL)
    await send(`DELETE /v1/watchlists/${list}/companies/${ALDER.number}`)
    await nextMinute()
    expect(mailsTo().map(({ text }) => text.match(/^- (\w+)/m)?.[1])).toEqual([BRACKEN.name.split(' ')[0]])
    await raise(BRACKEN_SIGNAL)
    await send(`DELETE /v1/watchlists/${list}`)
    await nextMinute()
    expect(mailsTo()).toHaveLength(1)
    expect(await it.app.db.query('select from instant_signal')).toEqual([])
  })

  test('has no markup of a name in it', async () => {
    await makeList({ instant_email: 'info' }, { name: '<b>Bold</b>\u2028& more' })
    await raise({ companyName: '<script>alert(1)</script> LIMITED' })
    await nextMinute()
    const [mail] = mailsTo()
    expect(mail?.subject).toBe('<b>Bold</b> & more: 1 new signal')
    expect(mail?.html).toContain('&lt;script&gt;')
    expect(mail?.html).not.toMatch(/<script|<b>/)
  })
})
