/**
 * Credits when processes die: API and worker processes are killed with `kill -9` while they hold, capture and release,
 * round after round. Afterwards no credit is lost or spent twice and every hold is settled.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Program } from '../rig/program.ts'
import { findUnbalancedAccounts, getBalance } from '../src/credits/index.ts'
import { useTestService } from './setup/harness.ts'
import { TEST_JOBS } from './setup/jobs.ts'
import { startProcess } from './setup/process.ts'

const ROUNDS = 6
const SPENDS_PER_ROUND = 24
const CREDITS = 90

const it = useTestService({ extraJobs: TEST_JOBS })

interface Sent {
  reference: string
  outcome: 'matched' | 'no_match_free'
  answer: number | 'no answer'
}

test(`${ROUNDS} rounds of kill -9: no credit lost or spent twice, every hold settled`, {
  timeout: 240_000,
}, async () => {
  const { databaseUrl } = it.config
  const account = await it.signUp({ credits: CREDITS })
  const sent: Sent[] = []
  let api = await startProcess('serve', databaseUrl)
  let worker = await startProcess('work', databaseUrl)

  async function spend(round: number, index: number): Promise<void> {
    const reference = `round ${round} spend ${index}`
    const outcome = index % 3 === 0 ? 'no_match_free' : 'matched'
    const body = JSON.stringify({ accountId: account.id, reference, outcome, workMs: Math.round(Math.random() * 60) })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${api.url}/test/spend`, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 'no answer' as const,
    )
    sent.push({ reference, outcome, answer })
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const victimIsApi = round % 2 === 0
    const spends = Array.from({ length: SPENDS_PER_ROUND }, (_, index) =>
      sleep(index * 8).then(() => spend(round, index)),
    )
    await sleep(20 + Math.random() * 80)
    const victim: Program = victimIsApi ? api : worker
    const replacement = victim.kill().then(() => startProcess(victimIsApi ? 'serve' : 'work', databaseUrl))
    await Promise.all(spends)
    if (victimIsApi) api = await replacement
    else worker = await replacement
  }

  // Jobs of killed workers come back by themselves.
  await expect
    .poll(async () => (await getBalance(it.app.db, account.id)).held, { timeout: 60_000, interval: 500 })
    .toBe(0)
  await it.settle()
  await api.kill()
  await worker.kill()
  await expectEverythingAccountedFor(account.id, sent)
})

async function expectEverythingAccountedFor(accountId: string, sent: Sent[]): Promise<void> {
  const holds = await it.app.db.query<{ reference: string; state: string }>(
    `select reference, state from credit_hold where account_id = $1 and reference like 'round %'`,
    [accountId],
  )
  const stateOf = new Map(holds.map((hold) => [hold.reference, hold.state]))
  for (const { reference, outcome, answer } of sent) {
    const state = stateOf.get(reference)
    // Acknowledged work is done; work without an answer is done or never began; refused work left nothing.
    if (answer === 202) expect(state, reference).toBe(outcome === 'matched' ? 'captured' : 'released')
    if (answer === 402) expect(state, reference).toBeUndefined()
    expect(state, reference).not.toBe('held')
  }
  const captured = holds.filter((hold) => hold.state === 'captured').length
  const { balance } = await getBalance(it.app.db, accountId)
  expect(balance).toBe(CREDITS - captured)
  expect(balance).toBeGreaterThanOrEqual(0)
  expect(await findUnbalancedAccounts(it.app.db)).toEqual([])
  const [twice] = await it.app.db.query(
    `select hold_id from ledger_entry where kind in ('capture', 'release') group by hold_id having count(*) > 1`,
  )
  expect(twice).toBeUndefined()
  const counts = Object.groupBy(sent, ({ answer }) => String(answer))
  const summary = Object.entries(counts).map(([answer, list]) => `${answer}: ${list?.length}`)
  console.info(
    `answers ${summary.join(', ')}; captured ${captured}, released ${holds.length - captured}, balance ${balance}`,
  )
}
