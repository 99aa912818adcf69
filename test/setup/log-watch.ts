/** Before all: a folder for what the services log and the tests keep secret. After all: neither may be in the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { checkKeptLogs, describeCheck } from './kept-logs.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Holds the logs of services, and the secrets that tests have seen. */
    logDirectory: string
  }
}

const SHOWN_MAX = 20
const LINE_LENGTH_MAX = 400

export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'nameplate-test-logs-'))
  project.provide('logDirectory', directory)
  return () => {
    const check = checkKeptLogs(directory)
    rmSync(directory, { recursive: true, force: true })
    console.log(`secrets in logs: ${describeCheck(check)}`)
    if (check.leaks.length === 0) return
    const shown = check.leaks
      .slice(0, SHOWN_MAX)
      .map(({ secret, form, line }) => `  ${secret}, ${form}: ${line.slice(0, LINE_LENGTH_MAX)}`)
    throw new Error(`secrets stand in the log:\n${shown.join('\n')}`)
  }
}
