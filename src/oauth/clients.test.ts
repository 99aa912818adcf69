import { expect, test } from 'vitest'
import { cleanClientName, documentHost } from './clients.ts'

test.each([
  ['Claude', 'Claude'],
  ['  Desk \t Agent\n', 'Desk Agent'],
  ['Claude” is verified by Nameplate. “X', 'Claude’ is verified by Nameplate. ’X'],
  ['A "quoted" «name»', 'A ’quoted’ ’name’'],
  ['safe\u202Eelbatsurt\u202C', 'safe elbatsurt'],
  ['zero\u200Bwidth\u2060joined\u{E0041}', 'zero width joined'],
  ['line\u2028break\u0000', 'line break'],
  ['Ünïcode 日本', 'Ünïcode 日本'],
])('%j becomes %j', (said, shown) => {
  expect(cleanClientName(said)).toBe(shown)
})

test.each(['', '   ', '\u200B\u200B', '””', '—', undefined])('%j is no name', (said) => {
  expect(cleanClientName(said)).toBeNull()
})

test('a long name is cut, and not in the middle of a character', () => {
  expect(cleanClientName('😀a'.repeat(100))).toBe('😀a'.repeat(40))
})

test('only the address of a document has a host to show', () => {
  expect(documentHost('https://claude.ai/oauth/mcp-oauth-client-metadata')).toBe('claude.ai')
  for (const id of ['client_abc', 'http://claude.ai/x', 'javascript:alert(1)', '']) expect(documentHost(id)).toBeNull()
})
