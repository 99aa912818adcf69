import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contrastOf, formatColours, PALETTE, READ_ON } from './palette.ts'

describe('colours', () => {
  test.each(['light', 'dark'] as const)('every text can be read on its ground in the %s theme', (theme) => {
    const weak = READ_ON.map(([text, ground]) => ({
      text,
      ground,
      ratio: contrastOf(PALETTE[text][theme], PALETTE[ground][theme]),
    })).filter(({ ratio }) => ratio < 4.5)
    expect(weak).toEqual([])
  })

  test.each(['light', 'dark'] as const)('the edge of a control can be seen in the %s theme', (theme) => {
    for (const ground of ['paper', 'card'] as const) {
      expect(contrastOf(PALETTE['line-strong'][theme], PALETTE[ground][theme])).toBeGreaterThanOrEqual(3)
    }
  })

  test('no two tones look alike', () => {
    const tones = ['good', 'warn', 'bad', 'abroad', 'info', 'brand', 'soft'] as const
    for (const theme of ['light', 'dark'] as const) {
      expect(new Set(tones.map((tone) => PALETTE[tone][theme])).size).toBe(tones.length)
    }
  })

  test('the style sheet has the colours of the palette', () => {
    expect(readFileSync(join(import.meta.dirname, 'colours.css'), 'utf8')).toBe(formatColours())
  })

  test('the ratio is that of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
})
