/** The API reference: a page for every group of operations, with members, examples that parse, and errors. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { toCall, toCurl, toJavaScript, toPython } from '../src/entry/site/docs/reference/calls.ts'
import { listSections, readDocument, type Schema } from '../src/entry/site/docs/reference/document.ts'
import { listFields } from '../src/entry/site/docs/reference/fields.ts'
import { describeInBrowser, EVERY_PAGE, expectGood, useChromium } from './setup/chromium.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()
const sections = listSections(readDocument())
const endpoints = sections.flatMap((section) => section.endpoints)
const calls = endpoints
  .filter(({ path }) => path !== null)
  .map((endpoint) => toCall(endpoint, 'https://api.example.com'))

test('the API reference allows no inline script on the origin of the session cookie', async () => {
  const policy = (await it.visit('GET', '/docs/api')).headers.get('content-security-policy') ?? ''
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'")
  expect(policy).not.toContain('unsafe-')
})

test('every operation and every member that it has is on the page of its group', async () => {
  expect(endpoints.length).toBeGreaterThan(60)
  const overview = (await it.visit('GET', '/docs/api')).text
  for (const { name, endpoints: own } of sections) {
    const { status, text } = await it.visit('GET', `/docs/api-${name.toLowerCase()}`)
    expect([name, status]).toEqual([name, 200])
    for (const { method, path } of own.filter((endpoint) => endpoint.path !== null)) {
      expect(text).toContain(`<code>${method} ${path}</code>`)
      expect(overview).toContain(`<code>${method} ${path}</code>`)
    }
  }
  const resolution = (await it.visit('GET', '/docs/api-resolution')).text
  for (const member of ['evidence[].quote', 'result.review_candidates[].reasons']) expect(resolution).toContain(member)
})

/** The contract, which `npm run contract` checks on a running service. */
const CONTRACT = [
  'POST /v1/enrich',
  'GET /v1/enrich/status/{job_id}',
  'POST /v1/resolve/domain',
  'POST /v1/resolve/company',
  'POST /v1/partner/enrich-company',
  'GET /v1/partner/enrich-company/{job_id}',
  'GET /v1/watchlist',
  'POST /v1/watchlist',
  'DELETE /v1/watchlist/{company_number}',
  'GET /v1/signals',
  'GET /v1/companies/{company_number}/signals',
  'GET /v1/partner/webhooks',
  'POST /v1/partner/webhooks',
  'DELETE /v1/partner/webhooks/{id}',
  'POST /v1/auth/signup',
  'POST /v1/auth/login',
  'GET /v1/auth/verify-email',
  'POST /v1/auth/forgot-password',
  'POST /v1/auth/reset-password',
  'POST /v1/auth/change-password',
  'GET /v1/auth/me',
  'GET /v1/companies/search',
  'GET /healthz',
  'POST /mcp',
]

test('the operations of the contract, and no others, are marked and labelled as stable', async () => {
  const stable = endpoints.filter(({ operation }) => operation['x-stable'])
  const names = stable.map(({ method, path }) => `${method} ${path}`)
  expect(names.toSorted()).toEqual(CONTRACT.toSorted())
  const LABEL = /<a href="\/docs\/changelog#what-we-promise" class="badge">stable<\/a>/g
  const pages = await Promise.all(
    ['api', ...sections.map(({ name }) => `api-${name.toLowerCase()}`)].map(
      async (slug) => (await it.visit('GET', `/docs/${slug}`)).text,
    ),
  )
  const [overview = 0, ...groups] = pages.map((text) => text.match(LABEL)?.length ?? 0)
  expect([overview, groups.reduce((sum, count) => sum + count, 0)]).toEqual([CONTRACT.length, CONTRACT.length])
  expect((await it.visit('GET', '/docs/changelog')).text).toMatch(/id="what-we-promise"[^]*x-stable[^]*id="1-0-0/)
})

test('a schema that contains itself ends', () => {
  const schemas: Record<string, Schema> = { Node: { properties: { next: { $ref: '#/components/schemas/Node' } } } }
  expect(listFields({ $ref: '#/components/schemas/Node' }, schemas).map(({ path }) => path)).toEqual(['next'])
})

describe('the example calls', () => {
  test('in JavaScript and Python are programs', () => {
    const compile = (text: string) => new Script(`async () => { ${text} }`)
    expect(calls.map(toJavaScript).map(compile)).toHaveLength(calls.length)
    const programs = JSON.stringify(calls.map(toPython))
    execFileSync('python3', ['-c', 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'], {
      input: programs,
    })
  })

  test('of curl work when they are pasted', async () => {
    const account = await it.openAccount()
    const endpoint = endpoints.find(({ path }) => path === '/v1/companies/search')
    if (!endpoint) throw new Error('no search in the document')
    const command = toCurl(toCall(endpoint, it.config.baseUrl.origin)).replace('curl', 'curl -s')
    const env = { ...process.env, NAMEPLATE_API_KEY: account.key }
    // The service runs in this process, which must not wait here.
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
    expect(JSON.parse(stdout)).toHaveProperty('data')
  })
})

describeInBrowser('in a browser', () => {
  const browser = useChromium()

  test.runIf(EVERY_PAGE).each(['/docs/api', '/docs/api-resolution', '/docs/proof'])(
    '%s is accessible, fits a phone and breaks no rule of its own policy',
    async (path) => {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
      const refused: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
      })
      await page.goto(new URL(path, it.config.siteUrl).href)
      await expectGood(page, `reference-${path.replaceAll('/', '-')}`)
      expect(refused).toEqual([])
      await page.close()
    },
  )
})
