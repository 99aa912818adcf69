/** `nameplate`, the program of a customer: it calls the public API and needs nothing else of the service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { addBulkCommand } from './commands/bulk.ts'
import { addCompanyCommands } from './commands/company.ts'
import { addListenCommand } from './commands/listen.ts'
import { addLoginCommand } from './commands/login.ts'
import { addResolveCommand } from './commands/resolve.ts'
import { addVerifyCommand } from './commands/verify.ts'
import { addWatchCommands } from './commands/watch.ts'
import { NotConnected } from './connection.ts'
import { describeFailure } from './failure.ts'

const EXIT = { ok: 0, refused: 1, usage: 2 } as const

/** Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage or not logged in. */
export async function runClient(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(argv, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    console.error(describeFailure(error))
    return error instanceof NotConnected ? EXIT.usage : EXIT.refused
  }
}

function createProgram(): Command {
  const program = new Command('nameplate')
    .description('Which UK registered company is behind this web domain? With proof.')
    .version(readVersion())
    .option('--json', 'for programs: JSON instead of text')
    .exitOverride()
    .addHelpText('after', AFTER_HELP)
  addLoginCommand(program)
  addResolveCommand(program)
  addCompanyCommands(program)
  addWatchCommands(program)
  addBulkCommand(program)
  addListenCommand(program)
  addVerifyCommand(program)
  for (const command of program.commands) command.exitOverride()
  return program
}

function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

const AFTER_HELP = `
First:      nameplate login --url https://api.example.com
Then:       nameplate resolve example.co.uk
            nameplate bulk leads.csv
            nameplate verify evidence.json --keys keys.json

NAMEPLATE_API_KEY and NAMEPLATE_API_URL of the environment come before what login stored.`
