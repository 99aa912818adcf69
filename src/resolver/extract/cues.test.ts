import { expect, test } from 'vitest'
import { CUES } from './cues.ts'
import { readRole } from './role.ts'

test('every cue has an id of its own', () => {
  expect(new Set(CUES.map(({ id }) => id)).size).toBe(CUES.length)
})

test.each(CUES.map((cue) => [cue.id, cue.example, cue] as const))('%s matches its example: %s', (_id, example, cue) => {
  const at = example.lastIndexOf('X')
  const text = cue.side === 'before' ? example.slice(0, at) : example.slice(at + 1)
  expect(cue.pattern.test(text)).toBe(true)
})

test.each(CUES.map(({ id, example, role }) => [id, example, role] as const))(
  '%s decides the role of its example: %s',
  (_id, example, role) => {
    const at = example.lastIndexOf('X')
    const text = `${example.slice(0, at)}Example Widgets Ltd${example.slice(at + 1)}`
    const name = { start: at, end: at + 'Example Widgets Ltd'.length }
    const reading = readRole({
      text,
      name,
      isOwnName: (piece) => /^(?:the )?(?:old )?mill$/i.test(piece),
      isOwnWord: () => false,
    })
    expect(reading.role).toBe(role)
  },
)
