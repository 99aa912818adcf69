import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { DomainError } from '../../errors.ts'
import { importLinks } from '../../resolution/index.ts'
import { printRecord, type WithApp } from './output.ts'

export function addLinksCommands(program: Command, withApp: WithApp): void {
  const links = program
    .command('links')
    .description('companies’ domains from other lists: candidates to check, never proof')

  links
    .command('import')
    .description('load a CSV with the columns company_number, domain and source')
    .argument('<csv>', 'a file')
    .option('--source <name>', 'where rows without a source come from', 'imported')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nFor open data such as Wikidata, gender-pay-gap and charity extracts. A link is checked when a customer asks for the\ncompany’s web site, and counts only if the site proves it. Importing twice adds nothing.',
    )
    .action(async (path: string, options: { source: string }, command: Command) =>
      withApp(command, async (app, output) => {
        const file = await stat(path).catch(() => null)
        if (!file?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
        const isWatched = !output.json && process.stderr.isTTY
        const report = await importLinks(app, createReadStream(path), {
          source: options.source,
          onRows: (rows) => isWatched && process.stderr.write(`\r${rows} rows `),
        })
        if (isWatched) process.stderr.write('\n')
        const { badLines, ...figures } = report
        printRecord(output, output.json ? { ...report } : figures)
        if (!output.json) for (const line of badLines) console.log(line)
      }),
    )
}
