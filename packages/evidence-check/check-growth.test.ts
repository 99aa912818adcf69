import { expect, test } from 'vitest'
import { checkGrowth } from './check-growth.ts'
import { hashLeaf, hashNode } from './merkle.ts'

const SAVED_AT = new Date('2026-03-02T00:05:00Z')
const [first, second] = [hashLeaf(Buffer.from('one')), hashLeaf(Buffer.from('two'))]
const head = (size: number, root: Buffer, origin = 'nameplate.test/evidence-log') => ({
  origin,
  size,
  root,
  madeAt: SAVED_AT,
})
const ONE = head(1, first)
const TWO = head(2, hashNode(first, second))
const PROOF = [second.toString('hex')]
const inHours = (hours: number) => new Date(SAVED_AT.getTime() + hours * 3_600_000)

test('a newest head that is older than the saved one is waited for, and after two days it is a removed one', () => {
  const now = { newest: ONE, entries: 2, proof: [] }
  expect(checkGrowth(TWO, { ...now, now: inHours(47) })).toMatchObject({ result: 'missing', problem: null })
  for (const hours of [49, 365 * 24]) {
    const { result, problem, says } = checkGrowth(TWO, { ...now, now: inHours(hours) })
    expect([result, problem]).toEqual(['failed', 'heads_removed'])
    expect(says).toContain('heads were removed')
  }
})

test('a log that moved to another host is the same one where it begins with what it had', () => {
  const old = head(1, first, 'before.test/evidence-log')
  const now = { newest: TWO, entries: 2, now: inHours(1) }
  const { result, says } = checkGrowth(old, { ...now, proof: PROOF })
  expect([result, says]).toEqual([
    'ok',
    expect.stringMatching(/begins with the one entry.* was the log before\.test\S+ then, and is nameplate\.test/),
  ])
  expect(checkGrowth(ONE, { ...now, proof: PROOF }).says).not.toContain('then')
  expect(checkGrowth(ONE, { ...now, proof: [] }).problem).toBe('log_changed')
  expect(checkGrowth(old, { ...now, proof: [] })).toMatchObject({ result: 'failed', problem: 'another_log' })
  expect(checkGrowth(old, { ...now, entries: 0, proof: [] })).toMatchObject({ problem: 'another_log' })
})
