/** Lists that an operator brings: companies' domains from elsewhere, and domains to be read in the background. */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { importLinks, sweepDomains } from '../src/resolution/index.ts'
import type { Service } from '../src/service.ts'
import {
  ALDER,
  BRACKEN,
  publish,
  siteNaming,
  siteOf,
  siteWithoutCompany,
  whileNoWorkEnds,
  whileRegisterIsBroken,
} from './setup/companies.ts'
import { prepare, startCommand, startWorkerOf, useTestService, WAIT } from './setup/harness.ts'

// Workers come and go as a test says; one that stops gives what it is at a second to end.
const it = useTestService({ companies: [ALDER, BRACKEN], work: false, shutdownGraceSeconds: 1 })
const account = prepare(() => it.openAccount({ credits: 100 }))
const folder = mkdtempSync(join(tmpdir(), 'nameplate-lists-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
})

const workers: Service[] = []
async function startWorker(): Promise<void> {
  workers.push(await startWorkerOf(it))
}

let files = 0
async function write(text: string | Uint8Array): Promise<string> {
  files += 1
  const path = join(folder, `list-${files}.csv`)
  await writeFile(path, text)
  return path
}
const listLinks = () =>
  it.app.db.query('select company_number, domain, source from company_link order by company_number, domain, source')
const askFor = ({ number }: { number: string }) =>
  it.call('POST', '/v1/resolve/company', {
    key: account.key,
    body: { company_number: number },
    headers: WAIT,
  })

describe('nameplated links import', () => {
  test('says which columns are missing, and that there is no such file', async () => {
    const path = await write('number,website\n07214938,a.co.uk\n')
    const [header, missing] = await Promise.all([
      it.run('links', 'import', path),
      it.run('links', 'import', join(folder, 'not-there.csv')),
    ])
    expect([header.code, header.stderr]).toEqual([1, expect.stringContaining('Missing: company_number, domain.')])
    await expect(importLinks(it.app, Readable.from(['\n']), { source: 'x' })).rejects.toThrow(
      /Missing: company_number, domain/,
    )
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no file')])
    expect(await listLinks()).toEqual([])
  })

  test('takes what it can read, counts and shows what it cannot; a second time adds nothing', async () => {
    const path = await write(
      [
        '\uFEFFDomain,SOURCE,company_number,note',
        'https://www.Harrowgill.co.uk/about,wikidata,5820417,"of old, ""renamed"""',
        'info@harrowgill.com,,05820417,',
        'harrowgill.com,imported,05820417,the same again',
        'harrowgill.com,charities,05820417,',
        '',
        'harrowgill.org.uk,wikidata,NOT A NUMBER,',
        'facebook.com/harrowgill,wikidata,05820417,',
        'localhost,wikidata,05820417,',
        'short',
      ].join('\r\n'),
    )
    const first = await it.run('links', 'import', path, '--json')
    expect(first.code).toBe(0)
    const report = JSON.parse(first.stdout)
    expect(report).toMatchObject({ rows: 8, added: 3, known: 1, bad: 4 })
    expect(report.badLines).toEqual([
      'row 5: “NOT A NUMBER” is not a company number',
      expect.stringMatching(/^row 6: facebook\.com is a social network/),
      expect.stringMatching(/^row 7: .*a reserved name/),
      expect.stringMatching(/^row 8: “” is not a company number/),
    ])
    const links = [
      { company_number: BRACKEN.number, domain: 'harrowgill.co.uk', source: 'wikidata' },
      { company_number: BRACKEN.number, domain: 'harrowgill.com', source: 'charities' },
      { company_number: BRACKEN.number, domain: 'harrowgill.com', source: 'imported' },
    ]
    expect(await listLinks()).toEqual(links)
    const again = await it.run('links', 'import', path)
    expect(again.stdout).toMatch(/^rows +8\nadded +0\nknown +4\nbad +4\nrow 5: /)
    expect(await listLinks()).toEqual(links)
  })

  test('a list of thousands is taken whole, and of many bad rows the first are shown', async () => {
    const rows = Array.from({ length: 2_500 }, (_, row) => `${10_000_000 + row},many-links-${row}.co.uk`)
    const bad = Array.from({ length: 30 }, () => 'x,y')
    const lines = ['company_number,domain', ...rows, ...bad].map((line) => `${line}\n`)
    const report = await importLinks(it.app, Readable.from(lines), { source: 'pay gap' })
    expect(report).toMatchObject({ rows: 2_530, added: 2_500, known: 0, bad: 30 })
    expect(report.badLines).toHaveLength(20)
    const count = `select count(*)::int as links from company_link where source = 'pay gap'`
    expect(await it.app.db.query(count)).toEqual([{ links: 2_500 }])
  })

  test('a site that no name suggests is found by its link and verified; a link that lies is not believed', async () => {
    const [own, lie] = [publish(it.web, siteOf(ALDER)), publish(it.web, siteWithoutCompany())]
    const list = `company_number,domain\n${ALDER.number},${own}\n${BRACKEN.number},${lie}\n`
    await importLinks(it.app, Readable.from([list]), { source: 'wikidata' })
    await startWorker()
    const [found, lost] = await Promise.all([askFor(ALDER), askFor(BRACKEN)])
    expect(found.body.website).toMatchObject({ status: 'verified', domain: own, charge_reason: 'verified' })
    expect(found.body.website.tried).toEqual([{ domain: own, source: 'wikidata', outcome: 'matched' }])
    expect(lost.body.website).toMatchObject({ status: 'not_found', domain: null, charged: false })
    expect(lost.body.website.tried).toContainEqual({ domain: lie, source: 'wikidata', outcome: 'no_match' })
  })
})

describe('nameplated sweep', () => {
  const listReading = () =>
    it.app.db.query<{ domain: string }>(`select domain from sweep_domain where state = 'reading'`)
  const listKnown = async (domains: string[]) => {
    const rows = await it.app.db.query<{ domain: string }>('select domain from known_domain where domain = any ($1)', [
      domains,
    ])
    return rows.map(({ domain }) => domain).sort()
  }
  const hurryRetries = () =>
    it.app.db.query(`update sweep_domain set due_at = $1 where state = 'waiting'`, [it.clock.now()])
  /** The same without a process of its own. */
  const sweep = (domains: string[], stop = new AbortController()) =>
    sweepDomains(it.app, Readable.from(domains), {
      name: 'test',
      onProgress: () => undefined,
      signal: stop.signal,
    })

  test('reads what is new, leaves out what is not, and its figures add up', async () => {
    await startWorker()
    const [own, named, unnamed, known, gone] = [
      publish(it.web, siteOf(ALDER)),
      publish(it.web, siteNaming(BRACKEN)),
      publish(it.web, siteWithoutCompany()),
      publish(it.web, siteOf(ALDER)),
      'not-there-at-all.co.uk',
    ]
    await it.call('POST', '/v1/enrich', { key: account.key, body: { domain: known }, headers: WAIT })
    const before = it.web.stats.byHost.get(known)
    const path = await write(
      [
        '\uFEFFDomain,Company',
        `https://www.${own}/about,Alderfinch`,
        own.toUpperCase(),
        `"${named}";x`,
        '# a remark',
        '',
        `${unnamed}\tx`,
        gone,
        known,
        'no domain at all',
        'ann@gmail.com',
        '192.0.2.7',
      ].join('\r\n'),
    )
    const swept = await it.run('sweep', path, '--json')
    expect([swept.code, swept.stderr]).toEqual([0, ''])
    expect(JSON.parse(swept.stdout)).toEqual({
      read: 9,
      invalid: 3,
      repeated: 1,
      known: 1,
      outcomes: { matched: 1, needs_review: 1, no_match: 1, scrape_failed: 1 },
      failed: 0,
      underWay: 0,
    })
    expect(it.web.stats.byHost.get(known)).toBe(before)
    const requests = it.web.stats.requests
    const again = await it.run('sweep', path)
    expect(again.stdout).toMatch(
      /^read +9\ninvalid +3\nrepeated +1\nknown +5\noutcomes +\{\}\nfailed +0\nunderWay +0\n$/,
    )
    expect(it.web.stats.requests).toBe(requests)
    expect(await it.app.db.query('select from resolution_job where subject = $1', [own])).toEqual([])
  })

  test('after Ctrl-C the list is read all the same', async () => {
    const domains = Array.from({ length: 5 }, () => publish(it.web))
    await startWorker()
    const first = await whileNoWorkEnds(it.app, async () => {
      const list = await write(domains.join('\n'))
      const { child, ended } = startCommand(it.config, ['sweep', list, '--json'])
      await expect.poll(listReading, { timeout: 20_000 }).toHaveLength(5)
      child.kill('SIGINT')
      return ended
    })
    expect([first.code, JSON.parse(first.stdout)]).toEqual([
      0,
      { read: 5, invalid: 0, repeated: 0, known: 0, outcomes: {}, failed: 0, underWay: 5 },
    ])
    await expect.poll(() => listKnown(domains), { timeout: 30_000 }).toEqual([...domains].sort())
    await expect.poll(listReading).toEqual([])
    expect(await sweep(domains)).toMatchObject({ read: 5, known: 5, outcomes: {}, failed: 0, underWay: 0 })
  })

  test('a domain whose attempts are spent is counted as failed, and tried again by the next sweep', async () => {
    const domain = publish(it.web)
    const swept = sweep([domain])
    await whileRegisterIsBroken(it.app, async () => {
      await startWorker()
      const hurry = setInterval(() => void hurryRetries().catch(() => undefined), 100)
      expect(await swept).toMatchObject({ read: 1, outcomes: {}, failed: 1, underWay: 0 })
      clearInterval(hurry)
    })
    expect(await sweep([domain])).toMatchObject({ read: 1, outcomes: { matched: 1 }, failed: 0 })
  })

  test('a list of hundreds of lines is read to its end, and what is repeated is not read twice', async () => {
    await startWorker()
    const domain = publish(it.web)
    const lines = Array.from({ length: 600 }, (_, line) => (line % 2 === 0 ? domain : 'not a domain'))
    const report = await sweep(lines)
    expect(report).toMatchObject({ read: 600, invalid: 300, outcomes: { matched: 1 }, failed: 0, underWay: 0 })
    expect(report.repeated + report.known).toBe(299)
  })

  test('a customer is served while a list has taken all the slots that it may', async () => {
    const hanging = Array.from({ length: 45 }, () => publish(it.web, { http: 'hang', https: 'hang' }))
    const stop = new AbortController()
    const swept = sweep(hanging, stop)
    await startWorker()
    await expect.poll(listReading, { timeout: 20_000 }).toHaveLength(28)
    const domain = publish(it.web)
    const waiting = it.call('POST', '/v1/enrich', { key: account.key, body: { domain }, headers: WAIT })
    expect((await waiting).body.result.match_status).toBe('matched')
    // Each of these takes 12 seconds: behind them this one would still wait.
    expect(await it.app.db.query(`select from sweep_domain where state = 'waiting'`)).not.toEqual([])
    stop.abort()
    expect(await swept).toMatchObject({ read: 45 })
  })

  test('refuses a file that is not there, and a number that is none', async () => {
    const [missing, wrong] = await Promise.all([
      it.run('sweep', join(folder, 'not-there.txt')),
      it.run('sweep', await write('a.co.uk'), '--every', '0'),
    ])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no file')])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('whole number')])
  })
})
