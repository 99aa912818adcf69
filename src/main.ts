#!/usr/bin/env node
import { runCommandLine } from './cli/program.ts'
import { loadConfig } from './config.ts'
import { createLog } from './lib/log.ts'
import { migrateDatabase, startService } from './service.ts'

process.exitCode = await runCommandLine(
  {
    loadConfig: () => loadConfig(process.env),
    migrate: (config) => migrateDatabase(config, createLog({ level: config.logLevel })),
    start: startService,
  },
  process.argv.slice(2),
)
