/** Runs a part of the service as a process of its own, so that a test can kill it. */
import { join } from 'node:path'
import { inject } from 'vitest'
import { findFreePort } from '../../rig/postgres.ts'
import { type Program, startFile } from '../../rig/program.ts'
import { openKeptLog } from './kept-logs.ts'

const PROGRAM = join(import.meta.dirname, 'service-process.ts')

export async function startProcess(role: 'serve' | 'work', databaseUrl: string): Promise<Program> {
  const port = await findFreePort()
  const keptLog = openKeptLog(inject('logDirectory'))
  const program = await startFile(
    [PROGRAM, role, databaseUrl, String(port)],
    {},
    { port, onLog: (chunk) => keptLog.write(chunk) },
  )
  program.child.once('close', () => keptLog.close())
  return program
}
