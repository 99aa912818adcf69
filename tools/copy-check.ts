/**
 * `node tools/copy-check.ts`: copies the check of evidence bundles into the client, which imports nothing of the service and checks
 * without it. `test/house/copied-check.test.ts` fails where the two differ.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FROM = join(ROOT, 'packages/evidence-check')
export const COPY = join(ROOT, 'clients/cli/check')

/** The files of the copy by name, as they must be. */
export function readCopy(): Record<string, string> {
  const names = readdirSync(FROM).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(FROM, name), 'utf8')]))
}

if (import.meta.main) {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY)
  for (const [name, text] of Object.entries(readCopy())) writeFileSync(join(COPY, name), text)
  console.log('wrote clients/cli/check')
}
