/** The nationality and the country of residence of people are read with a company, and leave the service by no other way. */
import { expect, test } from 'vitest'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { applyEvents } from '../src/register/follow/apply-events.ts'
import { sevenInLondon } from '../src/signals/digest/digest.ts'
import { raiseSignals, recordQueuedChanges, startDigestsJob } from '../src/signals/index.ts'
import { director } from './setup/acorn.ts'
import { ALDER, siteOf } from './setup/companies.ts'
import { prepare, useTestService, WAIT } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'
import { subscribe } from './setup/webhooks.ts'

const DOMAIN = 'alderfinchjoinery.co.uk'
/** Words that nothing else has. */
const ORIGIN = { nationality: 'Ruritanian', country_of_residence: 'Zenda' }
const LATER = { nationality: 'Freedonian', country_of_residence: 'Sylvania' }
const NEVER = /Ruritanian|Zenda|Freedonian|Sylvania/

const psc = (facts: object) => ({
  kind: 'individual-person-with-significant-control',
  name: 'Jo Smith',
  natures_of_control: ['ownership-of-shares-25-to-50-percent'],
  notified_on: '2020-01-02',
  etag: '1',
  links: { self: `/company/${ALDER.number}/persons-with-significant-control/individual/psc1` },
  ...facts,
})
const company: NewCompany = {
  number: ALDER.number,
  name: ALDER.name,
  address: { address_line_1: '1 Mill Lane', locality: 'Ripon', postal_code: ALDER.postcode },
  officers: [
    director(ALDER.number, 'a1', {
      ...ORIGIN,
      name: 'SMITH, Jo',
      date_of_birth: { month: 4, year: 1970 },
      links: {
        self: `/company/${ALDER.number}/appointments/a1`,
        officer: { appointments: `/officers/${'jo'.padEnd(27, '0')}/appointments` },
      },
    }),
  ],
  pscs: [psc(ORIGIN)],
}
const house = SimulatedCompaniesHouse.fromCompanies([company], { imageDelayMs: null })
const it = useTestService({ companies: [ALDER], sites: { [DOMAIN]: siteOf(ALDER) }, house })
const account = prepare(() => it.openAccount({ credits: 20 }))

/** The record of the owner as the stream sends it. */
const pscEvent = (timepoint: number, facts: object) => ({
  timepoint,
  publishedAt: it.clock.now(),
  companyNumber: ALDER.number,
  resourceId: 'psc1',
  isDeletion: false,
  data: psc(facts),
})

async function applyPsc(timepoint: number, facts: object): Promise<void> {
  const at = it.clock.now()
  await it.app.db.transaction((tx) =>
    applyEvents(tx, 'persons-with-significant-control', [pscEvent(timepoint, facts)], at),
  )
  await recordQueuedChanges(it.app)
}

test('no answer, file, event, e-mail or tool repeats the nationality or residence of a person', async () => {
  const { key } = account
  const profile = await it.call('GET', `/v1/companies/${ALDER.number}`, { key })
  expect(profile.body.officers).toMatchObject([ORIGIN])
  expect(profile.body.pscs).toMatchObject([ORIGIN])

  const { receiver } = await subscribe(it, { account, company: ALDER })
  await it.call('POST', '/v1/watchlist', { key, body: { company_number: ALDER.number } })
  await it.call('PATCH', '/v1/account/notifications', { key, body: { daily_digest: true } })
  // Another nationality alone is no signal; with more control it is one without it.
  await applyPsc(10, LATER)
  expect((await it.call('GET', '/v1/signals', { key })).body.data).toEqual([])
  await applyPsc(11, { ...ORIGIN, natures_of_control: ['ownership-of-shares-75-to-100-percent'] })
  const at = it.clock.now()
  await it.app.db.transaction((tx) =>
    raiseSignals(
      it.app,
      tx,
      [
        {
          companyNumber: ALDER.number,
          companyName: ALDER.name,
          signalType: 'psc_changed',
          severity: 'notice',
          summary: 'Details of Jo Smith changed.',
          occurredOn: toLondonDate(at),
          changes: [{ field: 'psc_name', from: 'J Smith', to: 'Jo Smith' }],
          sourceKind: 'stream',
          sourceReference: 'x 1',
          dedupe: { key: 'from before', leavingKey: null },
        },
      ],
      at,
    ),
  )
  await it.settle()

  const seen = new Map<string, string>()
  const call = async (name: string, method: string, path: string, options: object = {}) => {
    const reply = await it.call(method, path, { key, ...options })
    expect([name, reply.status < 300]).toEqual([name, true])
    seen.set(name, reply.text)
    return reply
  }
  const resolved = await call('answer', 'POST', '/v1/resolve/domain', { body: { domain: DOMAIN }, headers: WAIT })
  const { resolution_id: id } = resolved.body
  await call('enrichment', 'POST', '/v1/enrich', { body: { domain: DOMAIN }, headers: WAIT })
  await call('flat answer', 'POST', '/v1/partner/enrich-company', { body: { domain: DOMAIN }, headers: WAIT })
  await call('company answer', 'POST', '/v1/resolve/company', {
    body: { company_number: ALDER.number },
    headers: WAIT,
  })
  await call('evidence', 'GET', `/v1/resolutions/${id}/evidence`)
  await call('feed', 'GET', '/v1/signals')
  await call('history', 'GET', `/v1/companies/${ALDER.number}/signals`)
  await call('group', 'GET', `/v1/companies/${ALDER.number}/group`)
  await call('officer', 'GET', `/v1/officers/${profile.body.officers[0].officer_id}`)
  await call('check', 'GET', `/v1/officers/${profile.body.officers[0].officer_id}/disqualifications`)
  await call('watchlist', 'GET', '/v1/watchlist')
  await call('ledger', 'GET', '/v1/account/ledger?limit=100')
  const bulk = await call('bulk job', 'POST', '/v1/bulk', { body: { domains: [DOMAIN] } })
  await it.settle()
  for (const format of ['csv', 'jsonl']) {
    await call(`bulk ${format}`, 'GET', `/v1/bulk/${bulk.body.id ?? bulk.body.bulk_id}/results?format=${format}`)
  }
  const page = await it.visit('GET', `/evidence/${id}`, { headers: { cookie: `session=${account.token}` } })
  seen.set('evidence page', page.text)

  await using agent = await connect(it, { 'x-api-key': key })
  const asked: Array<[tool: string, input: Record<string, unknown>]> = [
    ['get_company', { company_number: ALDER.number }],
    ['get_company_group', { company_number: ALDER.number }],
    ['get_officer', { officer_id: profile.body.officers[0].officer_id, check_disqualification: true }],
    ['list_company_signals', { company_number: ALDER.number }],
    ['list_watched_signals', {}],
    ['find_company_behind_domain', { domain: DOMAIN }],
  ]
  for (const [tool, input] of asked) {
    const { content, isError } = await agent.ask(tool, input)
    expect([tool, isError]).toEqual([tool, false])
    seen.set(tool, JSON.stringify(content))
  }

  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(3)
  for (const [index, { body }] of receiver.received.entries()) seen.set(`webhook ${index}`, body)
  const exported = await it.run('account', 'export', account.id)
  seen.set('account export', exported.stdout)
  const seven = sevenInLondon(addDaysToDate(toLondonDate(at), 1))
  it.clock.advance((seven.getTime() - it.clock.now().getTime()) / 1_000 + 600)
  await it.runJob(startDigestsJob)
  await it.settle()
  const digest = it.mailbox.mailsTo(account.email).at(-1)
  seen.set('digest', `${digest?.text} ${digest?.html}`)

  // Each really is about the company and its owner.
  expect(seen.get('enrichment')).toContain('SMITH, Jo')
  expect(seen.get('feed')).toContain('psc_name')
  expect(seen.get('digest')).toContain('Jo Smith')
  expect([...seen.keys()].filter((name) => NEVER.test(seen.get(name) ?? ''))).toEqual([])
})
