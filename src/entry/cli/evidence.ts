import type { Command } from 'commander'
import { listEvidenceKeys, rotateEvidenceKey, verifyRecords } from '../../evidence/index.ts'
import { printJson, printRecord, printTable, type WithApp } from './output.ts'

export function addEvidenceCommands(program: Command, withApp: WithApp): void {
  const evidence = program.command('evidence').description('evidence records and the keys that sign them')
  evidence
    .command('keys')
    .description('list the keys that sign records, newest first; all that the sealing keys open are published for ever')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const keys = await listEvidenceKeys(app)
        const rows = keys.map(({ id, activatesAt, retiredAt, isOurs }) => ({
          id,
          from: activatesAt,
          until: retiredAt,
          published: isOurs,
        }))
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
    .command('verify')
    .description(
      'check every record against its signature, its stamp and the audit log; exits with 1 where anything was changed',
    )
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const report = await verifyRecords(app, reportProgress())
        const { problems, ...counts } = report
        if (output.json) printJson(report)
        else {
          printRecord(output, counts)
          for (const { kind, where, says } of problems) console.log(`${kind}  ${where}: ${says}`)
        }
        if (!report.ok) throw new Error(`${report.problems_total} problems: what is stored was changed.`)
      }),
    )
}

const PROGRESS_EVERY_MS = 2_000

/** To standard error, so that what a program reads stays one document. */
function reportProgress(): (records: number) => void {
  let reportedAtMs = Date.now()
  return (records) => {
    if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return
    reportedAtMs = Date.now()
    console.error(`${records} records checked`)
  }
}
