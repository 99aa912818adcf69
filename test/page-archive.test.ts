/** The pages that answers quote: kept as they came, once for the same bytes, exported as WARC, deleted in time. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { ARCHIVE_KINDS } from '../proofs/chaos/tamper/archive-kinds.ts'
import type { SimulatedSite } from '../rig/web/index.ts'
import { changePlan } from '../src/accounts/index.ts'
import type { Db } from '../src/lib/db/db.ts'
import { expirePagesJob, findBody, listCaptures, verifyBodies } from '../src/page-archive/index.ts'
import { keepPagesLongerJob, sweepDomains, verifyCaptures } from '../src/resolution/index.ts'
import { ALDER, BRACKEN, newCompany, page, publish, siteNaming, siteOf, siteWithoutCompany } from './setup/companies.ts'
import { DAY_SECONDS, prepare, useTestService, WAIT } from './setup/harness.ts'

const directory = await mkdtemp(join(tmpdir(), 'nameplate-pages-'))
afterAll(() => rm(directory, { recursive: true }))

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 100 }))

async function resolve(domain: string, key = account.key) {
  const { body } = await it.call('POST', '/v1/resolve/domain', { key, headers: WAIT, body: { domain } })
  return body as { resolution_id: string; outcome: string; evidence: Array<{ url: string; content_sha256: string }> }
}

const capturesOf = (id: string) => listCaptures(it.app.db, id)
const countBodies = async () => (await it.app.db.query('select from page_body')).length

async function readWarc(file: Buffer) {
  const records = []
  for await (const record of WARCParser.iterRecords([file], { keepHeadersCase: true })) {
    const payload = Buffer.from(await record.readFully(true))
    records.push({ record, payload, type: record.warcType })
  }
  return records
}

/** Without any library: the members of the file and the block of each record. */
function readBlocks(file: Buffer) {
  const blocks: Array<{ head: string; block: Buffer }> = []
  let text = gunzipSync(file)
  while (text.length > 0) {
    const end = text.indexOf('\r\n\r\n')
    const head = text.subarray(0, end).toString()
    const length = Number(/^Content-Length: (\d+)$/m.exec(head)?.[1])
    blocks.push({ head, block: text.subarray(end + 4, end + 4 + length) })
    expect(text.subarray(end + 4 + length, end + 8 + length).toString()).toBe('\r\n\r\n')
    text = text.subarray(end + 8 + length)
  }
  return blocks
}

async function exportTo(subject: string): Promise<Buffer> {
  const path = join(directory, `${subject}-${Math.random()}.warc.gz`)
  const ran = await it.run('archive', 'export', subject, '--output', path)
  expect(ran).toMatchObject({ code: 0, stdout: `Wrote ${path}.\n` })
  return readFile(path)
}

const REFRESH = '<html><head><meta http-equiv="refresh" content="0; url=/en/"></head><body>One moment</body></html>'
const HOPS_MAX = 10

/** Opens an address as viewers of archives do: finds its response in the file and follows where it leads. */
async function replay(file: Buffer, address: string) {
  const responses = (await readWarc(file)).filter(({ type }) => type === 'response')
  let url = address
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const found = responses.find(({ record }) => record.warcTargetURI === url)
    if (!found) throw new Error(`${url} is not in the file`)
    const body = found.payload.toString()
    const { status, headers } = found.record.getResponseInfo() ?? {}
    const fields = new Headers([...(headers ?? [])] as Array<[string, string]>)
    const refresh = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(body)?.[1]
    const next = status === 200 ? refresh : (fields.get('location') ?? undefined)
    if (next === undefined) return { url, body }
    url = new URL(next, url).href
  }
  throw new Error('it never ends')
}

describe('an answer', () => {
  test('keeps the pages that it quotes, byte for byte, and no other page', async () => {
    const secret = page('News', 'A page about nothing in particular.')
    const { pages } = siteOf(ALDER)
    const domain = publish(it.web, { pages: { ...pages, '/news': secret, '/shop': secret } })
    const answer = await resolve(domain)
    const captures = await capturesOf(answer.resolution_id)
    const quoted = new Set(answer.evidence.map(({ url }) => url))
    expect(captures.length).toBeGreaterThan(0)
    expect(new Set(captures.map(({ url }) => url))).toEqual(quoted)
    for (const { url, sha256 } of captures) {
      const body = await findBody(it.app, sha256)
      expect(body?.toString()).toBe(pages?.[new URL(url).pathname])
      expect(answer.evidence.some((item) => item.content_sha256 === sha256)).toBe(true)
    }
    const { findings } = (
      await it.app.db.query<{ findings: { crawl: { pages: object[] } } }>(
        'select findings from resolution where id = $1',
        [answer.resolution_id],
      )
    )[0] as { findings: { crawl: { pages: object[] } } }
    expect(findings.crawl.pages.length).toBeGreaterThan(captures.length)
  })

  test('has the request as it was sent and the response as it came, also where the page was compressed', async () => {
    const company = await newCompany(it)
    const { pages = {} } = siteOf(company)
    const seen: string[] = []
    const site: SimulatedSite = {
      serve: (request, response) => {
        const text = String(pages[request.url ?? ''] ?? '')
        if (text === '') return void response.writeHead(404).end()
        if (request.url === '/') {
          const pairs = request.rawHeaders.flatMap((name, index, all) =>
            index % 2 ? [] : [`${name}: ${all[index + 1]}\r\n`],
          )
          seen.push(`${request.method} ${request.url} HTTP/${request.httpVersion}\r\n${pairs.join('')}\r\n`)
        }
        response.writeHead(200, 'Quite fine', [
          ['Content-Type', 'text/html; charset=utf-8'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['Content-Encoding', 'gzip'],
        ])
        response.end(gzipSync(text))
      },
    }
    it.web.setSite(company.domain, site)
    const { resolution_id: id } = await resolve(company.domain)
    const home = (await capturesOf(id)).find(({ url }) => url === `https://${company.domain}/`)
    expect(seen).toContain(home?.request)
    expect(home?.response).toMatch(
      /^HTTP\/1\.1 200 Quite fine\r\nContent-Type: text\/html; charset=utf-8\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Encoding: gzip\r\n/,
    )
    expect(home?.ip).toMatch(/^45\.\d+\.\d+\.\d+$/)

    const records = await readWarc(await exportTo(id))
    const replayed = records.find(({ record, type }) => type === 'response' && record.warcTargetURI === home?.url)
    expect(replayed?.payload.toString()).toBe(pages['/'])
    const { headers } = replayed?.record.getResponseInfo() ?? {}
    const fields = Object.fromEntries(headers ?? [])
    expect(fields).toMatchObject({
      'X-Archive-Orig-Content-Encoding': 'gzip',
      'Content-Length': String(Buffer.byteLength(String(pages['/']))),
    })
    expect(fields['Content-Encoding']).toBeUndefined()
    expect(fields['Transfer-Encoding']).toBeUndefined()
  })

  test('that quotes nothing keeps nothing', async () => {
    const { resolution_id: id } = await resolve(publish(it.web, siteWithoutCompany()))
    expect(await capturesOf(id)).toEqual([])
    const ran = await it.run('archive', 'export', id)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('No page is kept for it.')
  })

  test('of a person to decide keeps its pages too', async () => {
    const answer = await resolve(publish(it.web, siteNaming(BRACKEN)))
    expect(answer.outcome).toBe('needs_review')
    expect((await capturesOf(answer.resolution_id)).length).toBeGreaterThan(0)
  })

  test('about another site has the page of that site: a rival’s words are kept with both answers', async () => {
    const company = await newCompany(it)
    const strange = `quick-offers-${company.number}.com`
    it.web.setSite(strange, siteOf(company))
    const own = await resolve(company.domain)
    const copied = await resolve(strange)
    expect(copied.outcome).toBe('needs_review')
    const rivalUrl = `https://${company.domain}/`
    expect(copied.evidence.map(({ url }) => url)).toContain(rivalUrl)
    const kept = await capturesOf(copied.resolution_id)
    expect(kept.map(({ url }) => url)).toContain(rivalUrl)
    expect(kept.every(({ domain }) => domain === strange)).toBe(true)
    expect((await capturesOf(own.resolution_id)).map(({ url }) => url)).toContain(rivalUrl)
  })
})

test('an answer that is replaced because another site proves to fit better keeps its pages, with those of the other', async () => {
  const company = await newCompany(it)
  const strange = `late-offers-${company.number}.com`
  it.web.setSite(strange, siteOf(company))
  const first = await resolve(strange)
  expect(first.outcome).toBe('matched')
  await resolve(company.domain)
  const replaced = await resolve(strange)
  expect(replaced.resolution_id).not.toBe(first.resolution_id)
  expect(replaced.outcome).toBe('needs_review')
  const before = (await capturesOf(first.resolution_id)).map(({ url, sha256 }) => `${url} ${sha256}`)
  const after = (await capturesOf(replaced.resolution_id)).map(({ url, sha256 }) => `${url} ${sha256}`)
  expect(after).toEqual(expect.arrayContaining(before))
  expect(replaced.evidence.map(({ url }) => url)).toContain(`https://${company.domain}/`)
  expect(after.some((one) => one.startsWith(`https://${company.domain}/ `))).toBe(true)
})

test('a reading of a list brings its pages along when a customer asks, without reading the site again', async () => {
  const domain = publish(it.web, siteNaming(BRACKEN))
  const list = { name: 'list', everyDays: null, onProgress: () => undefined }
  await sweepDomains(it.app, Readable.from([domain]), { ...list, signal: AbortSignal.timeout(30_000) })
  const requests = it.web.stats.byHost.get(domain)
  expect(await it.app.db.query('select from page_capture where domain = $1', [domain])).toEqual([])
  const answer = await resolve(domain)
  expect(it.web.stats.byHost.get(domain)).toBe(requests)
  const captures = await capturesOf(answer.resolution_id)
  expect(new Set(captures.map(({ url }) => url))).toEqual(new Set(answer.evidence.map(({ url }) => url)))
  expect(captures.length).toBeGreaterThan(0)
  for (const { sha256 } of captures) expect(await findBody(it.app, sha256)).not.toBeNull()
})

test('pages of a domain that are deleted do not come back with the reading of a list', async () => {
  const domain = publish(it.web, siteNaming(BRACKEN))
  const list = { name: 'list', everyDays: null, onProgress: () => undefined }
  await sweepDomains(it.app, Readable.from([domain]), { ...list, signal: AbortSignal.timeout(30_000) })
  const deleted = await it.run('archive', 'delete', domain, '--json')
  expect(JSON.parse(deleted.stdout)).toMatchObject({ domain, pages: 0 })
  expect(await it.app.db.query('select from sweep_reading where domain = $1', [domain])).toEqual([])
  const requests = it.web.stats.byHost.get(domain) ?? 0
  expect((await resolve(domain)).evidence.length).toBeGreaterThan(0)
  expect(it.web.stats.byHost.get(domain)).toBeGreaterThan(requests)
})

test('the same page of two sites is stored once', async () => {
  const site = siteOf(ALDER)
  const first = await resolve(publish(it.web, site))
  const bodies = await countBodies()
  const second = await resolve(publish(it.web, site))
  const [one, two] = await Promise.all([capturesOf(first.resolution_id), capturesOf(second.resolution_id)])
  expect(two.map(({ sha256 }) => sha256)).toEqual(one.map(({ sha256 }) => sha256))
  expect(await countBodies()).toBe(bodies)
})

test('sites with the same page that are read at the same time are all answered, and their page is there', async () => {
  const shared = siteOf(ALDER)
  const domains = Array.from({ length: 8 }, () => publish(it.web, shared))
  const answers = await Promise.all(domains.map((domain) => resolve(domain)))
  for (const { resolution_id: id, outcome } of answers) {
    expect(outcome).toBe('matched')
    const [capture] = await capturesOf(id)
    expect(await findBody(it.app, capture?.sha256 ?? '')).not.toBeNull()
  }
})

describe('the WARC file', () => {
  test('of an answer is read by another library, has digests that hold, and is the same each time', async () => {
    const answer = await resolve(publish(it.web))
    const captures = await capturesOf(answer.resolution_id)
    const file = await exportTo(answer.resolution_id)
    expect((await exportTo(answer.resolution_id)).equals(file)).toBe(true)
    const records = await readWarc(file)
    expect(records.map(({ type }) => type)).toEqual(['warcinfo', ...captures.flatMap(() => ['response', 'request'])])
    for (const { record, payload } of records.filter(({ type }) => type === 'response')) {
      const capture = captures.find(({ url }) => url === record.warcTargetURI)
      const digest = createHash('sha256').update(payload).digest('hex')
      expect(digest).toBe(capture?.sha256)
      expect(record.warcPayloadDigest).toBe(`sha256:${digest}`)
      expect(record.warcDate).toBe(capture?.fetchedAt.toISOString())
      expect(record.warcHeader('WARC-IP-Address')).toBe(capture?.ip)
      expect(record.httpHeaders?.statusCode).toBe(200)
    }
    for (const { record } of records.filter(({ type }) => type === 'request')) {
      const [responseId] = record.warcConcurrentTo ?? []
      expect(records.some((other) => other.record.warcHeader('WARC-Record-ID') === responseId)).toBe(true)
    }
    const ids = records.map(({ record }) => record.warcHeader('WARC-Record-ID'))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { head, block } of readBlocks(file)) {
      const stated = /^WARC-Block-Digest: sha256:(\w+)$/m.exec(head)?.[1]
      expect(createHash('sha256').update(block).digest('hex')).toBe(stated)
    }
  })

  test('leads from the address that was asked to the quoted page, redirect by redirect', async () => {
    const company = await newCompany(it)
    const [asked, moved] = [`asked-${company.number}.co.uk`, `moved-${company.number}.co.uk`]
    const { pages = {} } = siteOf(company)
    const home = String(pages['/'])
    const long = 'x'.repeat(40_000)
    it.web.setSite(asked, {
      www: 'redirect',
      pages: {},
      redirects: { '/': { to: `https://${moved}/start`, status: 302 } },
    })
    it.web.setSite(moved, {
      serve: ({ url }, response) => {
        if (url === '/start') return void response.writeHead(301, 'Gone there', { location: '/hop' }).end(long)
        if (url === '/hop') return void response.writeHead(200, { 'content-type': 'text/html' }).end(REFRESH)
        if (url === '/en/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(home)
        if (url === '/old') return void response.writeHead(301, { location: '/en/' }).end()
        response.writeHead(404).end()
      },
    })
    const { resolution_id: id, evidence } = await resolve(asked)
    expect(evidence.map(({ url }) => url)).toContain(`https://${moved}/en/`)
    const captures = await capturesOf(id)
    expect(captures.map(({ url, status, leadsTo }) => [url, status, leadsTo])).toEqual([
      [`https://${asked}/`, 302, `https://${moved}/en/`],
      [`https://${moved}/start`, 301, `https://${moved}/en/`],
      [`https://${moved}/hop`, 200, `https://${moved}/en/`],
      [`https://${moved}/en/`, 200, null],
    ])
    expect(captures[1]?.response).toMatch(/^HTTP\/1\.1 301 Gone there\r\nlocation: \/hop\r\n/i)
    expect(captures[1]).toMatchObject({ bytes: 16_384, isCut: true })

    const file = await exportTo(id)
    expect(await replay(file, `https://${asked}/`)).toEqual({ url: `https://${moved}/en/`, body: home })
    const again = await resolve(asked)
    expect(again.resolution_id).toBe(id)
    await it.run('archive', 'delete', asked)
    expect(await capturesOf(id)).toEqual([])
  })

  test('has the redirects to the home page of a site also where another page of it is quoted', async () => {
    const company = await newCompany(it)
    const domain = `wide-${company.number}.co.uk`
    const { pages = {} } = siteOf(company)
    it.web.setSite(domain, {
      www: 'canonical',
      pages: {
        '/': page('Welcome', '<a href="/imprint">Legal notice</a> We make things.'),
        '/legal': String(pages['/']),
      },
      redirects: { '/imprint': '/legal' },
    })
    const { resolution_id: id } = await resolve(domain)
    expect((await capturesOf(id)).map(({ url, leadsTo }) => [url, leadsTo])).toEqual([
      [`https://${domain}/`, `https://www.${domain}/`],
      [`https://www.${domain}/imprint`, `https://www.${domain}/legal`],
      [`https://www.${domain}/legal`, null],
    ])
  })

  test('of a domain has the pages of all its answers', async () => {
    const domain = publish(it.web)
    await resolve(domain)
    const records = await readWarc(await exportTo(domain))
    expect(records.filter(({ type }) => type === 'response').length).toBeGreaterThan(0)
  })
})

describe('over the API', () => {
  const open = (id: string) =>
    fetch(new URL(`/v1/resolutions/${id}/archive`, it.config.baseUrl), { headers: { 'x-api-key': account.key } })

  test('the WARC file is the one of the command, for those who have the id', async () => {
    const { resolution_id: id } = await resolve((await newCompany(it)).domain)
    const { status } = await it.call('GET', `/v1/resolutions/${id}/archive`, { key: account.key })
    expect(status).toBe(200)
    const response = await open(id)
    expect(response.headers.get('content-type')).toBe('application/warc')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.warc.gz"`)
    expect(Buffer.from(await response.arrayBuffer()).equals(await exportTo(id))).toBe(true)
  })

  test('an answer without kept pages is 404, and says where its quotes are', async () => {
    const { resolution_id: id } = await resolve(publish(it.web, siteWithoutCompany()))
    const { status, body } = await it.call('GET', `/v1/resolutions/${id}/archive`, { key: account.key })
    expect(status).toBe(404)
    expect(body.detail).toContain('The evidence pack has its quotes')
    const other = await it.call('GET', `/v1/resolutions/${id}/archive`, { key: account.testKey })
    expect(other.status).toBe(404)
    const long = await it.call('GET', `/v1/resolutions/${'x'.repeat(65)}/archive`, { key: account.key })
    expect(long.status).toBe(400)
  })
})

describe('pages', () => {
  test('are deleted by domain, and a body that another site has too stays', async () => {
    const site = siteOf(BRACKEN)
    const [gone, stays] = [publish(it.web, site), publish(it.web, site)]
    const [first, second] = [await resolve(gone), await resolve(stays)]
    const [capture] = await capturesOf(first.resolution_id)
    const ran = await it.run('archive', 'delete', gone, '--json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ domain: gone, bodies: 0 })
    expect(await capturesOf(first.resolution_id)).toEqual([])
    expect(await findBody(it.app, capture?.sha256 ?? '')).not.toBeNull()
    const again = await it.run('archive', 'delete', stays, '--json')
    expect(JSON.parse(again.stdout).bodies).toBeGreaterThan(0)
    expect(await capturesOf(second.resolution_id)).toEqual([])
    expect(await findBody(it.app, capture?.sha256 ?? '')).toBeNull()
    const pack = await it.call('GET', `/v1/resolutions/${first.resolution_id}/evidence`, { key: account.key })
    expect(pack.status).toBe(200)
  })

  test('are verified: a page that was changed or is missing is named, with what to do', async () => {
    const company = await newCompany(it)
    const { resolution_id: id } = await resolve(company.domain)
    const fine = await it.run('archive', 'verify', '--json')
    expect(fine.code).toBe(0)
    expect(JSON.parse(fine.stdout)).toMatchObject({ missing: 0, damaged: 0, unreachable: 0, unquoted: 0 })
    expect(JSON.parse(fine.stdout).pages).toBeGreaterThan(0)
    const [capture] = await capturesOf(id)
    const change = (sql: string) =>
      it.app.db.query(`update page_body set content = ${sql} where sha256 = decode($1, 'hex') returning content`, [
        capture?.sha256,
      ])
    const [before] = await it.app.db.query<{ content: Buffer }>(
      `select content from page_body where sha256 = decode($1, 'hex')`,
      [capture?.sha256],
    )
    await change(`set_byte(content, length(content) / 2, 255 - get_byte(content, length(content) / 2))`)
    const damaged = await it.run('archive', 'verify', '--json')
    expect(damaged.code).toBe(1)
    const report = JSON.parse(damaged.stdout)
    expect(report).toMatchObject({ missing: 0, damaged: 1 })
    expect(report.examples[0]).toContain(capture?.sha256)
    expect(damaged.stderr).toContain('bring the file back from a backup')
    await expect(findBody(it.app, capture?.sha256 ?? '')).rejects.toThrow()
    await it.app.db.query(`update page_body set content = $2 where sha256 = decode($1, 'hex')`, [
      capture?.sha256,
      before?.content,
    ])
    expect((await it.run('archive', 'verify')).code).toBe(0)
  })

  test('of a known answer that costs nothing stay as long as the plan of each account that got it says, also when workers were away', async () => {
    const paying = await it.openAccount({ credits: 5 })
    await changePlan(it.app, { accountId: paying.id, plan: 'growth' })
    const domain = publish(it.web, siteNaming(BRACKEN))
    const { resolution_id: id } = await resolve(domain)
    const known = await resolve(domain, paying.key)
    expect(known).toMatchObject({ resolution_id: id, outcome: 'needs_review' })
    const daysLeft = async () => {
      const left = (await capturesOf(id)).map(({ keptUntil }) => keptUntil.getTime() - it.clock.now().getTime())
      return Math.round(Math.min(...left) / 1_000 / DAY_SECONDS)
    }
    expect(await daysLeft()).toBe(366)
    it.clock.advance(7 * DAY_SECONDS)
    await it.runJob(keepPagesLongerJob)
    expect(await daysLeft()).toBe(2_196 - 7)
  })

  test('of a sealed answer stay as long as those of a match, from the day of sealing', async () => {
    const paying = await it.openAccount({ credits: 5 })
    await changePlan(it.app, { accountId: paying.id, plan: 'growth' })
    const { resolution_id: id } = await resolve(publish(it.web, siteNaming(BRACKEN)), paying.key)
    const { resolution_id: unsealed } = await resolve(publish(it.web, siteNaming(BRACKEN)), paying.key)
    it.clock.advance(300 * DAY_SECONDS)
    const sealed = await it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key: paying.key })
    expect(sealed.status).toBe(201)
    const daysLeft = async (one: string) => {
      const left = (await capturesOf(one)).map(({ keptUntil }) => keptUntil.getTime() - it.clock.now().getTime())
      return Math.round(Math.min(...left) / 1_000 / DAY_SECONDS)
    }
    expect([await daysLeft(id), await daysLeft(unsealed)]).toEqual([2_196, 66])
    it.clock.advance(10 * DAY_SECONDS)
    const again = await it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key: paying.key })
    expect([again.status, again.body.id]).toEqual([200, sealed.body.id])
    expect(await daysLeft(id)).toBe(2_196)
  })

  test.each(ARCHIVE_KINDS)('that were swapped in the database are found: $name', async ({ expected, change }) => {
    const companies = [await newCompany(it), await newCompany(it)]
    for (const { domain } of companies) await resolve(domain)
    const look = async (db: Db) => {
      const app = { ...it.app, db: db as typeof it.app.db }
      const { damaged } = await verifyBodies(app, () => undefined)
      const { unquoted, altered, unanswered } = await verifyCaptures(db, () => undefined)
      return { damaged, unquoted, altered, unanswered }
    }
    expect(await look(it.app.db)).toEqual({ damaged: 0, unquoted: 0, altered: 0, unanswered: 0 })
    const changed = it.app.db.transaction(async (tx) => {
      await change(tx)
      throw new Error(`found: ${(await look(tx))[expected]}`)
    })
    await expect(changed).rejects.toThrow('found: 1')
  })

  test('expire after a time that the outcome and the plan decide', async () => {
    const paying = await it.openAccount({ credits: 5 })
    await changePlan(it.app, { accountId: paying.id, plan: 'growth' })
    const [free, paid, shared] = await Promise.all([newCompany(it), newCompany(it), newCompany(it)])
    const ids = [
      (await resolve(free.domain)).resolution_id,
      (await resolve(paid.domain, paying.key)).resolution_id,
      (await resolve(shared.domain)).resolution_id,
    ]
    // The known answer is given to another account, with another plan.
    await resolve(shared.domain, paying.key)
    await it.runJob(keepPagesLongerJob)
    await it.runJob(keepPagesLongerJob)
    const isKept = () => Promise.all(ids.map(async (id) => (await capturesOf(id)).length > 0))
    it.clock.advance(360 * DAY_SECONDS)
    await it.runJob(expirePagesJob)
    expect(await isKept()).toEqual([true, true, true])
    it.clock.advance(10 * DAY_SECONDS)
    await it.runJob(expirePagesJob)
    expect(await isKept()).toEqual([false, true, true])
    it.clock.advance(6 * 366 * DAY_SECONDS)
    await it.runJob(expirePagesJob)
    await it.runJob(expirePagesJob)
    expect(await isKept()).toEqual([false, false, false])
    expect(await countBodies()).toBe(0)
  })
})
