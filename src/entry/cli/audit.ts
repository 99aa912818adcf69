import type { Command } from 'commander'
import { type ChainProblem, getAccount, type Verified, verifyAudit } from '../../accounts/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

export function addAuditCommands(program: Command, withApp: WithApp): void {
  program
    .command('audit')
    .description('the audit logs of accounts')
    .command('verify')
    .description(
      'make the chain of every audit log again, or that of one account; fails if an entry is not what it was',
    )
    .argument('[account]', 'id (acc_…) or e-mail address')
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string | undefined, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const accountId = idOrEmail === undefined ? null : (await getAccount(app, idOrEmail)).id
        const onProgress = (entries: number) => console.error(`${entries.toLocaleString('en-GB')} entries`)
        const verified = await verifyAudit(app.db, { accountId, onProgress })
        const { problems } = verified
        if (output.json) printRecord(output, { ...presentVerified(verified), problems: problems.map(presentProblem) })
        else {
          printRecord(output, presentVerified(verified))
          if (problems.length > 0) printTable(output, problems.map(presentProblem), '')
        }
        if (problems.length > 0) throw new Error('Some entries are not what they were.')
      }),
    )
}

function presentVerified({ accounts, entries, addressesRemoved, problems, head }: Verified) {
  const end = head ? { head_hash: head.hash } : {}
  return { accounts, entries, addresses_removed: addressesRemoved, found: problems.length, ...end }
}

function presentProblem({ accountId, kind, seq, id, words }: ChainProblem) {
  return { account: accountId, kind, position: seq, row: id, problem: words }
}
