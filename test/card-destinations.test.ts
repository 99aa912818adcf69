/** Signals in Slack and Teams: which of them arrive, in what form, and who ever sees the secret address. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type PlainCompany, putCompanies } from '../rig/companies.ts'
import { createSlack, createTeams } from '../rig/incoming-webhooks/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { openListener, registerDestination } from '../src/webhooks/index.ts'
import { prepareEach, useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS, rename, watchNewCompany } from './setup/webhooks.ts'

// Hosts that took nothing yet get one request a minute; those of Slack and Teams are known, and have no such limit.
const it = useTestService({ webhooks: { ...QUICK_WEBHOOKS, unprovenPerMinute: 1 } })
const account = prepareEach(() => it.openAccount())

const SLACK_PATH = '/services/T0AAA/B0BBB/sEcReTsEcReTsEcReT123456'
const SLACK_URL = `https://hooks.slack.com${SLACK_PATH}`
const TEAMS_HOST = 'prod-01.uksouth.logic.azure.com'
const TEAMS_PATH = '/workflows/0a1b2c/triggers/manual/paths/invoke?api-version=2016-06-01&sig=hIdDeNhIdDeNhIdDeN98765'
const ADDRESSES = { slack: SLACK_URL, teams: `https://${TEAMS_HOST}${TEAMS_PATH}` }
const SECRETS = ['sEcReTsEcReT', 'hIdDeNhIdDeN']

let slack: ReturnType<typeof createSlack>
let teams: ReturnType<typeof createTeams>
beforeEach(() => {
  slack = createSlack(SLACK_PATH)
  teams = createTeams(TEAMS_PATH)
  it.web.setSite('hooks.slack.com', { serve: slack.serve })
  it.web.setSite(TEAMS_HOST, { serve: teams.serve })
})
const serviceOf = (kind: string) => (kind === 'slack' ? slack : teams)

const send = (method: string, path: string, body?: object, key = account.key) =>
  it.call(method, path, { key, ...(body ? { body } : {}) })
const register = (kind: 'slack' | 'teams', more: object = {}, key = account.key) =>
  send('POST', '/v1/partner/webhooks', { webhook_url: ADDRESSES[kind], signal_type: 'all', kind, ...more }, key)
const destinations = async () => (await send('GET', '/v1/partner/webhooks')).body.data as Array<Record<string, unknown>>

async function makeList(name: string, ...companies: PlainCompany[]): Promise<string> {
  const { id } = (await send('POST', '/v1/watchlists', { name })).body
  for (const { number } of companies) {
    await send('POST', `/v1/watchlists/${id}/companies`, { company_number: number })
  }
  return id
}

async function change(companies: PlainCompany[], to: Partial<PlainCompany>): Promise<void> {
  for (const company of companies) Object.assign(company, to)
  await putCompanies(it.app, companies)
  await recordQueuedChanges(it.app)
  await it.settle()
}

/** All strings of the messages, one to a line. */
function wordsOf(messages: unknown): string {
  if (typeof messages === 'string') return messages
  if (messages === null || typeof messages !== 'object') return ''
  return Object.values(messages).map(wordsOf).join('\n')
}

describe.each(['slack', 'teams'] as const)('a destination of %s', (kind) => {
  test('gets a signal of a watched company as a card that the service accepts, and links to the company', async () => {
    const company = await watchNewCompany(it, account)
    const made = await register(kind)
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ kind, list: null, severity_min: null, secret: null }),
    ])
    await rename(it, company)
    await it.settle()
    expect([serviceOf(kind).refused, serviceOf(kind).messages.length]).toEqual([[], 1])
    const words = wordsOf(serviceOf(kind).messages)
    expect(words).toContain(company.name)
    expect(words).toContain(new URL(`/console/companies/${company.number}`, it.config.siteUrl).href)
    expect(words).toContain('1 new signal')
    expect((await destinations())[0]).toMatchObject({ consecutive_failures: 0, last_success_at: expect.any(String) })
  })

  test('of one list gets the signals of its companies alone', async () => {
    const [inside, outside] = [await watchNewCompany(it, account), await watchNewCompany(it, account)]
    const list = await makeList('Key customers', inside)
    expect((await register(kind, { list })).body.list).toBe(list)
    await change([outside], { name: 'OUTSIDE RENAMED LTD' })
    await change([inside], { name: 'INSIDE RENAMED LTD' })
    expect(serviceOf(kind).messages).toHaveLength(1)
    expect(wordsOf(serviceOf(kind).messages)).toContain('INSIDE RENAMED LTD')
    expect(wordsOf(serviceOf(kind).messages)).not.toContain('OUTSIDE')
  })

  test('gets signals from its severity on, and no others', async () => {
    const company = await watchNewCompany(it, account)
    expect((await register(kind, { severity_min: 'warning' })).body.severity_min).toBe('warning')
    await change([company], { name: 'NOT GRAVE LTD' })
    expect(serviceOf(kind).messages).toEqual([])
    await change([company], { status: 'liquidation' })
    expect(wordsOf(serviceOf(kind).messages)).toContain('1 new warning')
  })

  test('gets many signals at once in few messages, each as large as the service takes', async () => {
    const companies: PlainCompany[] = []
    for (let made = 0; made < 25; made += 1) companies.push(await watchNewCompany(it, account))
    await it.app.db.query('delete from rate_bucket')
    const { body } = await register(kind)
    expect((await send('POST', `/v1/partner/webhooks/${body.id}/test`)).body.delivered).toBe(true)
    await change(companies, { name: `${'&<>'.repeat(50)} LTD` })
    const missing = () => {
      const words = wordsOf(serviceOf(kind).messages)
      return companies.filter(({ number }) => !words.includes(`/console/companies/${number}`))
    }
    await expect.poll(missing).toEqual([])
    expect(serviceOf(kind).refused).toEqual([])
    expect(serviceOf(kind).messages.length).toBeLessThan(10)
  })

  test('that asks us to wait gets the message after that time', async () => {
    const company = await watchNewCompany(it, account)
    await register(kind)
    serviceOf(kind).misbehave({ status: 429, text: 'rate_limited', headers: { 'retry-after': '2' } })
    const before = Date.now()
    await rename(it, company)
    await expect.poll(() => serviceOf(kind).messages).toHaveLength(1)
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000)
    expect(serviceOf(kind).refused).toEqual(['rate_limited'])
  })

  test.each([
    [404, 'no_service'],
    [410, 'channel_is_archived'],
  ])('that answers %i %s is disabled, as its address was removed', async (status, text) => {
    const company = await watchNewCompany(it, account)
    await register(kind)
    serviceOf(kind).misbehave({ status, text })
    await rename(it, company)
    await it.settle()
    expect((await destinations())[0]).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    await rename(it, company)
    await it.settle()
    expect([serviceOf(kind).messages, serviceOf(kind).refused]).toEqual([[], [text]])
  })

  test('that is back gets all signals of the message that it refused, in one again', async () => {
    const companies = [await watchNewCompany(it, account), await watchNewCompany(it, account)]
    const { id } = (await register(kind)).body
    serviceOf(kind).misbehave({ status: 404, text: 'no_service' })
    await change(companies, { name: 'RENAMED WHILE GONE LTD' })
    const log = async () =>
      (await send('GET', `/v1/partner/webhooks/${id}/deliveries`)).body.data as Array<{ state: string; status: number }>
    await expect.poll(async () => (await log()).map(({ state }) => state)).toEqual(['missed', 'missed'])
    expect([serviceOf(kind).refused.length, (await destinations())[0]]).toEqual([
      1,
      expect.objectContaining({ status: 'disabled', consecutive_failures: 1 }),
    ])
    await send('POST', `/v1/partner/webhooks/${id}/enable`)
    const replay = await send('POST', `/v1/partner/webhooks/${id}/replay`, { only: 'missing' })
    expect(replay.body.queued).toBe(2)
    await expect.poll(() => serviceOf(kind).messages).toHaveLength(1)
    for (const { number } of companies) expect(wordsOf(serviceOf(kind).messages)).toContain(number)
  })

  test('is tried with a test message', async () => {
    const { id } = (await register(kind)).body
    const tried = await send('POST', `/v1/partner/webhooks/${id}/test`)
    expect([tried.status, tried.body.delivered]).toEqual([200, true])
    expect([serviceOf(kind).refused, wordsOf(serviceOf(kind).messages)]).toEqual([
      [],
      expect.stringContaining('Nameplate is connected'),
    ])
    serviceOf(kind).misbehave({ status: 400, text: 'invalid_blocks' })
    const refused = await send('POST', `/v1/partner/webhooks/${id}/test`)
    expect(refused.body).toMatchObject({ delivered: false, status: 400, response: 'invalid_blocks' })
  })

  test('is for signals, has no signing secret, and has an address of that service', async () => {
    for (const signal_type of ['resolution_completed', 'audit_entry']) {
      const refused = await register(kind, { signal_type })
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'signal_type'])
    }
    for (const webhook_url of [
      'https://hooks.slack.com.evil.co.uk/services/T/B/x',
      'https://hooks.slack.com/triggers/T/1/x',
      'http://hooks.slack.com/services/T/B/x',
      'https://user:word@hooks.slack.com/services/T/B/x',
      'https://hooks.slack.com:8443/services/T/B/x',
      'https://x.logic.azure.com.evil.co.uk/workflows/x/triggers/manual/paths/invoke?sig=x',
      'https://contoso.webhook.office.com/webhookb2/x',
      `http://${TEAMS_HOST}${TEAMS_PATH}`,
      'no address',
      ADDRESSES[kind === 'slack' ? 'teams' : 'slack'],
    ]) {
      const refused = await register(kind, { webhook_url })
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'webhook_url'])
    }
    const named = await register(kind, { list: 'wl_0' })
    expect([named.status, named.body.code]).toEqual([404, 'not_found'])
    const { id } = (await register(kind)).body
    const rotated = await send('POST', `/v1/partner/webhooks/${id}/rotate-secret`)
    expect([rotated.status, rotated.body.code]).toEqual([400, 'invalid_request'])
  })

  test('keeps its address from every answer, e-mail, log line, table and export', async () => {
    const company = await watchNewCompany(it, account)
    const keyed = { key: account.key, headers: { 'idempotency-key': `kept-${kind}` } }
    const body = { webhook_url: ADDRESSES[kind], signal_type: 'all', kind }
    const seen: Record<string, string> = {}
    for (const asked of ['first', 'repeated']) {
      const made = await it.call('POST', '/v1/partner/webhooks', { ...keyed, body })
      expect([made.status, made.body.note]).toEqual([201, undefined])
      seen[`${asked} answer`] = made.text
    }
    const [{ id, webhook_url: shown } = {}] = await destinations()
    expect(shown).toBe(`${new URL(ADDRESSES[kind]).origin}/...${ADDRESSES[kind].slice(-6)}`)
    // Neither service repeats the address in a response; ours would not show it.
    const { pathname, search } = new URL(ADDRESSES[kind])
    serviceOf(kind).misbehave(
      { status: 500, text: `no answer from ${pathname}${search}` },
      { status: 400, text: `refused: ${ADDRESSES[kind]}` },
    )
    await rename(it, company)
    await it.settle()
    for (const call of ['POST /test', 'POST /enable', 'POST /replay', 'POST /rotate-secret', 'GET /deliveries']) {
      const [method = '', suffix] = call.split(' ')
      const sent = suffix === '/replay' ? { since: '2020-01-01T00:00:00Z' } : undefined
      seen[call] = (await send(method, `/v1/partner/webhooks/${Number(id)}${suffix}`, sent)).text
    }
    expect(seen['GET /deliveries']).toContain('[hidden]')
    const tables = await it.app.db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const holding: string[] = []
    for (const { name } of tables) {
      const find = (text: string) => it.app.db.query(`select from "${name}" t where t::text ~ $1 limit 1`, [text])
      expect([name, await find(SECRETS.join('|'))]).toEqual([name, []])
      if ((await find(shown as string)).length > 0) holding.push(name)
    }
    // The search above finds what is there.
    expect(holding).toContain('webhook_destination')
    const exported = await it.run('account', 'export', account.id)
    expect([exported.code, exported.stdout.includes('address_sealed')]).toEqual([0, false])
    Object.assign(seen, {
      conflict: (await register(kind)).text,
      list: (await send('GET', '/v1/partner/webhooks')).text,
      'audit log': (await send('GET', '/v1/account/audit')).text,
      mails: JSON.stringify(it.mailbox.allMails()),
      log: it.logText(),
      export: exported.stdout,
    })
    const host = new URL(ADDRESSES[kind]).hostname
    for (const name of ['first answer', 'repeated answer', 'list', 'audit log', 'mails', 'export']) {
      expect([name, seen[name]]).toEqual([name, expect.stringContaining(host)])
    }
    expect(seen['log']).toContain('delivery.attempted')
    for (const [name, text] of Object.entries(seen)) {
      for (const secret of SECRETS) expect([name, text.includes(secret)]).toEqual([name, false])
    }
  })

  test('has an address that is compared whole: another that ends alike is another', async () => {
    expect((await register(kind)).status).toBe(201)
    const again = await register(kind)
    expect([again.status, again.body.code]).toEqual([409, 'destination_exists'])
    const [near, to] = kind === 'slack' ? ['B0BBB', 'B0CCC'] : ['0a1b2c', '0a1b2d']
    expect((await register(kind, { webhook_url: ADDRESSES[kind].replace(near, to) })).status).toBe(201)
    expect(new Set((await destinations()).map(({ webhook_url: shown }) => shown)).size).toBe(1)
  })

  test('is neither seen nor used by another account or the other mode', async () => {
    const { id } = (await register(kind)).body
    const other = await it.openAccount()
    for (const key of [other.key, account.testKey]) {
      expect((await send('GET', '/v1/partner/webhooks', undefined, key)).body.data).toEqual([])
      for (const call of ['POST /test', 'POST /enable', 'GET /deliveries', 'DELETE ']) {
        const [method = '', suffix] = call.split(' ')
        expect((await send(method, `/v1/partner/webhooks/${id}${suffix}`, undefined, key)).status).toBe(404)
      }
    }
    const list = await makeList('Mine')
    expect((await register(kind, { list }, other.key)).status).toBe(404)
    expect((await register(kind, { list }, account.testKey)).status).toBe(404)
    expect(serviceOf(kind).messages).toEqual([])
  })
})

describe('a company name', () => {
  const NAME = '<!channel> <http://x.co.uk|y> *B* [a](http://b.co.uk) @here <@U123> &lt; LTD'

  test('makes no mention and no link in Slack', async () => {
    const company = await watchNewCompany(it, account)
    await register('slack')
    await change([company], { name: NAME })
    const [message] = slack.messages as [{ text: string; blocks: Array<Record<string, unknown>> }]
    const marked = wordsOf(message).match(/<[^>]*>/g) ?? []
    for (const mark of marked) expect(mark.startsWith(`<${new URL('/console/', it.config.siteUrl).href}`)).toBe(true)
    expect(marked).toHaveLength(2)
    expect(wordsOf(message)).toContain('&lt;!channel&gt;')
    // Slack makes mentions and links out of plain words only where this is absent.
    for (const { type, text } of message.blocks) if (type === 'section') expect(text).toMatchObject({ verbatim: true })
    expect(message.text).toContain('Nameplate: 1 new signal: ')
  })

  test('makes no mention and no link in Teams', async () => {
    const company = await watchNewCompany(it, account)
    await register('teams')
    await change([company], { name: NAME })
    const text = JSON.stringify(teams.messages)
    expect(teams.messages).toHaveLength(1)
    expect(text).toContain(JSON.stringify(NAME).slice(1, -1))
    expect(text).not.toContain('"TextBlock"')
    expect(text).not.toContain('"entities"')
    const urls = [...text.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url)
    for (const url of urls) expect(url?.startsWith(new URL('/console/', it.config.siteUrl).href)).toBe(true)
  })
})

test('a webhook of one list and severity gets those events alone, signed as ever', async () => {
  const { Receiver } = await import('../rig/web/index.ts')
  const receiver = new Receiver()
  it.web.setSite('list-hooks.co.uk', { receiver })
  const [inside, outside] = [await watchNewCompany(it, account), await watchNewCompany(it, account)]
  const list = await makeList('Suppliers', inside)
  const body = { webhook_url: 'https://list-hooks.co.uk/in', signal_type: 'all', list, severity_min: 'notice' }
  const made = await send('POST', '/v1/partner/webhooks', body)
  expect([made.status, made.body.kind, made.body.secret]).toEqual([201, 'webhook', expect.stringMatching(/^whsec_/)])
  await change([inside, outside], { postcode: 'HG4 2BB' })
  expect(receiver.received.map(({ body: sent }) => JSON.parse(sent).data.company_number)).toEqual([inside.number])
  const ended = { ...body, webhook_url: 'https://list-hooks.co.uk/other', signal_type: 'resolution_completed' }
  expect((await send('POST', '/v1/partner/webhooks', ended)).status).toBe(400)
})

test('the default list is one as well', async () => {
  const company = await watchNewCompany(it, account)
  const list = await makeList('Short-lived', company)
  expect((await register('slack', { list: 'default' })).body.list).toBe('default')
  expect((await register('slack', { list })).status).toBe(201)
  expect((await register('slack')).status).toBe(409)
  await rename(it, company)
  await expect.poll(() => slack.messages).toHaveLength(2)
})

describe('a list that is deleted', () => {
  test('takes its destinations along, which never get the signals of other companies, and the audit log says so', async () => {
    const [inside, outside] = [await watchNewCompany(it, account), await watchNewCompany(it, account)]
    const list = await makeList('Short-lived', inside)
    const { id } = (await register('slack', { list })).body
    const { id: deletedBefore } = (await register('teams', { list })).body
    await send('DELETE', `/v1/partner/webhooks/${deletedBefore}`)
    expect((await send('DELETE', `/v1/watchlists/${list}`)).status).toBe(200)
    expect(await destinations()).toEqual([])
    await change([inside, outside], { status: 'liquidation' })
    expect([slack.messages, teams.messages]).toEqual([[], []])
    const { data } = (await send('GET', '/v1/account/audit?act=webhook_deleted')).body
    const entries = data as Array<{ details: { destination_id: number } }>
    const deleted = entries.map(({ details }) => details.destination_id)
    expect(new Set(deleted)).toEqual(new Set([id, deletedBefore]))
  })

  test('while a destination is made for it: that one is refused, or deleted with it', async () => {
    for (let tried = 0; tried < 8; tried += 1) {
      const list = await makeList(`Contested ${tried}`)
      const [made, deleted] = await Promise.all([register('slack', { list }), send('DELETE', `/v1/watchlists/${list}`)])
      expect([[201, 404].includes(made.status), deleted.status]).toEqual([true, 200])
      expect(await destinations()).toEqual([])
    }
  })

  test('is no hindrance to the end of its account', async () => {
    const list = await makeList('Of an account that ends')
    expect((await register('teams', { list })).status).toBe(201)
    expect((await it.run('account', 'erase', account.id, '--yes')).code).toBe(0)
    expect(await it.app.db.query('select from webhook_destination where account_id = $1', [account.id])).toEqual([])
  })
})

test('an incoming webhook of Slack is not taken as an ordinary address, which would be shown', async () => {
  const made = await send('POST', '/v1/partner/webhooks', { webhook_url: SLACK_URL, signal_type: 'all' })
  expect([made.status, made.body.errors[0]]).toEqual([
    400,
    { field: 'webhook_url', message: expect.stringContaining('"kind": "slack"') },
  ])
})

test('signals of the test mode arrive at its own destinations alone', async () => {
  await register('slack')
  expect((await register('teams', {}, account.testKey)).status).toBe(201)
  const raised = await send('POST', '/v1/test/signals', { company_number: 'TS000001' }, account.testKey)
  expect(raised.status).toBeLessThan(300)
  await it.settle()
  expect([slack.messages.length, teams.messages.length]).toEqual([0, 1])
})

test('the e-mail about a channel that was removed says so, and what to do', async () => {
  const company = await watchNewCompany(it, account)
  const { id } = (await register('slack')).body
  slack.misbehave({ status: 404, text: 'no_service' })
  await rename(it, company)
  await it.settle()
  const stopped = () => it.mailbox.allMails().filter(({ text }) => text.includes(`your webhook destination ${id}.`))
  await expect.poll(stopped).toHaveLength(1)
  expect(stopped()[0]?.text).toContain('this incoming webhook was removed, or that its channel was archived')
  expect(stopped()[0]?.text).not.toContain('410')
})

describe('with an hour between attempts', () => {
  const slow = useTestService({ webhooks: { ...QUICK_WEBHOOKS, retrySeconds: [0, 3_600] } })

  test('the signals of a refused message are due again together', async () => {
    const owner = await slow.openAccount()
    const companies: PlainCompany[] = []
    for (let made = 0; made < 8; made += 1) companies.push(await watchNewCompany(slow, owner))
    const refusing = createSlack(SLACK_PATH)
    refusing.misbehave({ status: 500, text: 'oops' })
    slow.web.setSite('hooks.slack.com', { serve: refusing.serve })
    const { id } = (
      await slow.call('POST', '/v1/partner/webhooks', {
        key: owner.key,
        body: { webhook_url: SLACK_URL, signal_type: 'all', kind: 'slack' },
      })
    ).body
    for (const company of companies) company.postcode = 'HG4 2BB'
    await putCompanies(slow.app, companies)
    await recordQueuedChanges(slow.app)
    const read = () =>
      slow.app.db.query<{ attempts: number; due_at: Date }>(
        `select attempts, due_at from webhook_delivery where destination_id = $1 and state = 'pending' and attempts > 0`,
        [id],
      )
    await expect.poll(read).toHaveLength(companies.length)
    // Each message has a time of its own, and they were in few.
    const times = new Set((await read()).map(({ due_at: due }) => due.getTime()))
    expect(times.size).toBeLessThan(companies.length)
  })
})

test('no destination is made for an account that was closed meanwhile', async () => {
  const owner = { accountId: account.id, mode: 'live' } as const
  await it.app.db.query('update account set disabled_at = now() where id = $1', [account.id])
  const made = registerDestination(it.app, { ...owner, webhookUrl: SLACK_URL, signalType: 'all', kind: 'slack' })
  await expect(made).rejects.toThrow('not in use any more')
  await expect(openListener(it.app, { ...owner, signalType: 'all' })).rejects.toThrow('not in use any more')
})
