/** The history of an account: every answer it got, found again, compared with another reading, and shared by a link. */
import { beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { forgetHistoryJob } from '../src/resolution/index.ts'
import { ALDER, BRACKEN, page, publish, siteNaming, siteOf } from './setup/companies.ts'
import { DAY_SECONDS, type TestAccount, useTestService, WAIT } from './setup/harness.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
let owner: TestAccount
let other: TestAccount
beforeAll(async () => {
  ;[owner, other] = [await it.openAccount({ credits: 100 }), await it.openAccount({ credits: 100 })]
})

interface Entry {
  resolution_id: string
  domain: string
  outcome: string
  company_number: string | null
  company_name: string | null
  origin: string
  answered_at: string
  refunded: boolean
  decided_by: { action: string } | null
  resolution_url: string
}

const ask = async (domain: string, credential: object = { key: owner.key }, more: object = {}) =>
  (await it.call('POST', '/v1/resolve/domain', { ...credential, body: { domain, ...more }, headers: WAIT })).body
/** Long enough that the site may be read again. */
const readAgain = async (domain: string) => {
  it.clock.advance(15 * 60 + 1)
  return ask(domain, { key: owner.key }, { max_age_days: 0 })
}
const list = async (query = '', credential: object = { key: owner.key }) =>
  (await it.call('GET', `/v1/resolutions${query}`, credential)).body as { data: Entry[]; next_cursor: string | null }
const readingsOf = async (domain: string) => (await list(`?domain=${domain}`)).data

describe('an answer is in the history of the account that got it', () => {
  test('once, however often it is asked for, with the way that it was first asked for', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    const { resolution_id: id } = await ask(domain, { token: owner.token })
    for (let again = 0; again < 3; again += 1) await ask(domain)
    expect(await readingsOf(domain)).toMatchObject([
      {
        resolution_id: id,
        domain,
        outcome: 'matched',
        company_number: ALDER.number,
        company_name: ALDER.name,
        origin: 'console',
        refunded: false,
        decided_by: null,
        resolution_url: new URL(`/console/resolutions/${id}`, it.config.siteUrl).href,
      },
    ])
  })

  test('also when the answer was known before, and for each account by itself', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    await ask(domain)
    expect((await list(`?domain=${domain}`, { key: other.key })).data).toEqual([])
    await ask(domain, { key: other.key })
    expect((await list(`?domain=${domain}`, { key: other.key })).data).toHaveLength(1)
  })

  test('when another account had the site read again, the new answer is entered on the next request', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    await ask(domain)
    await ask(domain)
    it.clock.advance(15 * 60 + 1)
    const { resolution_id: newer } = await ask(domain, { key: other.key }, { max_age_days: 0 })
    for (let again = 0; again < 2; again += 1) expect((await ask(domain)).resolution_id).toBe(newer)
    expect((await readingsOf(domain)).map(({ resolution_id: id }) => id)).toEqual([newer, expect.any(String)])
  })

  test('from a bulk job too', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    await it.call('POST', '/v1/bulk', { key: owner.key, body: { domains: [domain] } })
    await it.settle()
    await expect.poll(() => readingsOf(domain)).toMatchObject([{ origin: 'bulk', outcome: 'matched' }])
  })

  test('and not without a credit for it', async () => {
    const poor = await it.openAccount({ credits: 0 })
    const domain = publish(it.web, siteOf(ALDER))
    await ask(domain, { key: poor.key })
    expect((await list('', { key: poor.key })).data).toEqual([])
  })

  test('a test key has none', async () => {
    expect(await list('', { key: owner.testKey })).toEqual({ data: [], has_more: false, next_cursor: null })
  })
})

describe('the list', () => {
  test('pages by cursor have every entry once, newest first, while new answers arrive', async () => {
    const account = await it.openAccount({ credits: 20 })
    const domains = Array.from({ length: 5 }, () => publish(it.web, siteOf(ALDER)))
    for (const domain of domains) await ask(domain, account)
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; pages < 10 && cursor !== null; pages += 1) {
      const reply = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, account)
      seen.push(...reply.data.map(({ domain }) => domain))
      cursor = reply.next_cursor
      if (pages === 0) await ask(publish(it.web, siteOf(ALDER)), account)
    }
    expect(seen).toEqual(domains.toReversed())
  })

  test('is searched by the beginning of a domain, of a name and of a number', async () => {
    const account = await it.openAccount({ credits: 20 })
    const [matched, doubtful] = [publish(it.web, siteOf(ALDER)), publish(it.web, siteNaming(BRACKEN))]
    for (const domain of [matched, doubtful]) await ask(domain, account)
    const find = async (query: string) => (await list(query, account)).data.map(({ domain }) => domain)
    expect(await find(`?domain=${matched.toUpperCase()}`)).toEqual([matched])
    expect(await find('?company=alderfinch')).toEqual([matched])
    expect(await find(`?company=${ALDER.number.slice(0, 5)}`)).toEqual([matched])
    expect(await find(`?domain=${matched}&company=alder`)).toEqual([matched])
    expect(await find(`?domain=${matched}&company=bracken`)).toEqual([])
    expect(await find('?company=100%25')).toEqual([])
    expect(await find('?outcome=needs_review')).toEqual([doubtful])
    expect(await find('?origin=bulk')).toEqual([])
    expect(await find('?to=2020-01-01')).toEqual([])
  })

  test.each(['?cursor=x', '?cursor=W10', '?from=2026-02-01&to=2026-01-01', '?outcome=perhaps', '?limit=101'])(
    'refuses %s',
    async (query) => {
      expect((await it.call('GET', `/v1/resolutions${query}`, { key: owner.key })).status).toBe(400)
    },
  )
})

describe('two readings of a domain', () => {
  test('are compared: the words on the site, the register, the answer', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    const first = await ask(domain)
    const words = `© 2026 ${ALDER.name}. Registered number: ${ALDER.number}, registered in England and Wales.`
    it.web.setSite(domain, { pages: { '/': page(ALDER.name, words), '/legal': page('Legal', words) } })
    await putCompanies(it.app, [{ ...ALDER, postcode: 'LS1 4AP' }])
    const second = await readAgain(domain)
    await putCompanies(it.app, [ALDER])
    const path = `/v1/resolutions/${second.resolution_id}/changes`
    const { body } = await it.call('GET', path, { key: owner.key })
    expect(body).toMatchObject({
      domain,
      before: { resolution_id: first.resolution_id },
      after: { resolution_id: second.resolution_id },
      register: [{ name: 'postcode', before: ALDER.postcode, after: 'LS1 4AP' }],
      site: { unread: false },
    })
    expect(body.site.quotes.length).toBeGreaterThan(0)
    expect(body.site.pages.map(({ change }: { change: string }) => change)).toContain('changed')
    const same = await it.call('GET', `${path}?since=${second.resolution_id}`, { key: owner.key })
    expect(same.body).toMatchObject({ answer: [], register: [], site: { quotes: [], pages: [] } })
    const item = await it.call('GET', `/v1/resolutions/${second.resolution_id}`, { key: owner.key })
    expect(item.body.readings.map(({ resolution_id: id }: Entry) => id)).toEqual([
      second.resolution_id,
      first.resolution_id,
    ])
  })

  test('a site that could not be read lost no pages', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    await ask(domain)
    it.web.setSite(domain, { http: 'refused', https: 'refused' })
    const { resolution_id: id } = await readAgain(domain)
    const { body } = await it.call('GET', `/v1/resolutions/${id}/changes`, { key: owner.key })
    expect(body.site).toEqual({ quotes: [], pages: [], unread: true })
    expect(body.answer[0]).toEqual({ name: 'outcome', before: 'matched', after: 'scrape_failed' })
  })

  test('of two domains, or without an earlier one, are refused', async () => {
    const [one, another] = [await ask(publish(it.web, siteOf(ALDER))), await ask(publish(it.web, siteOf(ALDER)))]
    const path = `/v1/resolutions/${one.resolution_id}/changes`
    expect((await it.call('GET', path, { key: owner.key })).status).toBe(404)
    expect((await it.call('GET', `${path}?since=${another.resolution_id}`, { key: owner.key })).status).toBe(400)
  })
})

test('a match that was refunded stays in the list without its company, and its comparison is closed', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  const { resolution_id: id } = await ask(domain)
  it.web.setSite(domain, siteNaming(BRACKEN))
  const dispute = { key: owner.key, body: { reason: 'It is not them.' } }
  await it.call('POST', `/v1/resolutions/${id}/dispute`, dispute)
  await it.settle()
  const entry = (await readingsOf(domain)).find(({ resolution_id: one }) => one === id)
  expect(entry).toMatchObject({ refunded: true, company_number: null, company_name: null })
  expect((await it.call('GET', `/v1/resolutions/${id}/changes`, { key: owner.key })).status).toBe(404)
  const link = await it.call('POST', `/v1/resolutions/${id}/share-links`, { key: owner.key, body: {} })
  expect(link.status).toBe(404)
})

describe('a share link', () => {
  const share = async (id: string, days = 7) =>
    (await it.call('POST', `/v1/resolutions/${id}/share-links`, { key: owner.key, body: { days } })).body
  const open = (url: string) => it.visit('GET', new URL(url).pathname, {})

  test('shows the evidence to people without an account, and nothing of the account', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    const { resolution_id: id } = await ask(domain)
    const { url } = await share(id)
    const shown = await open(url)
    expect([shown.status, shown.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect([shown.headers.get('referrer-policy'), shown.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ])
    expect(shown.text).toContain(ALDER.number)
    expect(shown.text).not.toContain(owner.email)
    // With it, every account could read the evidence after the link is over.
    expect(shown.text).not.toContain(id)
    expect(shown.text).not.toMatch(/\b(?:res|job|evd|acc)_\w/)
    expect(JSON.stringify(shown.headers)).not.toContain(id)
    expect(it.logText()).not.toContain(new URL(url).pathname.split('/').at(-1))
    const rows = await it.app.db.query<{ text: string }>(
      'select string_agg(share_link::text, $1) as text from share_link',
      ['\n'],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toContain(url.split('/').at(-1))
  })

  test('is over on its day, and at once when it is revoked', async () => {
    const { resolution_id: id } = await ask(publish(it.web, siteOf(ALDER)))
    const [short, long] = [await share(id, 1), await share(id, 30)]
    it.clock.advance(DAY_SECONDS + 1)
    expect([(await open(short.url)).status, (await open(long.url)).status]).toEqual([404, 200])
    const revoked = await it.call('DELETE', `/v1/share-links/${long.id}`, { key: owner.key })
    expect([revoked.status, revoked.body.open]).toEqual([200, false])
    expect((await open(long.url)).status).toBe(404)
    expect((await it.call('DELETE', `/v1/share-links/${long.id}`, { key: owner.key })).body.revoked_at).toBe(
      revoked.body.revoked_at,
    )
    const { body } = await it.call('GET', `/v1/resolutions/${id}/share-links`, { key: owner.key })
    expect(body.data.map((link: { open: boolean }) => link.open)).toEqual([false, false])
    expect(JSON.stringify(body)).not.toContain('/shared/')
  })

  test('that was guessed opens nothing, and guessing is limited', async () => {
    const seen = new Set<number>()
    // Again where a slow machine gave the limit time to refill.
    for (let round = 0; round < 5 && !seen.has(429); round += 1) {
      const guesses = Array.from({ length: 80 }, (_, index) => `/shared/${String(index).padStart(43, 'x')}`)
      const replies = await Promise.all(guesses.map((path) => it.visit('GET', path, { ip: '203.0.113.91' })))
      for (const { status } of replies) seen.add(status)
    }
    expect(seen).toEqual(new Set([404, 429]))
  })

  test('is one of at most 20 that are open', async () => {
    const { resolution_id: id } = await ask(publish(it.web, siteOf(ALDER)))
    for (let made = 0; made < 20; made += 1) await share(id)
    const refused = await it.call('POST', `/v1/resolutions/${id}/share-links`, { key: owner.key, body: {} })
    expect(refused.body.code).toBe('plan_limit_reached')
  })
})

describe('other parts of the product lead to the answer', () => {
  test('the ledger names it, as it was when the credit was spent', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    const { resolution_id: id } = await ask(domain)
    await readAgain(domain)
    const { body } = await it.call('GET', '/v1/account/ledger?only=answers&limit=100', { key: owner.key })
    const spent = body.data.find(
      ({ subject, kind }: { subject: string; kind: string }) => subject === domain && kind === 'capture',
    )
    expect(spent).toMatchObject({
      resolution_id: id,
      resolution_url: new URL(`/console/resolutions/${id}`, it.config.siteUrl).href,
    })
  })

  test('so do the results of a bulk job and the event of a finished one', async () => {
    const domain = publish(it.web, siteOf(ALDER))
    const { received } = await receiveAnswers(it, owner)
    const { body: bulk } = await it.call('POST', '/v1/bulk', { key: owner.key, body: { domains: [domain] } })
    await it.settle()
    await expect.poll(() => readingsOf(domain)).toHaveLength(1)
    const [entry] = await readingsOf(domain)
    await expect
      .poll(async () => (await it.call('GET', `/v1/bulk/${bulk.id}/results?format=csv`, { key: owner.key })).text)
      .toContain(entry?.resolution_url)
    await expect.poll(() => JSON.stringify(received)).toContain(entry?.resolution_url)
  })
})

test('after six years an entry is deleted, and running the job again changes nothing', async () => {
  const account = await it.openAccount({ credits: 5 })
  await ask(publish(it.web, siteOf(ALDER)), account)
  await it.runJob(forgetHistoryJob)
  expect((await list('', account)).data).toHaveLength(1)
  await it.app.db.query(`update account_answer set at = at - interval '2193 days' where account_id = $1`, [account.id])
  for (let run = 0; run < 2; run += 1) await it.runJob(forgetHistoryJob)
  expect((await list('', account)).data).toEqual([])
})
