import { type Command, InvalidArgumentError } from 'commander'
import { type ChainProblem, getAccount, type Verified, verifyAudit } from '../../accounts/index.ts'
import { anchorAudit, type VerifiedAnchors, verifyAnchors } from '../../evidence/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

export function addAuditCommands(program: Command, withApp: WithApp): void {
  const audit = program.command('audit').description('the audit logs of accounts')
  audit
    .command('anchor')
    .description('sign today’s anchor of the audit logs now; a job does it every day')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        // Commands are silent otherwise. This line is part of the log of each day.
        const log = createLog({ level: 'info', destination: process.stderr })
        const anchor = await anchorAudit({ ...app, log })
        printRecord(output, { number: anchor?.number ?? null, digest: anchor?.digest.toString('hex') ?? null })
      }),
    )

  audit
    .command('verify')
    .description(
      'make the chain of every audit log again, or that of one account, and compare it with the signed anchors; fails if an entry is not what it was',
    )
    .argument('[account]', 'id (acc_…) or e-mail address')
    .option(
      '--addresses-days <days>',
      'addresses of older entries may be gone; ADDRESS_RETENTION_DAYS, or less if that was less before',
      parseDays,
    )
    .option('--anchor <digest>', 'the digest of an anchor that you kept elsewhere: fails where it is gone', parseDigest)
    .option(
      '--known-gaps <digests>',
      'digests, with commas between them, of anchors before which none was made for days, as you know, such as while no job ran',
      parseDigests,
    )
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string | undefined, options: Options, command: Command) =>
      withApp(command, async (app, output) => {
        const accountId = idOrEmail === undefined ? null : (await getAccount(app, idOrEmail)).id
        const onProgress = (entries: number) => console.error(`${entries.toLocaleString('en-GB')} entries`)
        const days = options.addressesDays ?? app.config.addressRetentionDays
        const addressesBefore = addSeconds(app.clock.now(), -days * 86_400)
        const verified = await verifyAudit(app.db, { accountId, addressesBefore, onProgress })
        const { anchor: kept = null, knownGaps = [] } = options
        const anchors = await verifyAnchors(app, { accountId, kept, knownGaps })
        const problems = [...verified.problems, ...anchors.problems]
        const summary = presentVerified({ ...verified, problems }, anchors)
        const { gaps } = anchors
        if (output.json) printRecord(output, { ...summary, gaps, problems: problems.map(presentProblem) })
        else {
          printRecord(output, summary)
          for (const gap of gaps) console.log(gap)
          if (problems.length > 0) printTable(output, problems.map(presentProblem), '')
        }
        if (problems.some(({ kind }) => kind !== 'anchor')) throw new Error('Some entries are not what they were.')
        if (problems.length > 0) throw new Error('The anchors do not prove that all entries are what they were.')
      }),
    )
}

interface Options {
  addressesDays?: number
  anchor?: string
  knownGaps?: string[]
}

function parseDigest(text: string): string {
  const digest = text.toLowerCase()
  if (/^[0-9a-f]{64}$/.test(digest)) return digest
  throw new InvalidArgumentError('Give 64 characters of hex, as `evidence.audit_anchored` in the log has them.')
}

function parseDigests(text: string): string[] {
  return text.split(',').map(parseDigest)
}

const DAYS_MAX = 3_650

function parseDays(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= DAYS_MAX) return days
  throw new InvalidArgumentError(`Give a whole number from 1 to ${DAYS_MAX}.`)
}

function presentVerified(
  { accounts, entries, addressesRemoved, problems, head }: Verified,
  { anchors, newest }: VerifiedAnchors,
) {
  const ends = { ...(head ? { head_hash: head.hash } : {}), ...(newest === null ? {} : { newest_anchor: newest }) }
  return { accounts, entries, addresses_removed: addressesRemoved, anchors, found: problems.length, ...ends }
}

function presentProblem({ accountId, kind, seq, id, words }: ChainProblem) {
  return { account: accountId, kind, position: seq, row: id, problem: words }
}
