import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import type { Assembly, Roles } from './output.ts'

const ROLES = {
  serve: { description: 'answer requests', roles: { serve: true, work: false, follow: false } },
  work: { description: 'run jobs', roles: { serve: false, work: true, follow: false } },
  follow: {
    description: "follow the register's streams; any number of processes may, one leads each stream",
    roles: { serve: false, work: false, follow: true },
  },
  all: { description: 'all of these in one process', roles: { serve: true, work: true, follow: true } },
} as const

export function addServiceCommands(program: Command, assembly: Assembly): void {
  for (const name of ['serve', 'work', 'follow', 'all'] as const) {
    const { description, roles } = ROLES[name]
    program
      .command(name)
      .description(description)
      .option('--migrate', 'bring the database to this version first')
      .action(async (options: { migrate?: boolean }) => {
        const config = assembly.loadConfig(name)
        if (options.migrate) await assembly.migrate(assembly.loadConfig('migrate'))
        await runUntilSignal(assembly, config, roles)
      })
  }

  program
    .command('migrate')
    .description('bring the database to this version; safe to run again, and from several machines at once')
    .action(async () => {
      const ran = await assembly.migrate(assembly.loadConfig('migrate'))
      console.log(ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.length}: ${ran.join(', ')}`)
    })
}

/** The first signal lets work in flight finish; a second one ends the process at once. */
async function runUntilSignal(assembly: Assembly, config: Config, roles: Roles): Promise<void> {
  const service = await assembly.start(config, roles)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
  await service.close()
}
