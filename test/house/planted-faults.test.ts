/** The canary run plants faults in a copy of the sources: each must still have something to change. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULTS } from '../../proofs/chaos/canary/faults.ts'

test.each(Object.entries(FAULTS))('the fault %s is in the sources', (_name, { file, from, to }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(source).toContain(from)
  expect(to).not.toBe(from)
})
