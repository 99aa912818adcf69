/** One sequence of commands: accounts and sites of its own, over the service that all sequences share. */
import { changePlan, revealApiKeys } from '../../../src/accounts/index.ts'
import { grantByOperator } from '../../../src/accounts/operators.ts'
import { insertAccount } from '../../../src/accounts/sign-up/signup.ts'
import { addMonthsToDate, toLondonDate } from '../../../src/lib/clock.ts'
import type { Stage } from './stage.ts'
import { HOUR, type Model, type ModelAccount } from './state.ts'
import { makeSites } from './subjects.ts'

export interface Opening {
  /** Credits of each account, before its plan. */
  credits: [number, number]
  /** The second account has a plan with monthly credits. */
  hasPlan: boolean
}

export const MONTHLY_CREDITS = 500

export async function openSequence(stage: Stage, opening: Opening): Promise<Model> {
  const { app, web } = stage
  const sequence = stage.nextSequence()
  // At one moment of the day, so that months and days pass alike in every sequence.
  const now = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 12 * HOUR
  stage.setTime(now)
  const sites = await makeSites(app.db, sequence)
  for (const { domain, own } of sites) web.setSite(domain, own.site)
  const first = await openAccount(stage, { name: 'A', sequence, credits: opening.credits[0], hasPlan: false })
  const second = await openAccount(stage, {
    name: 'B',
    sequence,
    credits: opening.credits[1],
    hasPlan: opening.hasPlan,
  })
  return {
    now,
    sites,
    accounts: [first, second],
    known: new Map(),
    answers: new Map(),
    websites: new Map(),
    works: new Map(),
    queue: [],
    feeds: 0,
  }
}

interface NewAccount {
  name: string
  sequence: number
  credits: number
  hasPlan: boolean
}

async function openAccount({ app }: Stage, { name, sequence, credits, hasPlan }: NewAccount): Promise<ModelAccount> {
  const at = app.clock.now()
  const account = { email: `${name}-${sequence}@model.example.com`, passwordHash: 'nobody signs in', verifiedAt: at }
  const id = await app.db.transaction((tx) => insertAccount(app, tx, account))
  if (id === null) throw new Error(`${account.email} has an account already`)
  if (credits > 0) await grantByOperator(app, { accountId: id, amountCredits: credits, reference: 'opening' })
  if (hasPlan) await changePlan(app, { accountId: id, plan: 'starter' })
  const { live, test } = await revealApiKeys(app, id)
  return {
    name,
    id,
    key: live,
    testKey: test,
    acceptsReader: true,
    oldKeys: [],
    balance: credits + (hasPlan ? MONTHLY_CREDITS : 0),
    renewsOn: hasPlan ? addMonthsToDate(toLondonDate(at), 1) : null,
    granted: new Set(),
    paid: new Map(),
    facts: new Map(),
    refunded: new Set(),
    spentAt: [],
    requests: [],
    jobs: [],
    replies: new Map(),
    reviews: new Map(),
    looked: new Set(),
    entered: new Set(),
    blocked: new Map(),
    disputedFor: new Map(),
    usage: new Map(),
    bulkJobs: [],
  }
}

/** Nothing of it is left for the next: neither work nor months to come. */
export async function closeSequence({ app, web }: Stage, { accounts, sites }: Model): Promise<void> {
  await app.db.query('delete from pgboss.job')
  await app.db.query('delete from resolution_work')
  const ids = accounts.map(({ id }) => id)
  await app.db.query(`update account set plan = 'free', plan_renews_on = null where id = any ($1)`, [ids])
  await app.db.query(
    `update bulk set status = 'cancelled', paused_reason = null, finished_at = created_at where account_id = any ($1)`,
    [ids],
  )
  await app.db.query('update credit_hold set expires_at = $2 where account_id = any ($1)', [ids, '9999-01-01'])
  for (const { domain } of sites) web.setSite(domain, null)
}
