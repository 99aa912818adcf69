/** Before all: one PostgreSQL and one migrated template database, which every test file clones. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { executeSql, startPostgres } from '../../rig/postgres.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'
import { testConfig } from './config.ts'
import { TEST_JOBS } from './jobs.ts'
import { reportUntestedStatuses } from './statuses.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Leads to the server's maintenance database. */
    postgresUrl: string
    templateDatabase: string
    /** Where test files note which answers they have seen. */
    notesDirectory: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const notesDirectory = mkdtempSync(join(tmpdir(), 'nameplate-test-'))
  const given = process.env['TEST_DATABASE_URL']
  // Durability is not under test here, and without it a clone takes a third of the time.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const local = given
    ? null
    : await startPostgres({ directory: join(notesDirectory, 'postgres'), persistent: false, settings })
  const postgresUrl = given ?? local?.url ?? ''
  const templateDatabase = `nameplate_template_${randomBytes(4).toString('hex')}`
  const url = new URL(postgresUrl)
  url.pathname = `/${templateDatabase}`
  await executeSql(postgresUrl, `create database ${templateDatabase}`)
  await migrateDatabase(testConfig({ databaseUrl: url.href }), createLog({ level: 'warn' }), TEST_JOBS)
  project.provide('postgresUrl', postgresUrl)
  project.provide('templateDatabase', templateDatabase)
  project.provide('notesDirectory', notesDirectory)
  return async () => {
    await executeSql(postgresUrl, `drop database ${templateDatabase} with (force)`)
    await local?.stop()
    const untested = (await isWholeRun(project)) ? reportUntestedStatuses(notesDirectory) : []
    rmSync(notesDirectory, { recursive: true, force: true })
    if (untested.length > 0) throw new Error(`documented answers that no test has seen:\n  ${untested.join('\n  ')}`)
  }
}

/** Returns whether every test ran. Of some files, of a shard, or of tests chosen by name, a missing response says nothing. */
async function isWholeRun(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  const ran = new Set(project.vitest.state.getPaths())
  return project.vitest.config.testNamePattern === undefined && testFiles.every((file) => ran.has(file))
}
