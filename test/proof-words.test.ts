/** An answer explains its proof: quotes with their facts, reasons against other candidates, sites that were not read. */
import { describe, expect, test } from 'vitest'
import type { SimulatedSite } from '../rig/web/index.ts'
import { ALDER, BRACKEN, page, publish, siteOf } from './setup/companies.ts'
import { createPlainCall, prepare, useTestService } from './setup/harness.ts'
import { toToolResult, useAgent } from './setup/mcp-client.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 100 }))
const agent = useAgent(it, () => account.key)

async function resolve(site: SimulatedSite) {
  const body = { domain: publish(it.web, site) }
  return (await it.call('POST', '/v1/resolve/domain', { key: account.key, body, headers: { prefer: 'wait=30' } })).body
}
const packOf = async (id: string) => (await it.call('GET', `/v1/resolutions/${id}/evidence`, account)).body
async function askAgent(domain: string) {
  const call = await agent.client.callTool({ name: 'find_company_behind_domain', arguments: { domain } })
  return toToolResult(call).text
}

const FILLER = 'All prices include delivery to the mainland, which takes three to five working days, '.repeat(8)

test('a quote that claims the registered office is not cut before it', async () => {
  const words = `© 2026 ${ALDER.name}, company number ${ALDER.number}, ${FILLER} registered office: 1 Mill Lane, Ripon, ${ALDER.postcode}.`
  const { evidence, outcome } = await resolve({
    pages: { '/': page(ALDER.name, words), '/legal': page('Legal', words) },
  })
  expect(outcome).toBe('matched')
  for (const fact of [ALDER.name, ALDER.number, ALDER.postcode]) expect(evidence[0].quote).toContain(fact)
  expect(evidence[0].quote.length).toBeLessThan(400)
})

test('an office that stands elsewhere on the site than the number is a quote of its own', async () => {
  const number = `© 2026 ${ALDER.name}. Company number ${ALDER.number}.`
  const office = `Visit us at 1 Mill Lane, Ripon, ${ALDER.postcode}.`
  const { evidence } = await resolve({
    pages: { '/': page(ALDER.name, number), '/contact': page('Contact', office), '/legal': page('Legal', number) },
  })
  const item = evidence.find(({ kind }: { kind: string }) => kind === 'registered_office')
  expect(item).toMatchObject({ supports: ALDER.number, strength: 'supporting' })
  expect(item.quote).toContain(ALDER.postcode)
  expect(item.url).toMatch(/contact$/)
})

describe('a company that is not chosen', () => {
  test('has reasons against it, and none in its favour', async () => {
    const words = `© 2026 ${ALDER.name}. ${ALDER.name} runs this site. Company number ${ALDER.number}.`
    const news = `In the year 2019 we made a desk for ${BRACKEN.name} (company number ${BRACKEN.number}).`
    const { resolution_id: id, outcome } = await resolve({
      pages: { '/': page(ALDER.name, words), '/legal': page('Legal', `${words} ${news}`) },
    })
    const { considered } = await packOf(id)
    const other = considered.find((one: { company_number: string }) => one.company_number === BRACKEN.number)
    expect([outcome, other.says]).toEqual([
      'matched',
      expect.stringMatching(/but not as|as another party|as related to/),
    ])
  })
})

describe('a site that refused us', () => {
  test('is described as unread at every endpoint, and not as one that names nobody', async () => {
    const site = { responses: { '/': { status: 403, body: '<h1>Forbidden</h1>' } } }
    const words = 'The site could not be read: the site refuses our requests (403 Forbidden).'
    const { domain, resolution_id: id, outcome, reason } = await resolve(site)
    expect([outcome, reason]).toEqual(['scrape_failed', words])
    const pack = await packOf(id)
    expect([pack.reason, pack.crawl.pages]).toEqual([words, []])
    const html = await createPlainCall(it.config.baseUrl)('GET', `/v1/resolutions/${id}/evidence?format=html`, account)
    expect(html.text).toContain('No answer: the site was not read.')
    expect(html.text).toContain(words)
    const text = await askAgent(domain)
    expect(text).toContain(words)
    expect(text.match(/could not be read/g)).toHaveLength(1)
    expect(`${text} ${html.text}`).not.toMatch(/names? (?:no|a) UK company/)
    const enriched = await it.call('POST', '/v1/enrich', { key: account.key, body: { domain } })
    expect(enriched.body.result.match_status).toBe('scrape_failed')
  })
})

test('an agent is not told a rounder certainty than was measured', async () => {
  const { domain, confidence } = await resolve(siteOf(ALDER))
  expect(confidence).toBe(0.96)
  const text = await askAgent(domain)
  expect(text).toContain('(96% certain)')
})
