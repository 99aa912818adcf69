import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COPY, readCopy } from '../../tools/copy-check.ts'

test('the client checks evidence exactly as the service does (node tools/copy-check.ts)', () => {
  const copied = readdirSync(COPY).map((name) => [name, readFileSync(join(COPY, name), 'utf8')])
  expect(Object.fromEntries(copied)).toEqual(readCopy())
})

test('the check needs Node and no package, so that it works in ten years', () => {
  for (const [name, text] of Object.entries(readCopy())) {
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, spec = '']) => spec)
    expect(
      imported.filter((spec) => !['node:crypto', 'node:zlib'].includes(spec) && !/^\.\/[\w-]+\.ts$/.test(spec)),
      name,
    ).toEqual([])
  }
})
