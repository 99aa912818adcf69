import { expect, test } from 'vitest'
import { estimateEnd, measureRate } from './sweep-status.ts'

const at = new Date('2026-11-16T12:00:00Z')
const progress = { left: 600, readLately: 100, windowSeconds: 600, isPaused: false, lastDueAt: null, at }
const inMinutes = (minutes: number) => new Date(at.getTime() + minutes * 60_000)

test('the end follows from the measured rate', () => {
  expect(measureRate(progress)).toBe(10)
  expect(estimateEnd(progress)).toEqual({ kind: 'at', at: inMinutes(60) })
})

test('what was put off is not read before it is due, however fast the rest goes', () => {
  expect(estimateEnd({ ...progress, lastDueAt: inMinutes(90) })).toEqual({ kind: 'at', at: inMinutes(90) })
  expect(estimateEnd({ ...progress, lastDueAt: inMinutes(-5) })).toEqual({ kind: 'at', at: inMinutes(60) })
})

test('says that it is unknown while too little was read or too short, and where nothing was read', () => {
  expect(estimateEnd({ ...progress, readLately: 9 })).toEqual({ kind: 'unknown' })
  expect(estimateEnd({ ...progress, windowSeconds: 59 })).toEqual({ kind: 'unknown' })
  expect(estimateEnd({ ...progress, readLately: 0 })).toEqual({ kind: 'unknown' })
})

test('a list that is paused has no end, and one that is read is done', () => {
  expect(estimateEnd({ ...progress, isPaused: true })).toEqual({ kind: 'paused' })
  expect(estimateEnd({ ...progress, left: 0, isPaused: true })).toEqual({ kind: 'done' })
})
