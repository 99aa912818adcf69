import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Config, ProcessKind } from '../../config.ts'
import type { Output } from './output.ts'

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
