import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { DomainError } from '../../errors.ts'
import { parseDomain, QuestionRecorder, resolveDomain } from '../../resolver/index.ts'
import type { WithApp } from './output.ts'

const DOMAINS_MAX = 1_000
const TOOL = join(import.meta.dirname, '../../../tools/accuracy.ts')

export function addSecondReaderCommands(program: Command, withApp: WithApp): void {
  const reader = program.command('second-reader').description('what a language model would be asked about sites')
  reader
    .command('cases')
    .description('write the questions about sites to a file: both tasks, one line of JSON each, nothing is sent')
    .argument('<world or domains...>', 'domains, or one folder or .tar.gz of a world')
    .requiredOption('--out <file>', 'where to write them')
    .action(async (given: string[], { out }: { out: string }, command: Command) => {
      const [first = ''] = given
      if (existsSync(first)) return writeWorld(first, out)
      await withApp(command, async (app) => {
        if (given.length > DOMAINS_MAX)
          throw new DomainError('invalid_request', `Give at most ${DOMAINS_MAX} domains at a time.`)
        const recorder = new QuestionRecorder()
        for (const [index, domain] of given.map((one) => parseDomain(one)).entries()) {
          console.error(`Reading ${domain} (${index + 1} of ${given.length}) …`)
          await resolveDomain({ ...app, secondReader: recorder }, domain)
        }
        writeFileSync(out, recorder.format())
        console.log(`${recorder.questions.length} questions written to ${out}.`)
      })
    })
}

/** A world needs its own register and web, which the tools of the repository bring. */
function writeWorld(world: string, out: string): void {
  if (!existsSync(TOOL))
    throw new DomainError('invalid_request', 'Worlds are read in a checkout of the repository: npm run accuracy.')
  execFileSync(process.execPath, [TOOL, world, '--cases', out], { stdio: 'inherit' })
}
