/** The contrast of every colour is checked in the palette: a colour that is written elsewhere would escape that. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, ROOT } from '../../tools/house/sources.ts'

const BASE = new Set(['src/lib/design/base.css', 'src/lib/design/colours.css', 'src/lib/design/measures.css'])
const files = listFiles('src/*.css', 'console/*.css').filter((file) => !BASE.has(file))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('no colour is written beside the palette', () => {
  expect(files.length).toBeGreaterThan(20)
  const written = files.filter((file) => /#[0-9a-f]{3,8}\b|\brgb\(/i.test(read(file).replaceAll(/url\([^)]*\)/g, '')))
  expect(written).toEqual([])
})
