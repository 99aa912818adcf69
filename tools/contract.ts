/** `npm run contract`: every row of the contract against a running deployment. */
import { Command, CommanderError, Option } from 'commander'
import { DEVELOPMENT, type Options, toDeployment } from './contract/deployment.ts'
import { formatCounts, formatRow, toReport } from './contract/report.ts'
import { runContract } from './contract/run.ts'

const EXIT = { ok: 0, failed: 1, notAllShown: 2, usage: 64 } as const

const program = new Command('npm run contract --')
  .description(
    'Shows every row of the contract on a running deployment: each endpoint and status, each transition, error and limit.\nIt is a client like any other: it sends HTTP requests and knows nothing of what is inside.',
  )
  .option('--base-url <url>', `the API; without it that of npm run dev, ${DEVELOPMENT.baseUrl}`)
  .option('--site-url <url>', 'the site; without it the same as the API')
  .option('--json', 'the results as one JSON object on one line, instead of the table')
  .option('--mailbox-url <url>', 'where the e-mails it sends can be read; the run then opens accounts of its own')
  .option('--outside-url <url>', 'where the register can be changed and webhooks can be seen to arrive')
  .option('--env-file <file>', 'settings for a second process of the service, whose database is then taken away')
  .option('--email <address>', 'a ready account, for where there is no mailbox')
  .addOption(new Option('--password <password>', 'its password').env('CONTRACT_PASSWORD'))
  .addOption(new Option('--api-key <key>', 'its live key, where there is no password').env('CONTRACT_API_KEY'))
  .addOption(new Option('--test-api-key <key>', 'its test key, likewise').env('CONTRACT_TEST_API_KEY'))
  .option('--webhook-url <url>', 'a public https address, registered as a destination for a moment')
  .option('--matched-domain <domain>', 'a domain whose company can be found; costs a credit')
  .option('--review-domain <domain>', 'one that needs review')
  .option('--unmatched-domain <domain>', 'one of an owner who is not in the register')
  .option(
    '--website-company <number>',
    'a company whose web site can be verified, not that of the matched domain; costs a credit',
  )
  .option('--changing-companies <two numbers>', 'two companies that may be changed at the outside page')
  .exitOverride()
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText(
    'after',
    `
Against npm run dev no option is needed: mailbox, outside page, settings and samples are known.

Examples:
  npm run contract
  npm run contract -- --base-url https://api.example.com --site-url https://example.com --email ops@example.com --password …
  npm run contract -- --json | jq '.results[] | select(.ok | not)'

An account that is given is left as it was, but for credits spent on samples, and its rate limit for partner
enrichment is used up for some seconds. A row that needs what was not given is
"not shown", with the reason: that is not a pass.

Exit code 0 when every row passed; 1 when one failed; 2 when none failed but some were not shown; 64 for wrong usage.`,
  )
  .action(run)

async function run(options: Options & { json?: boolean }): Promise<void> {
  const deployment = toDeployment(options)
  const startedAt = Date.now()
  let area: string | null = null
  const results = await runContract(deployment, (result) => {
    if (!options.json) console.log(formatRow(result, area))
    area = result.area
  })
  const report = toReport(deployment, results, (Date.now() - startedAt) / 1_000)
  console.log(options.json ? JSON.stringify(report) : formatCounts(report))
  process.exitCode = report.failed > 0 ? EXIT.failed : report.not_shown > 0 ? EXIT.notAllShown : EXIT.ok
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = explainFailure(error)
}

function explainFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  console.error(error instanceof Error ? error.message : error)
  return EXIT.failed
}
