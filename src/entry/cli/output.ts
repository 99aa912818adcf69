import Table from 'cli-table3'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Config, ProcessKind } from '../../config.ts'
import { DomainError } from '../../errors.ts'

/** How a command shows what it found: a table for people, one JSON document for programs. */
export interface Output {
  json: boolean
}

export function printTable(output: Output, rows: ReadonlyArray<Record<string, unknown>>, empty: string): void {
  if (output.json) return printJson(rows)
  const [first] = rows
  if (!first) return console.log(empty)
  const table = new Table({ head: Object.keys(first), style: { head: ['bold'], border: ['gray'] } })
  for (const row of rows) table.push(Object.values(row).map(toCell))
  console.log(table.toString())
}

export function printRecord(output: Output, record: Record<string, unknown>): void {
  if (output.json) return printJson(record)
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  for (const [name, value] of Object.entries(record)) console.log(`${name.padEnd(width)}  ${toCell(value)}`)
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}

/** Returns what went wrong, for the operator. */
export function describeFailure(error: unknown): string {
  if (error instanceof DomainError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (/pgboss|pg-boss|schema_migration|relation .* does not exist/.test(error.message)) {
    return `${error.message}\nThe database is not at this version. Run: nameplated migrate`
  }
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message || String(error)
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The parts of the assembled service that commands need; passed in, as entry points do not import each other. */
export interface Assembly {
  loadConfig(kind: ProcessKind): Config
  migrate(config: Config): Promise<string[]>
  start(config: Config, roles: Roles): Promise<{ address: string | null; close(): Promise<void> }>
}

/** The parts of the service that a process runs: requests, jobs, the register's streams. */
export interface Roles {
  serve: boolean
  work: boolean
  follow: boolean
}

/** Runs `work` with the opened service parts and closes them after; with `register`, as the owner of the tables. */
export type WithApp = (
  command: Command,
  work: (app: App, output: Output) => Promise<void>,
  kind?: 'command' | 'register',
) => Promise<void>
