import Table from 'cli-table3'
import type { Command } from 'commander'
import type { CompanyProfile, SearchCandidate } from '../client.ts'
import { connect } from '../connection.ts'
import { printJson, printPairs, wantsJson } from '../output.ts'

export function addCompanyCommands(program: Command): void {
  program
    .command('search <name...>')
    .description('companies of the register by name; free')
    .option('--postcode <code>', 'whole, or its first half')
    .option('--status <status>', 'such as active')
    .option('--limit <count>', 'at most so many', Number, 10)
    .action(
      async (words: string[], options: { postcode?: string; status?: string; limit: number }, command: Command) => {
        const criteria = { name: words.join(' '), postcode: options.postcode, companyStatus: options.status }
        const found: SearchCandidate[] = []
        for await (const company of connect().searchCompanies(criteria)) {
          if (found.length >= options.limit) break
          found.push(company)
        }
        if (wantsJson(command)) return printJson(found)
        printFound(found)
      },
    )

  program
    .command('company <number>')
    .description('what the register says about a company; free')
    .action(async (number: string, _options: object, command: Command) => {
      const profile = await connect().company(number)
      if (wantsJson(command)) return printJson(profile)
      printProfile(profile)
    })
}

function printFound(found: readonly SearchCandidate[]): void {
  if (found.length === 0) return console.log('No company of this name. Try fewer words.')
  const table = new Table({ head: ['number', 'name', 'status', 'since', 'postcode'], style: { head: [], border: [] } })
  for (const company of found) {
    table.push([
      company.company_number,
      company.company_name,
      company.company_status,
      company.incorporated_on ?? '',
      company.registered_postcode ?? '',
    ])
  }
  console.log(table.toString())
}

function printProfile(profile: CompanyProfile): void {
  console.log(`${profile.company_name}\n`)
  printPairs([
    ['number', profile.company_number],
    ['status', profile.company_status],
    ['type', profile.company_type],
    ['incorporated', profile.incorporated_on],
    ['dissolved', profile.dissolved_on],
    ['postcode', profile.registered_postcode],
    ['accounts due', profile.facts.accounts_next_due],
    ['confirmation due', profile.facts.confirmation_next_due],
    ['previous names', profile.previous_names.map(({ name }) => name).join(', ')],
  ])
}
