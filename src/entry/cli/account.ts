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
  PLAN_NAMES,
  PLANS,
  type PlanName,
  revealApiKeys,
} from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { findUnbalancedAccounts, getBalance, listEntries } from '../../credits/index.ts'
import { newId } from '../../lib/ids.ts'
import { addLifecycleCommands } from './account-lifecycle.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

const GRANT_CREDITS_MAX = 10_000_000
const LEDGER_LIMIT_MAX = 1_000
const ACCOUNT_ARGUMENT = 'id (acc_…) or e-mail address'

export function addAccountCommands(program: Command, withApp: WithApp): void {
  const account = program.command('account').description('make, look at and change accounts')
  addCreate(account, withApp)
  addShow(account, withApp)
  addGrant(account, withApp)
  addPlan(account, withApp)
  addSignOut(account, withApp)
  addLedger(account, withApp)
  addCheck(account, withApp)
  addLifecycleCommands(account, withApp)
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

function addShow(account: Command, withApp: WithApp): void {
  account
    .command('show')
    .description('plan, credits and keys of an account')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        printRecord(output, await describeAccount(app, await getAccount(app, idOrEmail)))
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

function addSignOut(account: Command, withApp: WithApp): void {
  account
    .command('sign-out')
    .description('end every session of an account and every connected program; its API keys go on working')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { id, email } = await getAccount(app, idOrEmail)
        await endSessions(app, id)
        printRecord(output, { account_id: id, email, signed_out: true })
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
        const { entries } = await listEntries(app.db, { accountId: id, limit: options.limit, offset: 0 })
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
