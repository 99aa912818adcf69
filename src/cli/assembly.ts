import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { Output } from './output.ts'

/** What the commands need of the assembled service; handed in, as doors do not import each other. */
export interface Assembly {
  loadConfig(): Config
  migrate(config: Config): Promise<string[]>
  start(
    config: Config,
    roles: { serve: boolean; work: boolean },
  ): Promise<{ address: string | null; close(): Promise<void> }>
}

/** Runs `work` with the opened service parts and closes them after. */
export type WithApp = (command: Command, work: (app: App, output: Output) => Promise<void>) => Promise<void>
