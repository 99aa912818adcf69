/**
 * Compares the types of the TypeScript client with those that another generator makes of the same OpenAPI document: each body must be
 * the same type, and the client must export it by its name. The other generator is installed from a lock file of its own.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const GENERATOR = join(import.meta.dirname, 'second-types')
const DOCUMENT = join(ROOT, 'docs/openapi.json')

const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { components: { schemas: object } }
const names = Object.keys(components.schemas)
execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: GENERATOR })
// Within the checkout, so that the types of Node are found.
const folder = mkdtempSync(join(ROOT, 'node_modules', '.client-types-'))
try {
  const generate = join(GENERATOR, 'node_modules/@hey-api/openapi-ts/bin/run.js')
  const plugins = ['--plugins', '@hey-api/typescript']
  execFileSync(process.execPath, [generate, '--input', DOCUMENT, '--output', folder, ...plugins, '--silent'])
  const different = findDifferent(folder)
  for (const name of different) console.error(`${name}: the client does not export it, or as another type`)
  console.log(`client types: ${names.length} bodies, ${different.length} other than those of the second generator`)
  if (different.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

/** The compiler decides, with one line for each body. */
function findDifferent(theirs: string): string[] {
  const lines = [
    `import type * as Theirs from './types.gen.ts'`,
    `import type * as Ours from '${join(ROOT, 'clients/typescript/src/index.ts')}'`,
    'type IsAny<T> = 0 extends 1 & T ? true : false',
    'type Same<A, B> = IsAny<A> extends IsAny<B> ? ([A] extends [B] ? ([B] extends [A] ? true : never) : never) : never',
    ...names.map((name) => `true satisfies Same<Theirs.${name}, Ours.${name}>`),
  ]
  writeFileSync(join(theirs, 'same.ts'), lines.join('\n'))
  writeFileSync(
    join(theirs, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['same.ts'] }),
  )
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', theirs, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  const first = lines.length - names.length
  const found = stdout.split('\n').filter((line) => line.includes(': error '))
  if (status !== 0 && found.length === 0) throw new Error(`the types cannot be compared: ${stdout}`)
  return found.map((line) => {
    const at = Number(/same\.ts\((\d+),/.exec(line)?.[1])
    const name = names[at - 1 - first]
    if (name === undefined) throw new Error(`the types cannot be compared: ${line}`)
    return name
  })
}
