import type { Command } from 'commander'
import { printJson, printRecord, printTable, type WithApp } from './output.ts'

const DEAD_LETTERS_SHOWN = 50

export function addJobsCommands(program: Command, withApp: WithApp): void {
  const jobs = program.command('jobs').description('look at the queues and revive dead letters')

  jobs
    .command('list')
    .description('queues with what waits in them, and the newest dead letters')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const queues = await app.jobs.listQueues()
        const deadLetters = await app.jobs.listDeadLetters(DEAD_LETTERS_SHOWN)
        if (output.json) return printJson({ queues, dead_letters: deadLetters })
        printTable(
          output,
          queues.map((queue) => ({ ...queue })),
          'No queues. Run: nameplated migrate',
        )
        if (deadLetters.length === 0) return console.log('No dead letters.')
        console.log(`\nDead letters, newest first (revive with: nameplated jobs redrive)`)
        printTable(
          output,
          deadLetters.map((letter) => ({ ...letter })),
          '',
        )
      }),
    )

  jobs
    .command('redrive')
    .description('give dead letters another life, all or those of one job')
    .argument('[job]', 'such as accounts.send_verification')
    .option('--json', 'as JSON')
    .action(async (job: string | undefined, _options: object, command: Command) =>
      withApp(command, async (app, output) => printRecord(output, { redriven: await app.jobs.redrive(job) })),
    )
}
