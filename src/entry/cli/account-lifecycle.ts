import type { Command } from 'commander'
import { getAccount, listAccounts } from '../../accounts/index.ts'
import { DomainError } from '../../errors.ts'
import { disableAccount, enableAccount, eraseAccount, exportAccount } from '../../privacy/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

const ACCOUNT_ARGUMENT = 'id (acc_…) or e-mail address'
const LISTED_MAX = 1_000
const LISTED_DEFAULT = 50

export function addLifecycleCommands(account: Command, withApp: WithApp): void {
  addList(account, withApp)
  addDisable(account, withApp)
  addEnable(account, withApp)
  addExport(account, withApp)
  addErase(account, withApp)
}

function addList(account: Command, withApp: WithApp): void {
  account
    .command('list')
    .description('accounts, newest first')
    .option('--limit <count>', `how many, at most ${LISTED_MAX}`, String(LISTED_DEFAULT))
    .option('--before <account>', 'id of the last one shown, for the next page')
    .option('--disabled', 'only those that are disabled')
    .option('--json', 'as JSON')
    .action(async (options: { limit: string; before?: string; disabled?: boolean }, command: Command) =>
      withApp(command, async (app, output) => {
        const limit = Math.min(LISTED_MAX, Math.max(1, Math.trunc(Number(options.limit)) || LISTED_DEFAULT))
        const before = options.before ?? null
        const accounts = await listAccounts(app.db, { limit, before, onlyDisabled: options.disabled === true })
        const rows = accounts.map(({ id, email, plan, createdAt, verifiedAt, disabledAt }) => ({
          account_id: id,
          email,
          plan,
          state: disabledAt ? 'disabled' : verifiedAt ? 'active' : 'unverified',
          created_at: createdAt,
        }))
        printTable(output, rows, 'No accounts.')
      }),
    )
}

function addDisable(account: Command, withApp: WithApp): void {
  account
    .command('disable')
    .description('stop an account at once: sessions, keys, connected programs, webhooks and bulk jobs')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { id, email } = await getAccount(app, idOrEmail)
        const changed = await disableAccount(app, id)
        printRecord(output, { account_id: id, email, state: 'disabled', changed })
      }),
    )
}

function addEnable(account: Command, withApp: WithApp): void {
  account
    .command('enable')
    .description('let a disabled account work again; its people sign in again and connect their programs again')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { id, email } = await getAccount(app, idOrEmail)
        const changed = await enableAccount(app, id)
        printRecord(output, { account_id: id, email, state: 'active', changed })
      }),
    )
}

function addExport(account: Command, withApp: WithApp): void {
  account
    .command('export')
    .description('everything held about an account, one JSON line for each row, without secrets')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .action(async (idOrEmail: string, _options: object, command: Command) =>
      withApp(command, async (app) => {
        const { id } = await getAccount(app, idOrEmail)
        const rows = await exportAccount(app, id, (line) => process.stdout.write(`${JSON.stringify(line)}\n`))
        console.error(`${rows} rows`)
      }),
    )
}

function addErase(account: Command, withApp: WithApp): void {
  account
    .command('erase')
    .description('replace or delete everything that says whose account it was, for good; ledger and audit trail stay')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--yes', 'needed, as this cannot be undone')
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, options: { yes?: boolean }, command: Command) =>
      withApp(command, async (app, output) => {
        const account = await getAccount(app, idOrEmail)
        if (!options.yes) {
          throw new DomainError(
            'invalid_request',
            `Erasing ${account.email} cannot be undone. Export it first if its owner wants a copy, then add --yes.`,
          )
        }
        printRecord(output, { account_id: account.id, state: 'erased', ...(await eraseAccount(app, account)) })
      }),
    )
}
