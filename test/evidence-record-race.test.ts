/** Many requests at once for the record of the same content, in two services with connections of their own, make one record. */
import { expect, test } from 'vitest'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import type { Tx } from '../src/lib/db/db.ts'
import { ALDER, publish, siteOf } from './setup/companies.ts'
import { prepare, startTestService, type TestService, useOtherProcess, WAIT } from './setup/harness.ts'

const authority = prepare(
  () => SimulatedAuthority.create(),
  (one) => one.close(),
)
const it: TestService = prepare(
  async () => {
    const timeStamp = { url: new URL(await authority.listen()), timeoutSeconds: 10 }
    return startTestService({ companies: [ALDER], timeStamp })
  },
  (service) => service[Symbol.asyncDispose](),
)
const other = useOtherProcess(it)

/** In each of the two; fewer than one has connections. */
const HELD = 5
const AT_ONCE = 20

const countWaiting = async (tx: Tx) => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count ?? 0
}

test('requests for one content make one record with one stamp, and those for another content make another', async () => {
  const account = await it.openAccount({ credits: 5 })
  const resolve = async (): Promise<string> => {
    const body = { domain: publish(it.web, siteOf(ALDER)) }
    return (await it.call('POST', '/v1/resolve/domain', { key: account.key, body, headers: WAIT })).body.resolution_id
  }
  const request = (resolutionId: string, times: number) =>
    [it.call, other.call].flatMap((call) =>
      Array.from({ length: times }, () =>
        call('POST', `/v1/resolutions/${resolutionId}/evidence/record`, { key: account.key }),
      ),
    )
  const expectOne = async (resolutionId: string, requests: ReturnType<typeof request>) => {
    const replies = await Promise.all(requests)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(replies.length - 1)
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    const stored = 'select id from evidence_record where resolution_id = $1'
    expect(await it.app.db.query(stored, [resolutionId])).toEqual([{ id: replies[0]?.body.id }])
  }
  const [one, another, third] = [await resolve(), await resolve(), await resolve()]
  // Nothing is stored before several of them have found no record and are about to store theirs.
  const { held } = await it.app.db.transaction(async (tx) => {
    await tx.query('lock table evidence_record in share row exclusive mode')
    const held = request(one, HELD)
    await expect.poll(() => countWaiting(tx)).toBeGreaterThanOrEqual(HELD)
    return { held }
  })
  await expectOne(one, held)
  const requests = [request(another, AT_ONCE), request(third, AT_ONCE)] as const
  await Promise.all([expectOne(another, requests[0]), expectOne(third, requests[1])])
  await it.settle()
  expect(authority.asked).toBe(3)
  const making = `select from audit_event where account_id = $1 and action = 'evidence_sealed'`
  expect(await it.app.db.query(making, [account.id])).toHaveLength(3)
})
