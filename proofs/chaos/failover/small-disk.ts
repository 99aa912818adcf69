/** A disk that can be filled: memory with a size, mounted where a node keeps its data. Only root can mount. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerUser } from '../../../rig/postgres.ts'

const SIZE_MB = 1_024
const CHUNK = Buffer.alloc(1 << 20)
const BALLOON = 'balloon'

/** Says why not, where it is not possible. */
export function mountSmallDisk(folder: string, runAs: ServerUser | null): string | null {
  if (!runAs) return 'only root can mount a small disk'
  const options = `size=${SIZE_MB}m,uid=${runAs.uid},gid=${runAs.gid},mode=0755`
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  return status === 0 ? null : `mount refused: ${error?.message ?? stderr.trim()}`
}

export function unmountSmallDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder])
}

/** Leaves not a block. */
export function fillDisk(folder: string): void {
  const balloon = openSync(join(folder, BALLOON), 'w')
  try {
    const { bavail, bsize } = statfsSync(folder)
    // One more than fits: the last is refused.
    for (let written = 0; written <= (bavail * bsize) / CHUNK.length; written += 1) writeSync(balloon, CHUNK)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(balloon)
  }
}

export function emptyDisk(folder: string): void {
  rmSync(join(folder, BALLOON), { force: true })
}
