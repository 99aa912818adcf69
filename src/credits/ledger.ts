import { DomainError } from '../errors.ts'
import { toLondonDate } from '../lib/clock.ts'
import { type Db, onlyRow, type Tx } from '../lib/db/db.ts'
import { creditsMoved } from '../lib/metrics.ts'

type LedgerKind = 'grant' | 'hold' | 'capture' | 'release' | 'refund'

interface Movement {
  kind: LedgerKind
  amountCredits: number
  reason: string
  reference: string
}

export interface LedgerEntry extends Movement {
  id: number
  /** The domain or company that the credit was for; null for a grant. */
  subject: string | null
  balanceAfter: number
  heldAfter: number
  createdAt: Date
}

export interface Balance {
  balance: number
  held: number
  available: number
}

interface NewEntry extends Movement {
  accountId: string
  holdId: string | null
  at: Date
}

const DELTAS: Record<LedgerKind, { balance: -1 | 0 | 1; held: -1 | 0 | 1 }> = {
  grant: { balance: 1, held: 0 },
  hold: { balance: 0, held: 1 },
  capture: { balance: -1, held: -1 },
  release: { balance: 0, held: -1 },
  refund: { balance: 1, held: 0 },
}

/** Returns the change of the balance by an entry. Reserving or releasing credits does not change it. */
export function changeOf({ kind, amountCredits }: Pick<Movement, 'kind' | 'amountCredits'>): number {
  return DELTAS[kind].balance * amountCredits
}

/**
 * The only way credits move: one statement changes the balance and writes the entry that says why. Throws
 * `insufficient_credits` when fewer credits are available than the entry needs.
 */
export async function appendEntry(tx: Tx, entry: NewEntry): Promise<Balance> {
  const { accountId, kind, amountCredits: amount, reason, reference, holdId, at } = entry
  const delta = DELTAS[kind]
  // The balance is tested inside the update, so two requests cannot both spend the last credit.
  const rows = await tx.query<{ balance: number; held: number }>(
    `with moved as (
       update credit_balance set balance = balance + $4::bigint, held = held + $5::bigint
       where account_id = $1 and balance + $4::bigint >= held + $5::bigint
       returning account_id, balance, held
     )
     insert into ledger_entry (account_id, kind, amount, balance_delta, held_delta, balance_after, held_after,
       reason, reference, hold_id, created_at)
     select account_id, $2, $3, $4, $5, balance, held, $6, $7, $8, $9 from moved
     returning balance_after as balance, held_after as held`,
    [accountId, kind, amount, delta.balance * amount, delta.held * amount, reason, reference, holdId, at],
  )
  if (rows.length === 0) throw insufficientCredits(amount)
  creditsMoved.inc({ kind }, amount)
  return toBalance(onlyRow(rows))
}

export function insufficientCredits(amount: number): DomainError {
  return new DomainError(
    'insufficient_credits',
    `This needs ${amount} available credit${amount === 1 ? '' : 's'} and the account has fewer. See GET /v1/account/ledger for where they went, or move to a plan with more.`,
  )
}

/** Every account has a balance row from its first day; calling this again changes nothing. */
export async function openBalance(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    'insert into credit_balance (account_id, balance, held) values ($1, 0, 0) on conflict (account_id) do nothing',
    [accountId],
  )
}

/** Takes back what `openBalance` made. False where credits ever moved: then everything stays. */
export async function closeUnusedBalance(tx: Tx, accountId: string): Promise<boolean> {
  const closed = await tx.query(
    `delete from credit_balance where account_id = $1 and balance = 0 and held = 0 and not ${hasEntriesSql('$1')}
     returning account_id`,
    [accountId],
  )
  return closed.length > 0
}

/** SQL for whether credits of an account ever moved. */
export function hasEntriesSql(accountId: string): string {
  return `exists (select from ledger_entry where ledger_entry.account_id = ${accountId})`
}

/** SQL for the credits that an account can spend now. */
export function availableSql(accountId: string): string {
  return `coalesce((select balance - held from credit_balance where account_id = ${accountId}), 0)::float8`
}

export async function getBalance(db: Db, accountId: string): Promise<Balance> {
  const rows = await db.query<{ balance: number; held: number }>(
    'select balance, held from credit_balance where account_id = $1',
    [accountId],
  )
  return toBalance(onlyRow(rows))
}

/** An account in one mode. A test key spends nothing, so it has no entries and no usage. */
interface LedgerOwner {
  accountId: string
  mode: 'live' | 'test'
}

export interface LedgerPage {
  entries: LedgerEntry[]
  hasMore: boolean
}

/** SQL for entries other than reservations whose credit was spent or released since: that entry says more. */
const NOT_ENDED = `(kind <> 'hold' or exists (select from credit_hold open where open.account_id = entry.account_id
  and open.id = entry.hold_id and open.state = 'held'))`

/** Newest first, with `onlyAnswers` one entry per answer. `beforeId` continues after an entry and stays stable while new ones arrive. */
export async function listEntries(
  db: Db,
  page: LedgerOwner & { limit: number; offset: number; beforeId?: number | undefined; onlyAnswers?: boolean },
): Promise<LedgerPage> {
  if (page.mode === 'test') return { entries: [], hasMore: false }
  // The page first, so that a hold is looked up for its entries alone, whatever plan all pages share.
  const rows = await db.query<LedgerEntry>(
    `with page as materialized (
       select * from ledger_entry entry
       where account_id = $1 and id < coalesce($4::bigint, 9223372036854775807) ${page.onlyAnswers ? `and ${NOT_ENDED}` : ''}
       order by id desc limit $2 offset $3
     )
     select entry.id, kind, entry.amount as "amountCredits", reason, entry.reference, hold.subject,
       balance_after as "balanceAfter", held_after as "heldAfter", entry.created_at as "createdAt"
     from page as entry
     left join credit_hold hold on hold.account_id = entry.account_id and hold.id = entry.hold_id
     order by entry.id desc`,
    [page.accountId, page.limit + 1, page.offset, page.beforeId ?? null],
  )
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/** Accounts whose balance is not the sum of their entries. Always empty; the operator's check says so. */
export async function findUnbalancedAccounts(db: Db): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `select b.account_id from credit_balance b
     left join (
       select account_id, sum(balance_delta) as balance, sum(held_delta) as held from ledger_entry group by account_id
     ) l using (account_id)
     left join (
       select account_id, sum(amount) as held from credit_hold where state = 'held' group by account_id
     ) h using (account_id)
     where (b.balance, b.held) is distinct from (coalesce(l.balance, 0), coalesce(l.held, 0))
       or b.held <> coalesce(h.held, 0)
     order by 1`,
  )
  return rows.map((row) => row.account_id)
}

export function toBalance(row: { balance: number; held: number }): Balance {
  return { balance: row.balance, held: row.held, available: row.balance - row.held }
}

interface Grant {
  accountId: string
  amountCredits: number
  reason: 'welcome' | 'plan' | 'operator'
  /** The reason for this grant; each reference is granted once, however often this is called. */
  reference: string
  at: Date
}

/** Returns the new balance, or null when this reference was granted before. */
export async function grantCredits(tx: Tx, grant: Grant): Promise<Balance | null> {
  // The lock orders two grants of one reference, so that the second sees the first.
  await tx.query('select 1 from credit_balance where account_id = $1 for update', [grant.accountId])
  const [earlier] = await tx.query(
    `select 1 from ledger_entry where account_id = $1 and kind = 'grant' and reference = $2`,
    [grant.accountId, grant.reference],
  )
  if (earlier) return null
  return appendEntry(tx, { ...grant, kind: 'grant', holdId: null })
}

interface UsageDay {
  date: string
  outcome: string
  answers: number
  credits: number
}

/** Counts one answer on the London day it was given, in the transaction that settles it. */
export async function countAnswer(
  tx: Tx,
  answer: { accountId: string; outcome: string; answers?: 0; credits: number; at: Date },
): Promise<void> {
  await tx.query(
    `insert into usage_day as day (account_id, day, outcome, answers, credits) values ($1, $2, $3, $4, $5)
     on conflict (account_id, day, outcome)
     do update set answers = day.answers + excluded.answers, credits = day.credits + excluded.credits`,
    [answer.accountId, toLondonDate(answer.at), answer.outcome, answer.answers ?? 1, answer.credits],
  )
}

/** Credits spent on answers since then, whatever came back. */
export async function countSpent(db: Db, { accountId, since }: { accountId: string; since: Date }): Promise<number> {
  const [row] = await db.query<{ credits: number | null }>(
    `select sum(credits)::float8 as credits from usage_day where account_id = $1 and day >= $2 and credits > 0`,
    [accountId, toLondonDate(since)],
  )
  return row?.credits ?? 0
}

/** Both dates included, oldest day first. */
export async function listUsage(db: Db, range: LedgerOwner & { from: string; to: string }): Promise<UsageDay[]> {
  if (range.mode === 'test') return []
  return db.query<UsageDay>(
    `select day as date, outcome, answers, credits from usage_day
     where account_id = $1 and day between $2 and $3
     order by day, outcome`,
    [range.accountId, range.from, range.to],
  )
}
