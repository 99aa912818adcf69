import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const HERE = import.meta.dirname
const VITE = join(HERE, '../node_modules/vite/bin/vite.js')
const BUILT = join(HERE, '../dist/console/index.html')
const CONFIGS = ['site.vite.config.ts', 'vite.config.ts']
const DESIGN = join(HERE, '../src/lib/design')

/** Builds the console and the script of the site unless what is built is newer than every source. */
export function ensureConsole(): void {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = [HERE, DESIGN]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
  const changedAt = Math.max(...sources.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
  if (builtAt >= changedAt) return
  // A process of its own: a test run has libraries built with their development aids.
  const env = { ...process.env, NODE_ENV: 'production' }
  for (const config of CONFIGS) {
    const argv = [VITE, 'build', '--config', join(HERE, config), '--logLevel', 'error']
    execFileSync(process.execPath, argv, { env, stdio: 'inherit' })
  }
}
