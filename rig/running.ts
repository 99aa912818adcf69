/** Which `npm run dev` uses a folder: a second one must not take the database of the first away. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Running = z.object({ pid: z.int().positive(), address: z.string() })
export type Running = z.infer<typeof Running>

/** The one that runs, or null. A file that a killed process left behind counts for nothing. */
export function findRunning(file: string): Running | null {
  const running = readRunning(file)
  return running && running.pid !== process.pid && isAlive(running.pid) ? running : null
}

export function writeRunning(file: string, running: Running): void {
  writeFileSync(file, JSON.stringify(running))
}

/** Leaves the note of another process alone. */
export function forgetRunning(file: string): void {
  if (readRunning(file)?.pid === process.pid) rmSync(file, { force: true })
}

function readRunning(file: string): Running | null {
  try {
    return Running.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
