import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { DomainError } from '../../errors.ts'
import { deletePages, exportAnswer, exportDomain, verifyBodies } from '../../page-archive/index.ts'
import { deleteReading, verifyCaptures } from '../../resolution/index.ts'
import { parseDomain } from '../../resolver/index.ts'
import { type Output, printRecord, type WithApp } from './output.ts'

/** The commands for the pages that answers quote. */
export function addArchiveCommands(program: Command, withApp: WithApp): void {
  const archive = program.command('archive').description('the pages that answers quote: check, export, delete')

  archive
    .command('verify')
    .description(
      'read every kept page and compare it with its hash and with the answer that quotes it; exit code 1 when one is missing, damaged or not as the answer says',
    )
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const report = await verifyBodies(app, (checked) => showProgress(output, checked))
        const captures = await verifyCaptures(app.db, (checked) => showProgress(output, checked))
        if (!output.json && process.stderr.isTTY) process.stderr.write('\r\x1b[K')
        const { bodies, bytes, storedBytes, missing, damaged, unreachable } = report
        const examples = [...report.examples, ...captures.examples]
        const { pages, unquoted, altered, unanswered } = captures
        const counts = { bodies, bytes, stored_bytes: storedBytes, missing, damaged, unreachable, pages }
        const changed = { unquoted, altered, unanswered }
        printRecord(output, { ...counts, ...changed, examples })
        const problems = missing + damaged + unreachable + unquoted + altered + unanswered
        if (problems > 0) throw new DomainError('unavailable', ADVICE)
      }),
    )

  archive
    .command('export')
    .description('write the pages that an answer, or all answers of a domain, quote as a WARC file')
    .argument('<resolution|domain>', 'an id such as res_…, or a domain')
    .option('--output <file>', 'where to write it; <id or domain>.warc.gz by default, - for the standard output')
    .addHelpText('after', '\nEvery viewer of web archives opens it, such as replayweb.page.')
    .action(async (subject: string, options: { output?: string }, command: Command) =>
      withApp(command, async (app) => {
        const isAnswer = subject.startsWith('res_')
        const name = isAnswer ? subject : parseDomain(subject)
        const file = await (isAnswer ? exportAnswer(app, name) : exportDomain(app, name))
        if (!file) throw new DomainError('not_found', NOTHING_KEPT)
        const path = options.output ?? `${name}.warc.gz`
        if (path === '-') return pipeline(Readable.from(file), process.stdout, { end: false })
        await pipeline(Readable.from(file), createWriteStream(path))
        console.log(`Wrote ${path}.`)
      }),
    )

  archive
    .command('delete')
    .description('delete all kept pages of a domain; its answers and their quotes stay')
    .argument('<domain>')
    .option('--json', 'as JSON')
    .action(async (pasted: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const domain = parseDomain(pasted)
        // A reading of a list has its pages with it.
        await deleteReading(app.db, domain)
        printRecord(output, { domain, ...(await deletePages(app, domain)) })
      }),
    )
}

const NOTHING_KEPT =
  'No page is kept for it. Its time may be over, the answer may quote none, or PAGE_ARCHIVE was off when the site was read.'
const ADVICE =
  'Some pages are not as they were kept. Unreachable: the store outside did not answer, so run this again when it does. Missing or damaged: bring the file back from a backup of the database, folder or bucket under the same name. Unquoted: the row of the page was changed, as its answer quotes another address or hash. Altered: the time or status of its row is not the one that the answer has. Unanswered: there is no answer of its row. For these three bring the table page_capture back from a backup. The answers themselves are not affected.'

/** In a terminal one line says how far it is. */
function showProgress(output: Output, checked: number): void {
  if (output.json || !process.stderr.isTTY) return
  process.stderr.write(`\r${checked.toLocaleString('en-GB')} pages`)
}
