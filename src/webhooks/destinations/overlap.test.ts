import { expect, test } from 'vitest'
import { findOverlap } from './overlap.ts'

const at = (webhookUrl: string, signalType: string) => ({ webhookUrl, signalType })

test.each([
  ['the same type', 'https://a.co.uk/in', 'all', 'all', true],
  ['`all` and one type', 'https://a.co.uk/in', 'all', 'name_changed', true],
  ['one type and `all`', 'https://a.co.uk/in', 'name_changed', 'all', true],
  ['two types', 'https://a.co.uk/in', 'name_changed', 'psc_changed', false],
  ['`all` and finished jobs', 'https://a.co.uk/in', 'all', 'resolution_completed', false],
  ['finished jobs and `all`', 'https://a.co.uk/in', 'resolution_completed', 'all', false],
  ['finished jobs twice', 'https://a.co.uk/in', 'resolution_completed', 'resolution_completed', true],
])('%s at one address', (_, url, existing, added, overlaps) => {
  expect(findOverlap([at(url, existing)], at(url, added)) !== null).toBe(overlaps)
})

test.each([
  'https://A.co.uk/in',
  'https://a.co.uk:443/in',
  'https://a.co.uk./in',
  'https://a.co.uk/in#here',
  'https://a.co.uk/x/../in',
])('%s is the same address written otherwise', (url) => {
  expect(findOverlap([at('https://a.co.uk/in', 'all')], at(url, 'all'))).not.toBeNull()
})

test.each(['https://a.co.uk/in?for=2', 'https://a.co.uk/In', 'https://b.co.uk/in', 'https://a.co.uk:8443/in'])(
  '%s is another address',
  (url) => {
    expect(findOverlap([at('https://a.co.uk/in', 'all')], at(url, 'all'))).toBeNull()
  },
)
