#!/usr/bin/env node
import { loadConfig } from './config.ts'
import { runCommandLine } from './entry/cli/program.ts'
import { createLog } from './lib/log.ts'
import { protectGlobalFetch } from './lib/web/outgoing-fetch.ts'

protectGlobalFetch()

// The service is loaded when a command needs it: an import or a look at the queues starts sooner and smaller without.
process.exitCode = await runCommandLine(
  {
    loadConfig: (kind) => loadConfig(process.env, kind),
    migrate: async (config) => {
      const { migrateDatabase } = await import('./service.ts')
      return migrateDatabase(config, createLog({ level: config.logLevel }))
    },
    start: async (config, roles) => {
      const { startService } = await import('./service.ts')
      return startService(config, roles)
    },
  },
  process.argv.slice(2),
)
