import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const HERE = import.meta.dirname
const VITE = join(HERE, '../node_modules/vite/bin/vite.js')
const BUILT = join(HERE, '../dist/console/index.html')

/** Builds the console unless what is built is newer than every source. */
export function ensureConsole(): void {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = readdirSync(HERE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const changedAt = Math.max(...sources.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
  if (builtAt >= changedAt) return
  // A process of its own: a test run has libraries built with their development aids.
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [VITE, 'build', '--config', join(HERE, 'vite.config.ts'), '--logLevel', 'warn'], {
    env,
    stdio: 'inherit',
  })
}
