/** `nameplate` for whoever has an account: it speaks to the public API and needs nothing else of the service. */
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../../src/config.ts'
import { addListenCommand } from '../../src/entry/cli/listen.ts'
import { DomainError } from '../../src/errors.ts'
import { VERSION } from '../../src/version.ts'
import { NameplateError } from '../typescript/src/index.ts'
import { addBulkCommand } from './commands/bulk.ts'
import { addCompanyCommands } from './commands/company.ts'
import { addLoginCommand } from './commands/login.ts'
import { addResolveCommand } from './commands/resolve.ts'
import { addWatchCommands } from './commands/watch.ts'
import { findConnection, NotConnected } from './connection.ts'

const EXIT = { ok: 0, refused: 1, usage: 2 } as const

/** Runs one command line and answers its exit code: 0 done, 1 refused or failed, 2 wrong usage or no connection. */
export async function runClient(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(argv, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (error instanceof NotConnected || error instanceof ConfigError) return say(error.message, EXIT.usage)
    if (error instanceof NameplateError || error instanceof DomainError) return say(describe(error), EXIT.refused)
    return say(error instanceof Error ? error.message : String(error), EXIT.refused)
  }
}

function createProgram(): Command {
  const program = new Command('nameplate')
    .description('Which UK registered company is behind this web domain? With proof.')
    .version(VERSION)
    .option('--json', 'for programs: JSON instead of text')
    .exitOverride()
    .addHelpText('after', AFTER_HELP)
  addLoginCommand(program)
  addResolveCommand(program)
  addCompanyCommands(program)
  addWatchCommands(program)
  addBulkCommand(program)
  addListenCommand(program, { loadConfig: refuseConfig })
  useKeptConnection(program)
  for (const command of program.commands) command.exitOverride()
  return program
}

const AFTER_HELP = `
First:      nameplate login --url https://api.example.com
Then:       nameplate resolve example.co.uk
            nameplate bulk leads.csv

NAMEPLATE_API_KEY and NAMEPLATE_API_URL of the environment go before what login kept.`

/** `listen` takes its address and key as options; what login kept stands in for them. */
function useKeptConnection(program: Command): void {
  const connection = findConnection()
  const listen = program.commands.find((command) => command.name() === 'listen')
  if (!connection || !listen) return
  listen.setOptionValueWithSource('apiKey', connection.apiKey, 'default')
  listen.setOptionValueWithSource('apiUrl', new URL(connection.baseUrl), 'default')
}

function refuseConfig(): never {
  throw new NotConnected()
}

function describe(error: NameplateError | DomainError): string {
  if (error instanceof DomainError) return error.message
  const fields = error.fields.map(({ field, message }) => `\n  ${field} ${message}`).join('')
  return `${error.detail}${fields}${error.requestId ? `\n(${error.code}, request ${error.requestId})` : ''}`
}

function say(text: string, code: number): number {
  console.error(text)
  return code
}
