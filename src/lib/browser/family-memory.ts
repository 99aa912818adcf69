/** The processes that a process started, and their memory, as Linux has it in /proc. Elsewhere there is none to read. */
import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4_096

/** Returns the process and all below it. */
export function listFamily(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of listNames()) {
    // The name of a program may hold anything, also brackets: what follows the last one is safe.
    const parent = Number(readText(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1])
    if (parent > 0) parents.set(Number(name), parent)
  }
  const family = new Set([pid])
  let size = 0
  while (size < family.size) {
    size = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  return [...family]
}

/** Returns the bytes in memory that these processes do not share with files or others. */
export function readOwnBytes(pids: readonly number[]): number {
  let pages = 0
  for (const pid of pids) {
    const [, resident = 0, shared = 0] = readText(`/proc/${pid}/statm`).split(' ').map(Number)
    pages += Math.max(0, resident - shared)
  }
  return pages * PAGE_BYTES
}

function listNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** A process may end at any moment. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
