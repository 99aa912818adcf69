import { type Command, InvalidArgumentError } from 'commander'
import { approveRefund, listRequests, type RefundRequest, refuseRefund } from '../../review/index.ts'
import type { WithApp } from './assembly.ts'
import { printRecord, printTable } from './output.ts'

export function addRefundCommands(program: Command, withApp: WithApp): void {
  const refunds = program.command('refunds').description('refunds of disputed matches that wait for a decision')

  refunds
    .command('list')
    .description('what waits, oldest first; with --all the newest of every state')
    .option('--all', 'also those that are decided')
    .option('--json', 'as JSON')
    .action(async (options: { all?: boolean }, command: Command) =>
      withApp(command, async (app, output) => {
        const requests = await listRequests(app.db, { all: options.all === true })
        printTable(output, requests.map(describe), 'No refund waits for a decision.')
      }),
    )

  const decisions = { approve: approveRefund, refuse: refuseRefund }
  for (const [name, decide] of Object.entries(decisions)) {
    refunds
      .command(name)
      .description(name === 'approve' ? 'give the credit back' : 'keep the credit; the dispute itself stays')
      .argument('<refund>', 'id (rfd_…)')
      .requiredOption('--by <name>', 'who decides', parseWords)
      .option('--note <text>', 'why', parseWords)
      .option('--json', 'as JSON')
      .action(async (id: string, options: { by: string; note?: string }, command: Command) =>
        withApp(command, async (app, output) => {
          printRecord(output, describe(await decide(app, { id, operator: options.by, note: options.note ?? null })))
        }),
      )
  }
}

const WORDS_LENGTH_MAX = 500

function parseWords(typed: string): string {
  const words = typed.trim()
  if (words === '' || words.length > WORDS_LENGTH_MAX) {
    throw new InvalidArgumentError(`Give from 1 to ${WORDS_LENGTH_MAX} characters.`)
  }
  return words
}

function describe(request: RefundRequest) {
  return {
    refund: request.id,
    account_id: request.accountId,
    domain: request.fact.domain,
    company_number: request.fact.companyNumber,
    status: request.status,
    site_says: request.finding,
    requested_at: request.requestedAt.toISOString(),
    decided_by: request.decidedBy,
    note: request.note,
  }
}
