import type { Command } from 'commander'
import { anchorAudit, listEvidenceKeys, publishHead, rotateEvidenceKey, verifyLog } from '../../evidence/index.ts'
import { createLog } from '../../lib/log.ts'
import { printJson, printRecord, printTable, type WithApp } from './output.ts'

export function addEvidenceCommands(program: Command, withApp: WithApp): void {
  const evidence = program.command('evidence').description('keys and log of evidence records')
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
    .description('check every record, the log and its published heads; exits with 1 where anything was changed')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const report = await verifyLog(app, reportProgress())
        const { problems, ...counts } = report
        if (output.json) printJson(report)
        else {
          printRecord(output, counts)
          for (const { kind, where, says } of problems) console.log(`${kind}  ${where}: ${says}`)
        }
        if (!report.ok) throw new Error(`${report.problems_total} problems: what is stored was changed.`)
      }),
    )

  evidence
    .command('publish')
    .description('sign and publish the head of the log now, and the anchor of audit logs; a job does it every day')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const size = await publishHead(app)
        // Commands are silent otherwise. This line is part of the log of each day.
        const log = createLog({ level: 'info', destination: process.stderr })
        const anchor = await anchorAudit({ ...app, log })
        const digest = anchor?.root.toString('hex') ?? null
        printRecord(output, { published_size: size, audit_anchor: anchor?.number ?? null, anchor_digest: digest })
      }),
    )
}

const PROGRESS_EVERY_MS = 2_000

/** To standard error, so that what a program reads stays one document. */
function reportProgress(): (entries: number) => void {
  let reportedAtMs = Date.now()
  return (entries) => {
    if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return
    reportedAtMs = Date.now()
    console.error(`${entries} entries checked`)
  }
}
