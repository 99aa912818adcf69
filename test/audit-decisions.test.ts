/** Entries of the audit log about decisions: what the account's answer was before, and what it is from then on. */
import { expect, test } from 'vitest'
import { ALDER, BRACKEN, publish, siteNaming, siteOf } from './setup/companies.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'
import { reviewCalls } from './setup/reviews.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const calls = reviewCalls(it)

interface Entry {
  act: string
  before: object | null
  after: object | null
}

/** Returns before and after of each entry about decisions, oldest first, as the API has them. */
async function changesOf({ key }: TestKeys) {
  const { body } = await it.call('GET', '/v1/account/audit?limit=100', { key })
  const entries = (body.data as Entry[]).filter(({ act }) => /^decision_|^match_disputed$/.test(act))
  return entries.toReversed().map(({ act, before, after }) => [act, before, after])
}

const OPEN = { outcome: 'needs_review', company_number: null }
const NONE = { outcome: 'no_match', company_number: null }
const matched = ({ number }: { number: string }) => ({ outcome: 'matched', company_number: number })

test('a decision on a domain says the answer before and after it, and taking it back says the answer that applies again', async () => {
  const account = await it.openAccount()
  const domain = publish(it.web, siteNaming(BRACKEN))
  await calls.ask(account, domain)
  const { id } = await calls.find(account, domain)
  await calls.decide(account, id, { action: 'accept' })
  await calls.decide(account, id, { action: 'reassign', company_number: ALDER.number })
  await calls.decide(account, id, { action: 'reject' })
  await calls.withdraw(account, id)
  expect(await changesOf(account)).toEqual([
    ['decision_made', OPEN, matched(BRACKEN)],
    ['decision_made', matched(BRACKEN), matched(ALDER)],
    ['decision_made', matched(ALDER), NONE],
    ['decision_withdrawn', NONE, OPEN],
  ])
})

test('a disputed match has no company until the dispute is taken back', async () => {
  const account = await it.openAccount()
  const domain = publish(it.web, siteOf(ALDER))
  const { body } = await calls.ask(account, domain)
  await calls.dispute(account, body.resolution_id)
  await it.settle()
  await calls.dispute(account, body.resolution_id, { company_number: BRACKEN.number, reason: 'Theirs.' })
  await it.settle()
  const { id } = await calls.find(account, domain, 'decided')
  await calls.withdraw(account, id)
  expect(await changesOf(account)).toEqual([
    ['match_disputed', matched(ALDER), NONE],
    ['match_disputed', NONE, matched(BRACKEN)],
    ['decision_withdrawn', matched(BRACKEN), matched(ALDER)],
  ])
})

test('a dispute of a match that the account had replaced leaves its own decision in the entry', async () => {
  const account = await it.openAccount()
  const domain = publish(it.web, siteOf(ALDER))
  const { body } = await calls.ask(account, domain)
  await calls.dispute(account, body.resolution_id, { company_number: BRACKEN.number, reason: 'Theirs.' })
  await it.settle()
  const { id } = await calls.find(account, domain, 'decided')
  await calls.decide(account, id, { action: 'reassign', company_number: BRACKEN.number })
  await calls.dispute(account, body.resolution_id)
  expect((await changesOf(account)).at(-1)).toEqual(['match_disputed', matched(BRACKEN), matched(BRACKEN)])
})

test('a decision on a row of a file says what the row said before and after', async () => {
  const account = await it.openAccount({ credits: 5 })
  const table = `name,company name\n1,${ALDER.name} Limted\n`
  const { body } = await it.call('POST', '/v1/bulk', { key: account.key, body: { table } })
  await it.settle()
  for (const action of ['reject', 'accept', 'withdraw']) {
    const rows = [{ row: 1, action }]
    await it.call('POST', `/v1/bulk/${body.id}/decisions`, { key: account.key, body: { rows } })
  }
  expect(await changesOf(account)).toEqual([
    ['decision_made', OPEN, NONE],
    ['decision_made', NONE, matched(ALDER)],
    ['decision_withdrawn', matched(ALDER), OPEN],
  ])
})
