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
  return readdirSync(join(root, 'migrations')).toSorted().at(-1) ?? ''
}

/**
 * Returns the release before a migration; null in a checkout without history. A commit with other migrations of the same name was
 * never a release, because a migration that has run is not changed: then it is the one before those.
 */
export function takePreviousRelease(migration = newestMigration()): Release | null {
  const commit = findCommitBefore(migration)
  if (commit === null) return null
  const [changed] = listChangedSince(commit)
  if (changed !== undefined && changed < migration) return takePreviousRelease(changed)
  return takeRelease(commit)
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

/** Returns the migrations of a commit that are not the same today, in their order. */
function listChangedSince(commit: string): string[] {
  const files = git('diff', '--name-only', '--diff-filter=MD', commit, '--', 'migrations').split('\n')
  return files.flatMap((file) => (file === '' ? [] : [file.replace('migrations/', '')])).toSorted()
}

function findCommitBefore(migration: string): string | null {
  const added = git('log', '--format=%H %P', '--max-count=1', '--diff-filter=A', '--', `migrations/${migration}`)
  // Not committed yet: all that is committed comes before it.
  if (added === '') return 'HEAD'
  return added.split(' ')[1] || null
}
