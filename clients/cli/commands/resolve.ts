import type { Command } from 'commander'
import type { PendingJob, Resolution } from '../client.ts'
import { connect } from '../connection.ts'
import { ProgressLine, printJson, printPairs, wantsJson } from '../output.ts'
import { formatShare } from '../wording.ts'

const QUOTES_MAX = 5

export function addResolveCommand(program: Command): void {
  program
    .command('resolve <domain>')
    .description('the company behind a domain, with the words that prove it; a match costs one credit')
    .option('--wait <seconds>', 'for a site that has to be read', Number, 60)
    .action(async (domain: string, options: { wait: number }, command: Command) => {
      using progress = new ProgressLine()
      const startedAt = Date.now()
      progress.show(`${domain} …`)
      const answer = await connect().resolve(domain, {
        waitSeconds: options.wait,
        onProgress: (job) => progress.show(describeProgress(domain, job, startedAt)),
      })
      progress[Symbol.dispose]()
      if (wantsJson(command)) return printJson(answer)
      printAnswer(answer)
    })
}

function describeProgress(domain: string, { progress }: PendingJob, startedAt: number): string {
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  const pages = progress?.pages.length ?? 0
  return `${domain}: ${progress?.step ?? 'queued'}${pages > 0 ? `, ${pages} ${pages === 1 ? 'page' : 'pages'}` : ''} (${seconds} s)`
}

const OUTCOMES: Record<Resolution['outcome'], string> = {
  matched: 'Matched',
  needs_review: 'A person must look',
  no_match: 'No UK company found',
  non_uk_entity: 'Not a UK company',
  scrape_failed: 'The site could not be read',
}

function printAnswer(answer: Resolution): void {
  const { company, outcome, confidence } = answer
  const sure = confidence === null ? '' : ` (${formatShare(confidence)})`
  console.log(`${answer.domain}: ${OUTCOMES[outcome]}${outcome === 'matched' ? sure : ''}`)
  if (company) console.log(`\n${company.company_name}, ${company.company_number}, ${company.company_status}`)
  console.log(answer.reason)
  for (const { quote, url } of answer.evidence.slice(0, QUOTES_MAX)) console.log(`\n  “${quote}”\n  ${url}`)
  if (outcome === 'needs_review') {
    console.log('\nCandidates:')
    printPairs(
      answer.candidates.map((one) => [one.company_number, `${one.company_name}, ${formatShare(one.confidence)}`]),
    )
  }
  console.log(`\n${answer.charged ? 'One credit was spent.' : `Nothing was charged (${answer.charge_reason}).`}`)
}
