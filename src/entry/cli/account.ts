import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type Account,
  changePlan,
  createVerifiedAccount,
  describeApiKeys,
  endSessions,
  getAccount,
  grantByOperator,
  listAccounts,
  PLAN_NAMES,
  PLANS,
  type PlanName,
  revealApiKeys,
} from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { findUnbalancedAccounts, getBalance, listEntries } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { disableAccount, enableAccount, eraseAccount, exportAccount } from '../../privacy/index.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

const GRANT_CREDITS_MAX = 10_000_000
const LEDGER_LIMIT_MAX = 1_000
const LISTED_MAX = 1_000
const LISTED_DEFAULT = 50
const ACCOUNT_ARGUMENT = 'id (acc_…) or e-mail address'

export function addAccountCommands(program: Command, withApp: WithApp): void {
  const account = program.command('account').description('make, look at and change accounts')
  addCreate(account, withApp)
  addChange(account, withApp, {
    name: 'show',
    description: 'plan, credits and keys of an account',
    change: describeAccount,
  })
  addGrant(account, withApp)
  addPlan(account, withApp)
  addChange(account, withApp, {
    name: 'sign-out',
    description: 'end every session of an account and every connected program; its API keys go on working',
    change: async (app, { id, email }) => {
      await endSessions(app, id)
      return { account_id: id, email, signed_out: true }
    },
  })
  addLedger(account, withApp)
  addCheck(account, withApp)
  addList(account, withApp)
  addChange(account, withApp, {
    name: 'disable',
    description: 'stop an account at once: sessions, keys, connected programs, webhooks and bulk jobs',
    change: async (app, { id, email }) => {
      return { account_id: id, email, state: 'disabled', changed: await disableAccount(app, id) }
    },
  })
  addChange(account, withApp, {
    name: 'enable',
    description: 'let a disabled account work again; its people sign in again and connect their programs again',
    change: async (app, { id, email }) => {
      return { account_id: id, email, state: 'active', changed: await enableAccount(app, id) }
    },
  })
  addExport(account, withApp)
  addErase(account, withApp)
}

/** Adds a command that takes an account and nothing else, and shows a record. */
function addChange(
  account: Command,
  withApp: WithApp,
  command: {
    name: string
    description: string
    change: (app: App, account: Account) => Promise<Record<string, unknown>>
  },
): void {
  account
    .command(command.name)
    .description(command.description)
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, _options: object, called: Command) =>
      withApp(called, async (app, output) => {
        printRecord(output, await command.change(app, await getAccount(app, idOrEmail)))
      }),
    )
}

function addCreate(account: Command, withApp: WithApp): void {
  account
    .command('create')
    .description('make a verified account with its welcome credits and show its keys')
    .argument('<email>')
    .option('--password <password>', 'made up and shown when left out')
    .option('--json', 'as JSON')
    .action(async (email: string, options: { password?: string }, command: Command) =>
      withApp(command, async (app, output) => {
        const password = options.password ?? randomBytes(12).toString('base64url')
        const created = await createVerifiedAccount(app, { email, password })
        const keys = await revealApiKeys(app, created.id)
        printRecord(output, {
          account_id: created.id,
          email: created.email,
          ...(options.password ? {} : { password }),
          api_key: keys.live,
          test_api_key: keys.test,
        })
      }),
    )
}

function addGrant(account: Command, withApp: WithApp): void {
  account
    .command('grant')
    .description('give credits')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .argument('<credits>', 'how many', parseCount(GRANT_CREDITS_MAX))
    .option('--reference <text>', 'what for; the same reference is granted once, so a repeat is harmless')
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, amountCredits: number, options: { reference?: string }, command: Command) =>
      withApp(command, async (app, output) => {
        const { id, email } = await getAccount(app, idOrEmail)
        const reference = options.reference ?? newId('aud')
        const balance = await grantByOperator(app, { accountId: id, amountCredits, reference })
        const granted = balance === null ? 0 : amountCredits
        if (granted === 0 && !output.json) console.log('This reference was granted before; nothing was added.')
        printRecord(output, {
          account_id: id,
          email,
          granted,
          reference,
          ...(balance ?? (await getBalance(app.db, id))),
        })
      }),
    )
}

function addPlan(account: Command, withApp: WithApp): void {
  account
    .command('plan')
    .description('move an account to another plan, from today and with a full month of credits')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .argument('<plan>', PLAN_NAMES.join(', '), parsePlan)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, plan: PlanName, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { id } = await getAccount(app, idOrEmail)
        printRecord(output, await describeAccount(app, await changePlan(app, { accountId: id, plan })))
      }),
    )
}

function addLedger(account: Command, withApp: WithApp): void {
  account
    .command('ledger')
    .description('every movement of credits, newest first')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .addOption(new Option('--limit <count>', 'how many').default(20).argParser(parseCount(LEDGER_LIMIT_MAX)))
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, options: { limit: number }, command: Command) =>
      withApp(command, async (app, output) => {
        const { id } = await getAccount(app, idOrEmail)
        const { entries } = await listEntries(app.db, {
          accountId: id,
          mode: 'live',
          limit: options.limit,
          offset: 0,
        })
        const rows = entries.map((entry) => ({
          at: entry.createdAt,
          kind: entry.kind,
          amount: entry.amountCredits,
          reason: entry.reason,
          reference: entry.reference,
          balance: entry.balanceAfter,
          held: entry.heldAfter,
        }))
        printTable(output, rows, 'No entries yet.')
      }),
    )
}

function addCheck(account: Command, withApp: WithApp): void {
  account
    .command('check')
    .description('compare every balance with the sum of its ledger; fails if one differs')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const unbalanced = await findUnbalancedAccounts(app.db)
        printRecord(output, { unbalanced: unbalanced.length, accounts: unbalanced.join(', ') || null })
        if (unbalanced.length > 0) throw new Error('Some balances are not the sum of their ledgers.')
      }),
    )
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
    .description('replace or delete everything that says whose account it was, for good; ledger and audit log stay')
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

async function describeAccount(app: App, account: Account): Promise<Record<string, unknown>> {
  const [credits, keys] = await Promise.all([getBalance(app.db, account.id), describeApiKeys(app.db, account.id)])
  return {
    account_id: account.id,
    email: account.email,
    verified: account.verifiedAt !== null,
    disabled_at: account.disabledAt,
    created_at: account.createdAt,
    plan: account.plan,
    monthly_credits: PLANS[account.plan].monthlyCredits,
    renews_on: account.planRenewsOn,
    ...credits,
    api_key: `${keys.live.prefix}…${keys.live.last4}`,
    test_api_key: `${keys.test.prefix}…${keys.test.last4}`,
  }
}

function parseCount(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!Number.isInteger(count) || count < 1 || count > max)
      throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`)
    return count
  }
}

function parsePlan(text: string): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text)
  if (!plan) throw new InvalidArgumentError(`Choose one of ${PLAN_NAMES.join(', ')}.`)
  return plan
}
