import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { DomainError } from '../src/errors.ts'
import { invalid, type Label, parseLabels, parseWebsites, type Website } from './labels.ts'

/** A world opened for a run. */
export interface World extends Disposable {
  name: string
  folder: string
  labels: Label[]
  /** Empty when the world has none. */
  websites: Website[]
}

const ARCHIVE = /\.(tar\.(gz|xz|zst)|tgz|txz|tar)$/
const UNPACK_TIMEOUT_MS = 300_000

/** Opens a folder, or an archive of one, which is unpacked into a temporary folder. */
export function openWorld(path: string): World {
  if (!existsSync(path)) throw new DomainError('not_found', `There is no world at ${path}.`)
  const name = basename(resolve(path)).replace(ARCHIVE, '')
  if (statSync(path).isDirectory()) return readWorld({ name, folder: resolve(path), dispose: () => undefined })
  if (!ARCHIVE.test(path)) throw invalid(`${path} is neither a folder nor an archive (.tar.gz, .tgz).`)
  const temporary = mkdtempSync(join(tmpdir(), 'nameplate-world-'))
  const dispose = () => rmSync(temporary, { recursive: true, force: true })
  try {
    execFileSync('tar', ['-xf', resolve(path), '-C', temporary, '--no-same-owner'], {
      timeout: UNPACK_TIMEOUT_MS,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return readWorld({ name, folder: findWorldFolder(temporary), dispose })
  } catch (error) {
    dispose()
    throw error
  }
}

/** An archive may hold the world's files themselves, or one folder with them. */
function findWorldFolder(unpacked: string): string {
  if (existsSync(join(unpacked, 'labels.csv'))) return unpacked
  const inside = readdirSync(unpacked).map((name) => join(unpacked, name))
  return inside.find((folder) => existsSync(join(folder, 'labels.csv'))) ?? unpacked
}

function readWorld(opened: { name: string; folder: string; dispose: () => void }): World {
  const { name, folder, dispose } = opened
  for (const file of ['register.csv', 'labels.csv']) {
    if (!existsSync(join(folder, file))) throw invalid(`${folder} is not a world: it has no ${file}.`)
  }
  const websites = join(folder, 'websites.csv')
  return {
    name,
    folder,
    labels: parseLabels(readFileSync(join(folder, 'labels.csv'), 'utf8')),
    websites: existsSync(websites) ? parseWebsites(readFileSync(websites, 'utf8')) : [],
    [Symbol.dispose]: dispose,
  }
}

/** The part of a world that was asked for: a stratum or a domain; all of it without. */
export function narrowWorld(world: World, only: string | undefined): Pick<World, 'labels' | 'websites'> {
  if (only === undefined) return world
  const labels = world.labels.filter((label) => label.stratum === only || label.domain === only.toLowerCase())
  if (labels.length === 0) {
    const strata = [...new Set(world.labels.map((label) => label.stratum))].sort()
    throw invalid(`The world has no stratum and no domain "${only}". Its strata: ${strata.join(', ')}`)
  }
  // What stays out of the run could not be found, and would only count as missed.
  const domains = new Set(labels.map((label) => label.domain))
  return {
    labels,
    websites: world.websites.filter(({ domain }) => domain !== null && domains.has(domain)),
  }
}
