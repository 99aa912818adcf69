import { Command, CommanderError } from 'commander'
import { closeApp, openApp } from '../../app.ts'
import { ConfigError, toOwner } from '../../config.ts'
import { openTypesetters } from '../../evidence/index.ts'
import { createLog } from '../../lib/log.ts'
import { openReaderThreads } from '../../resolver/index.ts'
import { VERSION } from '../../version.ts'
import { addAccountCommands } from './account.ts'
import { addArchiveCommands } from './archive.ts'
import { addAuditCommands } from './audit.ts'
import { addEvidenceCommands } from './evidence.ts'
import { addIncidentCommands } from './incident.ts'
import { addJobsCommands } from './jobs.ts'
import { addLinksCommands } from './lists.ts'
import { type Assembly, describeFailure, type WithApp } from './output.ts'
import { addPersonCommands } from './person.ts'
import { addRegisterCommands } from './register.ts'
import { addResolveCommand } from './resolve.ts'
import { addRefundCommands, addReviewCommands } from './review.ts'
import { addSecondReaderCommands } from './second-reader.ts'
import { addKeyCommands, addSecretsCommands } from './secrets.ts'
import { addServiceCommands } from './service.ts'
import { addSweepCommands } from './sweep.ts'

const EXIT = { ok: 0, refused: 1, usage: 2 } as const

/** Runs one command line and answers its exit code: 0 done, 1 refused or failed, 2 wrong usage or configuration. */
export async function runCommandLine(assembly: Assembly, argv: readonly string[]): Promise<number> {
  const program = createProgram(assembly)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (error instanceof ConfigError) return say(error.message, EXIT.usage)
    return say(describeFailure(error), EXIT.refused)
  }
}

function createProgram(assembly: Assembly): Command {
  const program = new Command('nameplated')
    .description(
      'Runs the Nameplate service and operates it. Settings come from the environment; see .env.example.\nThe program of customers is called nameplate.',
    )
    .version(VERSION)
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see how it is used.')
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
  const withApp: WithApp = async (command, work, kind = 'command') => {
    const loaded = assembly.loadConfig(kind)
    const config = kind === 'register' ? toOwner(loaded) : loaded
    // A command's own words go to the terminal; the log would only be in their way.
    const app = await openApp(config, {
      runsJobs: false,
      log: createLog({ level: 'silent' }),
      readerThreads: openReaderThreads(),
      typesetters: openTypesetters(),
    })
    try {
      await work(app, { json: command.optsWithGlobals<{ json?: boolean }>().json === true })
    } finally {
      await closeApp(app)
    }
  }
  addServiceCommands(program, assembly)
  addAccountCommands(program, withApp)
  addAuditCommands(program, withApp)
  addKeyCommands(program, withApp)
  addSecretsCommands(program, withApp)
  addJobsCommands(program, withApp)
  addArchiveCommands(program, withApp)
  addEvidenceCommands(program, withApp)
  addIncidentCommands(program, withApp)
  addPersonCommands(program, withApp)
  addRegisterCommands(program, withApp)
  addRefundCommands(program, withApp)
  addResolveCommand(program, withApp)
  addSecondReaderCommands(program, withApp)
  addLinksCommands(program, withApp)
  addSweepCommands(program, withApp)
  addReviewCommands(program, withApp)
  return program
}

const EXAMPLES = `
Examples:
  nameplated migrate                                 bring the database to this version
  nameplated all                                     answer requests and run jobs in one process
  nameplated account create ann@example.com          make an account and show its keys
  nameplated account grant ann@example.com 100 --reference "invoice 17"
  nameplated audit verify                            check that no entry of an audit log was changed
  nameplated secrets reseal                          move stored secrets to the newest keys
  nameplated jobs list                               queues and dead letters
  nameplated archive export example.co.uk            the pages that its answers quote, as a WARC file
  nameplated register import BasicCompanyDataAsOneFile-2026-11-01.zip
  nameplated resolve example.co.uk --explain         which company runs this site, and why`

function say(message: string, exitCode: number): number {
  console.error(message)
  return exitCode
}
