import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { approveRefund, listCases, listRequests, type RefundRequest, refuseRefund } from '../../review/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

export function addReviewCommands(program: Command, withApp: WithApp): void {
  const review = program.command('review').description('what people decided about answers')

  review
    .command('export')
    .description('write decisions and disputes as cases for the labelled set, one JSON object a line')
    .option('--output <file>', 'where to; standard output unless said')
    .option('--since <date>', 'only what was decided from then on: 2026-11-01, or with a time', parseMoment)
    .addHelpText('after', HELP)
    .action(async (options: { output?: string; since?: Date }, command: Command) =>
      withApp(command, async (app) => {
        const output = options.output === undefined ? process.stdout : createWriteStream(options.output)
        let count = 0
        for await (const one of listCases(app.db, { since: options.since ?? null })) {
          if (!output.write(`${JSON.stringify(one)}\n`)) await once(output, 'drain')
          count += 1
        }
        if (output !== process.stdout) {
          output.end()
          await finished(output)
        }
        process.stderr.write(`${count} ${count === 1 ? 'case' : 'cases'}\n`)
      }),
    )
}

const HELP = `
Every line is a decision that is in force: the domain, what is expected of it and what was answered, the action, the
reason, and the words of the site. No account, e-mail address or name of a person is in it. \`expected.outcome\` is null
after a dispute that names no other company: all that is known then is \`expected.not_company_number\`.

Examples:
  nameplated review export --output cases.jsonl
  nameplated review export --since 2026-11-01 | jq -r 'select(.action == "dispute") | .domain'`

function parseMoment(typed: string): Date {
  const at = new Date(typed)
  if (!/^\d{4}-\d{2}-\d{2}/.test(typed) || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('Give a date such as 2026-11-01, or a time such as 2026-11-01T09:00:00Z.')
  }
  return at
}

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
