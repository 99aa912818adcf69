import { beforeEach, expect, test } from 'vitest'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { formatDay } from '../src/lib/text/wording.ts'
import { sevenInLondon } from '../src/signals/digest/digest.ts'
import { type NewSignal, raiseSignals, sendDigestJob, startDigestsJob } from '../src/signals/index.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { type TestKeys, type TestService, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })

let account: Reader
beforeEach(async () => {
  // The clock goes on from test to test: the accounts of those before have had their digests.
  await it.app.db.query('update notification_setting set daily_digest = false')
  account = await openReader(it)
})

interface Reader extends TestKeys {
  email: string
}

const PATH = '/v1/account/notifications'

/** An account that gets the digest. */
async function openReader(service: TestService): Promise<Reader> {
  const keys = await service.openAccount()
  const set = await service.call('PATCH', PATH, { key: keys.key, body: { daily_digest: true } })
  expect([set.status, set.body.daily_digest]).toEqual([200, true])
  return { ...keys, email: set.body.email }
}

let raisedCount = 0

/** A signal, now, of a company that is watched with these keys. */
async function raise(keys: string[], facts: Partial<NewSignal> = {}, { app, call } = it): Promise<void> {
  raisedCount += 1
  const { companyNumber: number = ALDER.number, companyName: name = ALDER.name } = facts
  for (const key of keys) {
    const watched = await call('POST', '/v1/watchlist', { key, body: { company_number: number } })
    expect(watched.body.watched).toBe(true)
  }
  const at = app.clock.now()
  const signal: NewSignal = {
    companyNumber: number,
    companyName: name,
    signalType: 'registered_office_changed',
    severity: 'notice',
    summary: `${name} moved.`,
    occurredOn: toLondonDate(at),
    changes: [],
    sourceKind: 'stream',
    sourceReference: 'companies:1',
    dedupe: { key: `test ${raisedCount}`, leavingKey: null },
    ...facts,
  }
  expect(await app.db.transaction((tx) => raiseSignals(app, tx, [signal], at))).toHaveLength(1)
}

/** Ten past seven in London tomorrow, and the digests are sent. */
async function nextMorning(service = it): Promise<void> {
  const now = service.clock.now()
  const seven = sevenInLondon(addDaysToDate(toLondonDate(now), 1))
  service.clock.advance((seven.getTime() - now.getTime()) / 1_000 + 600)
  await runDigests(service)
}

async function runDigests(service = it): Promise<void> {
  await service.runJob(startDigestsJob)
  await service.settle()
}

const mailsTo = (reader: Reader) => it.mailbox.mailsTo(reader.email)
const today = () => toLondonDate(it.clock.now())
const todaysDigest = () => ({ accountId: account.id, through: sevenInLondon(today()).toISOString() })

function unsubscribeLink(reader: Reader): string {
  const link = /https?:\/\/\S+\/unsubscribe\?\S+/.exec(mailsTo(reader).at(-1)?.text ?? '')?.[0]
  if (!link) throw new Error(`no link to unsubscribe in a mail to ${reader.email}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

test('the digest is off until an account turns it on', async () => {
  const fresh = await it.openAccount()
  const shown = await it.call('GET', PATH, { key: fresh.key })
  expect([shown.status, shown.body.daily_digest]).toEqual([200, false])
  await raise([fresh.key])
  await nextMorning()
  expect(it.mailbox.mailsTo(shown.body.email)).toEqual([])
})

test('the morning after, one e-mail says what happened, warnings first', async () => {
  await raise([account.key], { summary: 'ALDERFINCH JOINERY LIMITED moved to York.' })
  const bracken = { companyNumber: BRACKEN.number, companyName: BRACKEN.name }
  await raise([account.key], { ...bracken, severity: 'warning', summary: 'BRACKENMILL is in liquidation.' })
  const day = formatDay(today())
  await nextMorning()
  const [mail, ...others] = mailsTo(account)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`Your watchlist, ${formatDay(today())}: 2 signals, 1 of them a warning`)
  expect(mail?.text).toMatch(/WARNINGS\s+BRACKENMILL TEXTILES LIMITED \(05820417\)\n- BRACKENMILL is in liquidation/)
  expect(mail?.text.indexOf('BRACKENMILL')).toBeLessThan(mail?.text.indexOf('moved to York') ?? 0)
  expect(mail?.text).toContain(`ALDERFINCH JOINERY LIMITED moved to York. (${day})`)
  expect(mail?.html).toContain('<strong>BRACKENMILL TEXTILES LIMITED</strong>')
  expect(mail?.messageId).toBe(`<digest.${account.id}.${today()}@${it.config.siteUrl.hostname}>`)
})

test('nothing is told twice, however often the jobs run', async () => {
  await raise([account.key])
  await nextMorning()
  await runDigests()
  await it.runJob(sendDigestJob, todaysDigest())
  expect(mailsTo(account)).toHaveLength(1)
  await nextMorning()
  expect(mailsTo(account)).toHaveLength(1)
})

test('each morning tells only what is new, and a day without news has no e-mail', async () => {
  await raise([account.key], { summary: 'The first day.' })
  await nextMorning()
  await nextMorning()
  await raise([account.key], { summary: 'The third day.' })
  await nextMorning()
  expect(mailsTo(account).map((mail) => /The \w+ day/.exec(mail.text)?.[0])).toEqual(['The first day', 'The third day'])
  expect(mailsTo(account)[1]?.text).not.toContain('The first day')
})

test('before seven in London nothing is sent', async () => {
  await raise([account.key])
  const now = it.clock.now()
  const seven = sevenInLondon(addDaysToDate(toLondonDate(now), 1))
  it.clock.advance((seven.getTime() - now.getTime()) / 1_000 - 30)
  await runDigests()
  expect(mailsTo(account)).toEqual([])
  it.clock.advance(60)
  await runDigests()
  expect(mailsTo(account)).toHaveLength(1)
})

test('what comes after seven waits for the next morning', async () => {
  await nextMorning()
  await raise([account.key])
  await runDigests()
  expect(mailsTo(account)).toEqual([])
  await nextMorning()
  expect(mailsTo(account)).toHaveLength(1)
})

test('signals from before the digest was turned on are not told', async () => {
  const late = await it.openAccount()
  await raise([late.key], { summary: 'Long ago.' })
  it.clock.advance(1)
  const set = await it.call('PATCH', PATH, { key: late.key, body: { daily_digest: true } })
  await raise([late.key], { summary: 'Just now.' })
  await nextMorning()
  const [mail] = it.mailbox.mailsTo(set.body.email)
  expect(mail?.text).toContain('Just now.')
  expect(mail?.text).not.toContain('Long ago.')
})

test('turning on what is on loses nothing', async () => {
  await raise([account.key])
  it.clock.advance(1)
  await it.call('PATCH', PATH, { key: account.key, body: { daily_digest: true } })
  await nextMorning()
  expect(mailsTo(account)).toHaveLength(1)
})

test('an account never reads of another’s signals, nor of those of its test key', async () => {
  const other = await openReader(it)
  await raise([other.key], { summary: 'For the other.' })
  await raise([account.testKey], { companyNumber: 'TS000001', summary: 'For tests.' })
  await nextMorning()
  expect(mailsTo(account)).toEqual([])
  expect(mailsTo(other)).toHaveLength(1)
  expect(mailsTo(other)[0]?.text).toContain('For the other.')
  expect(mailsTo(other)[0]?.text).not.toContain('For tests.')
})

test('a company that is not watched any more is not told of', async () => {
  await raise([account.key])
  await it.call('DELETE', `/v1/watchlist/${ALDER.number}`, { key: account.key })
  await nextMorning()
  expect(mailsTo(account)).toEqual([])
})

test('a busy day is cut after 50 lines, and says how many more there are', async () => {
  for (let count = 0; count < 51; count += 1) await raise([account.key], { summary: `Line ${count}.` })
  await raise([account.key], { severity: 'warning', summary: 'The one that matters.' })
  await nextMorning()
  const text = mailsTo(account)[0]?.text ?? ''
  expect(text.match(/^- /gm)).toHaveLength(50)
  expect(text).toContain('- The one that matters.')
  expect(text).toContain('and 2 more')
  expect(text).toContain(it.config.siteUrl.href)
})

test('a company’s name cannot put markup into the e-mail', async () => {
  await raise([account.key], { companyName: '<script>alert(1)</script> & SONS LIMITED' })
  await nextMorning()
  const [mail] = mailsTo(account)
  expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; SONS LIMITED')
  expect(mail?.html).not.toContain('<script')
})

test('a mail server that refuses is asked again, and the e-mail comes once', async () => {
  await raise([account.key])
  it.mailbox.refuseNext(1)
  await nextMorning()
  expect(mailsTo(account)).toEqual([])
  await it.runJob(sendDigestJob, todaysDigest())
  await it.runJob(sendDigestJob, todaysDigest())
  expect(mailsTo(account)).toHaveLength(1)
})

test('a worker that dies after sending makes the same e-mail be sent again, known by its Message-ID', async () => {
  await raise([account.key], { summary: 'Before.' })
  it.mailbox.refuseNext(1)
  await nextMorning()
  await raise([account.key], { summary: 'After.' })
  const died = async () => {
    throw new Error('the worker died')
  }
  await expect(it.runJob(sendDigestJob, todaysDigest(), { finish: died })).rejects.toThrow('the worker died')
  await it.runJob(sendDigestJob, todaysDigest())
  const [first, second] = mailsTo(account)
  expect(first?.text).toContain('Before.')
  expect(first?.text).not.toContain('After.')
  expect(second?.messageId).toBe(first?.messageId)
  expect(second?.text).toBe(first?.text)
})

test('a digest that was never sent is told with the next, and its own job has nothing left to do', async () => {
  await raise([account.key], { summary: 'Lost at first.' })
  it.mailbox.refuseNext(1)
  await nextMorning()
  const lost = todaysDigest()
  await raise([account.key], { summary: 'The day after.' })
  it.mailbox.refuseNext(1)
  await nextMorning()
  await it.runJob(sendDigestJob, lost)
  expect(mailsTo(account)).toEqual([])
  await it.runJob(sendDigestJob, todaysDigest())
  expect(mailsTo(account)).toHaveLength(1)
  expect(mailsTo(account)[0]?.text).toMatch(/Lost at first\.[\s\S]*The day after\./)
})

test('when no digest could be sent for long, the last seven days are told', async () => {
  await raise([account.key], { summary: 'Eight days ago.' })
  it.clock.advance(8 * 86_400)
  await raise([account.key], { summary: 'Yesterday.' })
  await nextMorning()
  expect(mailsTo(account)[0]?.text).toContain('1 new signal ')
  expect(mailsTo(account)[0]?.text).toContain('Yesterday.')
})

test('following the link changes nothing; its button stops the digest and says how to turn it on again', async () => {
  await raise([account.key])
  await nextMorning()
  const link = unsubscribeLink(account)
  const question = await it.visit('GET', link)
  expect([question.status, question.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(question.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(question.text.match(/<button\b/g)).toHaveLength(1)
  expect((await it.call('GET', PATH, { key: account.key })).body.daily_digest).toBe(true)

  const action = /action="([^"]+)"/.exec(question.text)?.[1] ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await it.visit('POST', action, { rawBody: '', headers: form })
  expect(done.status).toBe(200)
  expect(done.text).toContain('The daily digest is off')
  expect(done.text).toContain(`${it.config.baseUrl.origin}${PATH}`)
  expect((await it.call('GET', PATH, { key: account.key })).body.daily_digest).toBe(false)
  await raise([account.key])
  await nextMorning()
  expect(mailsTo(account)).toHaveLength(1)
  expect((await it.visit('POST', action, { rawBody: '', headers: form })).status).toBe(200)
})

test('who unsubscribes while a digest waits to be sent does not get it', async () => {
  await raise([account.key])
  await nextMorning()
  const link = unsubscribeLink(account)
  await raise([account.key])
  it.mailbox.refuseNext(1)
  await nextMorning()
  await it.visit('POST', link)
  await it.runJob(sendDigestJob, todaysDigest())
  expect(mailsTo(account)).toHaveLength(1)
})

const boundary = 'x7f3'
test.each([
  ['as a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
  [
    'as multipart',
    `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
    `multipart/form-data; boundary=${boundary}`,
  ],
])('a mail program unsubscribes with one click, sent %s', async (_name, rawBody, contentType) => {
  await raise([account.key])
  await nextMorning()
  const headers = { 'content-type': contentType }
  const done = await it.visit('POST', unsubscribeLink(account), { rawBody, headers })
  expect(done.status).toBe(200)
  expect((await it.call('GET', PATH, { key: account.key })).body.daily_digest).toBe(false)
})

test('a forged link, and one of another account, turns nothing off', async () => {
  const other = await openReader(it)
  await raise([account.key, other.key])
  await nextMorning()
  const [mine, theirs] = [unsubscribeLink(account), unsubscribeLink(other)]
  const signature = theirs.split('.').at(-1)
  const forged = [
    '/unsubscribe',
    '/unsubscribe?token=',
    '/unsubscribe?token=nonsense',
    `/unsubscribe?token=${account.id}`,
    `/unsubscribe?token=${account.id}.${signature}`,
    mine.slice(0, -2),
    `${mine}&token=${account.id}`,
  ]
  for (const link of forged) {
    const [shown, posted] = [await it.visit('GET', link), await it.visit('POST', link)]
    expect([shown.status, posted.status], link).toEqual([400, 400])
    expect(posted.text).toContain('This link is not valid')
  }
  expect((await it.call('GET', PATH, { key: account.key })).body.daily_digest).toBe(true)
  expect((await it.visit('GET', mine)).status).toBe(200)
})

test('a test key shows the setting and cannot change it', async () => {
  const refused = await it.call('PATCH', PATH, { key: account.testKey, body: { daily_digest: false } })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect(refused.body.detail).toContain('live key')
  const shown = await it.call('GET', PATH, { key: account.testKey })
  expect(shown.body).toEqual({ daily_digest: true, email: account.email })
})

test('the e-mail carries the headers by which a mail program shows its own button', async () => {
  await raise([account.key])
  await nextMorning()
  const [mail] = mailsTo(account)
  const link = /https?:\/\/\S+\/unsubscribe\?\S+/.exec(mail?.text ?? '')?.[0]
  expect(mail?.headers['list-unsubscribe']).toBe(`<${link}>`)
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
})
