/** Runs a worker as a process of its own, so that a test can kill it. */
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Program, startFile } from '../../rig/program.ts'
import { openKeptLog } from './kept-logs.ts'

const PROGRAM = join(import.meta.dirname, 'service-process.ts')

export async function startWorker(databaseUrl: string): Promise<Program> {
  const keptLog = openKeptLog(inject('logDirectory'))
  const program = await startFile([PROGRAM, databaseUrl], {}, { onLog: (chunk) => keptLog.write(chunk) })
  program.child.once('close', () => keptLog.close())
  return program
}
