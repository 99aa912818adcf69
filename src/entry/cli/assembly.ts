import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Config, ProcessKind } from '../../config.ts'
import type { Output } from './output.ts'

/** What the commands need of the assembled service; handed in, as doors do not import each other. */
export interface Assembly {
  loadConfig(kind: ProcessKind): Config
  migrate(config: Config): Promise<string[]>
  start(config: Config, roles: Roles): Promise<{ address: string | null; close(): Promise<void> }>
}

/** What a process does: answer requests, run jobs, follow the register's streams. */
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
