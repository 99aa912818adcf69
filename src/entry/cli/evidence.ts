import type { Command } from 'commander'
import { listEvidenceKeys, publishHead, rotateEvidenceKey } from '../../evidence/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

export function addEvidenceCommands(program: Command, withApp: WithApp): void {
  const evidence = program.command('evidence').description('keys and log of evidence records')
  evidence
    .command('keys')
    .description('list the keys that sign records, newest first; all of them are published for ever')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const keys = await listEvidenceKeys(app.db)
        const rows = keys.map(({ id, activatesAt, retiredAt }) => ({ id, from: activatesAt, until: retiredAt }))
        printTable(output, rows, 'No record was made yet; the first one makes the first key.')
      }),
    )

  evidence
    .command('rotate')
    .description('make a new key, which signs from now on; records of earlier keys stay valid')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => printRecord(output, { id: await rotateEvidenceKey(app) })),
    )

  evidence
    .command('publish')
    .description('sign and publish the head of the log now; a job does it every day')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => printRecord(output, { published_size: await publishHead(app) })),
    )
}
