/** The operator's scripts from deploy/backup, run as the user that runs PostgreSQL, with Debian's tools. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverUser } from '../../../rig/postgres.ts'

export const INSTALLATION = '/usr/lib/postgresql/15'
const SCRIPTS = join(import.meta.dirname, '../../../deploy/backup')

/** A folder that PostgreSQL's user may write to, with the scripts and room for backups. */
export interface BackupGround extends Disposable {
  directory: string
  backups: string
  /** With them, a server archives its WAL there. */
  settings: Record<string, string>
  backUp(databaseUrl: string): void
  restore(data: string, until?: string): void
}

export function prepareBackups(): BackupGround {
  const runAs = serverUser()
  const directory = mkdtempSync(join(tmpdir(), 'nameplate-restore-'))
  const [scripts, backups] = [join(directory, 'scripts'), join(directory, 'backups')]
  cpSync(SCRIPTS, scripts, { recursive: true })
  mkdirSync(join(backups, 'wal'), { recursive: true })
  for (const path of [directory, scripts, backups, join(backups, 'wal')]) {
    chmodSync(path, 0o755)
    if (runAs) chownSync(path, runAs.uid, runAs.gid)
  }
  const run = (script: string, args: string[], more: Record<string, string>) => {
    const result = spawnSync('sh', [join(scripts, script), ...args], {
      ...runAs,
      cwd: directory,
      env: { PATH: `${INSTALLATION}/bin:${process.env['PATH']}`, HOME: directory, LC_ALL: 'C', TZ: 'UTC', ...more },
      encoding: 'utf8',
    })
    if (result.status !== 0) throw new Error(`${script} failed: ${result.stderr || result.error?.message}`)
  }
  return {
    directory,
    backups,
    settings: {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_timeout: '60s',
      archive_command: `sh ${join(scripts, 'archive-wal.sh')} %p %f ${join(backups, 'wal')}`,
    },
    backUp: (databaseUrl) => run('backup.sh', [backups], { DATABASE_URL: databaseUrl }),
    restore: (data, until) => run('restore.sh', [backups, data, ...(until ? [until] : [])], {}),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
