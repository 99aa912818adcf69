import type { Command } from 'commander'
import { addUpdate, endIncident, listIncidents, openIncident } from '../../incidents/index.ts'
import { printJson, printRecord, printTable, type WithApp } from './output.ts'

/** The commands for the public status page. */
export function addIncidentCommands(program: Command, withApp: WithApp): void {
  const incident = program.command('incident').description('say on the public status page what is going on')

  incident
    .command('open')
    .description('show a new incident')
    .argument('<title>', 'such as "Some sites are not read"')
    .argument('<says>', 'what customers notice, and what you do about it')
    .option('--json', 'as JSON')
    .action(async (title: string, says: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => printRecord(output, { id: await openIncident(app, { title, says }) })),
    )

  incident
    .command('update')
    .description('add a sentence to an incident')
    .argument('<id>')
    .argument('<says>')
    .option('--json', 'as JSON')
    .action(async (id: string, says: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        await addUpdate(app, { id, says })
        printRecord(output, { id, added: true })
      }),
    )

  incident
    .command('close')
    .description('end an incident')
    .argument('<id>')
    .argument('<says>', 'what it was')
    .option('--json', 'as JSON')
    .action(async (id: string, says: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        await endIncident(app, { id, says })
        printRecord(output, { id, ended: true })
      }),
    )

  incident
    .command('list')
    .description('the incidents of the last 90 days')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const incidents = await listIncidents(app)
        if (output.json) return printJson({ incidents })
        printTable(
          output,
          incidents.map(({ id, title, startedAt, endedAt }) => ({ id, title, started: startedAt, ended: endedAt })),
          'No incidents. Show one with: nameplated incident open <title> <says>',
        )
      }),
    )
}
