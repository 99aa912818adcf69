import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './repository.ts'

const FOLDER = join(REPOSITORY, '.local/promtool')
const UNPACKED = join(FOLDER, 'usr/bin/promtool')
const TIMEOUT_MS = 120_000

/**
 * Prometheus' own checker: the machine's, or the one of Debian's package, unpacked and not installed, as installing it
 * would start a Prometheus. Null where there is neither.
 */
export function findPromtool(): string | null {
  if (!spawnSync('promtool', ['--version']).error) return 'promtool'
  if (existsSync(UNPACKED)) return UNPACKED
  mkdirSync(FOLDER, { recursive: true })
  if (!passed(run('apt-get', ['-q', 'download', 'prometheus']))) return null
  const file = readdirSync(FOLDER).find((name) => name.endsWith('.deb'))
  if (!file || !passed(run('dpkg-deb', ['-x', file, '.']))) return null
  return existsSync(UNPACKED) ? UNPACKED : null
}

function run(command: string, flags: string[]): SpawnSyncReturns<string> {
  return spawnSync(command, flags, { cwd: FOLDER, encoding: 'utf8', timeout: TIMEOUT_MS })
}

const passed = ({ error, status }: SpawnSyncReturns<string>) => !error && status === 0
