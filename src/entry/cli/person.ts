import type { Command } from 'commander'
import { DomainError } from '../../errors.ts'
import { withholdPerson } from '../../privacy/index.ts'
import { listWithheld, parseCompanyNumber, releaseWithheld } from '../../register/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

/** The commands for people in the register who object to being shown. */
export function addPersonCommands(program: Command, withApp: WithApp): void {
  const person = program.command('person').description('withhold the names of people in the register')

  person
    .command('withhold')
    .description(
      'remove a person’s name from everything we store, show and send, also when the register sends it again',
    )
    .argument('<name>', 'as the register writes it, with all forenames, such as "SMITH, Jane Anne"')
    .option('--born <month>', 'month of birth as YYYY-MM: finds the person in every company')
    .option('--company <number>', 'finds the person in this company; for records without a month of birth')
    .requiredOption('--reference <text>', 'your number for the request; it should name no person')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample: nameplated person withhold "SMITH, Jane Anne" --born 1975-06 --reference DSR-17')
    .action(async (name: string, options: WithholdOptions, command: Command) =>
      withApp(command, async (app, output) => {
        const birth = options.born === undefined ? null : parseMonth(options.born)
        const companyNumber = options.company === undefined ? null : parseNumber(options.company)
        const request = { name, birth, companyNumber, reference: options.reference }
        const say = (step: string) => output.json || console.error(`removing the name from ${step} …`)
        const { personId, records } = await withholdPerson(app, request, say)
        printRecord(output, { id: personId, records_changed: records })
      }),
    )

  person
    .command('list')
    .description('the people whose names are withheld, by your numbers; their names are not stored')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const people = await listWithheld(app.db)
        printTable(
          output,
          people.map(({ personId, reference, companies, withheldAt }) => ({
            id: personId,
            reference,
            companies,
            withheld: withheldAt,
          })),
          'No names are withheld. Withhold one with: nameplated person withhold <name> --born <month> --reference <text>',
        )
      }),
    )

  person
    .command('release')
    .description('take a person off the list; the name comes back when the register sends it again')
    .argument('<id>', 'wpn_…')
    .option('--json', 'as JSON')
    .action(async (id: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        if (!(await app.db.transaction((tx) => releaseWithheld(tx, id))))
          throw new DomainError('not_found', `There is no person ${id} on the list. See: nameplated person list`)
        printRecord(output, { id, released: true })
      }),
    )
}

interface WithholdOptions {
  born?: string
  company?: string
  reference: string
}

function parseMonth(text: string): { year: number; month: number } {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (!year || !month) throw new DomainError('invalid_request', 'Give the month of birth as YYYY-MM, such as 1975-06.')
  return { year: Number(year), month: Number(month) }
}

function parseNumber(text: string): string {
  const number = parseCompanyNumber(text)
  if (number === null)
    throw new DomainError('invalid_request', `${text} is not a company number. Give 8 characters, such as 01234567.`)
  return number
}
