/** Everything is under one licence, and NOTICE names what comes from others. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, ROOT, readSources } from '../../tools/house/sources.ts'

const LICENCE = 'Apache-2.0'
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const NOTICE = read('NOTICE')

test('LICENSE has the whole text, and every package names the licence', () => {
  const text = read('LICENSE')
  for (const words of ['Apache License', 'Version 2.0, January 2004', '9. Accepting Warranty or Additional Liability'])
    expect(text).toContain(words)
  const manifests = listFiles('package.json', '*/package.json')
  expect(manifests).toContain('clients/cli/package.json')
  for (const file of manifests) expect([file, JSON.parse(read(file)).license]).toEqual([file, LICENCE])
  const projects = listFiles('*pyproject.toml')
  expect(projects).toEqual(['clients/python/pyproject.toml'])
  for (const file of projects) expect(read(file)).toContain(`\nlicense = "${LICENCE}"\n`)
  expect(JSON.parse(read('package-lock.json')).packages[''].license).toBe(LICENCE)
})

test('NOTICE names every package that is built into the console', () => {
  const imported = readSources()
    .filter(({ file }) => file.startsWith('console/src/') && !file.endsWith('.test.ts'))
    .flatMap(({ imports }) => imports.map(({ spec }) => spec))
    // Texts in the code may look like imports; a package has a name.
    .filter((spec) => /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9./-]*$/.test(spec))
    .map(toPackage)
  const bundled = listNeeded([...new Set(imported)])
  expect(bundled).toContain('scheduler')
  expect(bundled.filter((name) => !namesPackage(name))).toEqual([])
})

test('NOTICE says of every data file where it comes from, and of no file that is gone', () => {
  const data = listFiles('src/*', 'console/*', 'worlds/*', 'docs/images/*').filter(
    (file) =>
      /\.(?:json|jsonl|csv|gz|zip|txt|png|svg|jpe?g|ico|woff2?|ttf|otf|bin|dat)$/.test(file) &&
      !/\.fixture\.|tsconfig\.json$/.test(file),
  )
  expect(data).toContain('src/websites/guess/common-words.json')
  const named = [...NOTICE.matchAll(/^((?:src|worlds|docs|console)\/\S*)/gm)].map(([, path = '']) => path)
  expect(
    data.filter((file) => !named.some((path) => file === path || (path.endsWith('/') && file.startsWith(path)))),
  ).toEqual([])
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('fonts, and code copied from others, are found', () => {
  expect(listFiles('*.woff', '*.woff2', '*.ttf', '*.otf')).toEqual([])
  const foreign = /@license|@preserve|Copyright \(c\) (?!2026 The Nameplate)|SPDX-License-Identifier: (?!Apache-2\.0)/i
  const sources = readSources().filter(({ file }) => !file.startsWith('test/house/licence'))
  expect(sources.filter(({ text }) => foreign.test(text)).map(({ file }) => file)).toEqual([])
})

function toPackage(spec: string): string {
  return spec
    .split('/')
    .slice(0, spec.startsWith('@') ? 2 : 1)
    .join('/')
}

const namesPackage = (name: string) => NOTICE.split(/[\s,]+/).includes(name)

/** Returns packages and all that they need. */
function listNeeded(names: readonly string[], found = new Set<string>()): string[] {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const manifest = JSON.parse(read(`node_modules/${name}/package.json`)) as { dependencies?: Record<string, string> }
    listNeeded(Object.keys(manifest.dependencies ?? {}), found)
  }
  return [...found]
}
