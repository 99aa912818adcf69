import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { listCases } from '../../review/index.ts'
import type { WithApp } from './assembly.ts'

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
