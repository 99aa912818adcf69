import { expect, test } from 'vitest'
import { CopyLines } from './copy-lines.ts'

test('lines are whole whatever their length and alphabet, and the next piece begins empty', () => {
  const lines = new CopyLines()
  const wide = `${'Ŵ'.repeat(3 << 20)}\n`
  lines.add('a\n')
  lines.add(wide)
  lines.add('😀\n')
  expect(lines.bytes.toString() === `a\n${wide}😀\n`).toBe(true)
  lines.clear()
  lines.add('b\n')
  expect(lines.bytes.toString()).toBe('b\n')
})
