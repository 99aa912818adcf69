/** Releases taken from the repository's history: the one before the newest migration. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Release extends Disposable {
  root: string
  commit: string
  /** The newest one that it knows. */
  migration: string
}

const ROOT = join(import.meta.dirname, '../../..')

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

export function newestMigration(root = ROOT): string {
  const files = readdirSync(join(root, 'migrations')).filter((file) => file.endsWith('.sql'))
  return files.toSorted().at(-1) ?? ''
}

/**
 * Returns the release before the newest migration. Where migrations of that commit were changed or removed since, they were never
 * released: then it is the release of the newest commit, and none has to run.
 */
export function takePreviousRelease(): Release {
  const before = findCommitBefore(newestMigration())
  return takeRelease(before !== null && !areMigrationsChangedSince(before) ? before : 'HEAD')
}

function takeRelease(commit: string): Release {
  const root = mkdtempSync(join(tmpdir(), 'nameplate-previous-'))
  const archive = execFileSync('git', ['archive', commit], {
    cwd: ROOT,
    maxBuffer: 64 * 2 ** 20,
  })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  takePackages(root)
  return {
    root,
    commit: git('rev-parse', '--short', commit),
    migration: newestMigration(root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Links the packages of today: they were pinned then as now, or are there in a later version. Packages that are gone since are installed. */
function takePackages(root: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const isThere = (name: string) => existsSync(join(ROOT, 'node_modules', name, 'package.json'))
  if (Object.keys(dependencies).every(isThere)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  else {
    const options = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline']
    execFileSync('npm', ['ci', ...options], { cwd: root, stdio: 'ignore', timeout: INSTALL_MS_MAX })
  }
}

const INSTALL_MS_MAX = 300_000

function areMigrationsChangedSince(commit: string): boolean {
  return git('diff', '--name-only', '--diff-filter=MD', commit, '--', 'migrations') !== ''
}

function findCommitBefore(migration: string): string | null {
  const added = git('log', '--format=%P', '--max-count=1', '--diff-filter=A', '--', `migrations/${migration}`)
  // The parents of the commit that added it.
  return added.split(' ')[0] || null
}
