import { addSeconds, toLondonDate } from '../lib/clock.ts'
import { type Db, onlyRow, type Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { creditsMoved } from '../lib/metrics.ts'
import { giveBackToCap, readSpending, takeFromCap } from './caps.ts'
import { appendEntry, type Balance, countAnswer, insufficientCredits, toBalance } from './ledger.ts'

/** Credits set aside for work that may cost them. Every hold ends captured or released, at the latest when it expires. */
interface Hold {
  id: string
  state: 'held' | 'captured' | 'released'
}

const AMOUNT_CREDITS = 1

/**
 * Sets one credit aside. The same `reference` holds once: asked again it answers the first hold, so a request that is
 * repeated after a crash does not hold twice.
 */
export async function holdCredit(
  tx: Tx,
  hold: {
    accountId: string
    reference: string
    reason: string
    /** The domain or company that the credit is for. */
    subject?: string | undefined
    lifeSeconds: number
    at: Date
    capId?: string | undefined
  },
): Promise<Hold> {
  const { accountId, reference, reason, at, capId } = hold
  const capDay = capId === undefined ? null : toLondonDate(at)
  const [created] = await tx.query<Hold>(
    `insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, cap_id, cap_day, subject)
     values ($1, $2, $3, $4, 'held', $5, $6, $7, $8, $9)
     on conflict (account_id, reference) do nothing
     returning id, state`,
    [
      newId('hld'),
      accountId,
      reference,
      AMOUNT_CREDITS,
      at,
      addSeconds(at, hold.lifeSeconds),
      capId ?? null,
      capDay,
      hold.subject ?? null,
    ],
  )
  if (!created) {
    return onlyRow(
      await tx.query<Hold>('select id, state from credit_hold where account_id = $1 and reference = $2', [
        accountId,
        reference,
      ]),
    )
  }
  if (capId !== undefined) await takeFromCap(tx, { capId, at })
  const amountCredits = AMOUNT_CREDITS
  await appendEntry(tx, { accountId, kind: 'hold', amountCredits, reason, reference, holdId: created.id, at })
  return created
}

/**
 * Sets one credit aside under each of these references, which are new, as far as the credits go and in this order. Answers
 * the holds by reference.
 */
export async function holdCredits(
  tx: Tx,
  many: {
    accountId: string
    wanted: ReadonlyArray<{ reference: string; subject: string }>
    reason: string
    lifeSeconds: number
    at: Date
  },
): Promise<Map<string, string>> {
  const { accountId, at } = many
  const [before] = await tx.query<{ balance: number; held: number }>(
    'select balance, held from credit_balance where account_id = $1 for update',
    [accountId],
  )
  const wanted = many.wanted.slice(0, before ? before.balance - before.held : 0)
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(() => newId('hld'))
  // As in `appendEntry`, one statement moves the balance and writes the entries that say why.
  const rows = await tx.query<{ reference: string; hold_id: string }>(
    `with wanted as (
       select id, reference, subject, place
       from unnest($2::text[], $3::text[], $8::text[]) with ordinality one (id, reference, subject, place)
     ), held as (
       insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, subject)
       select id, $1, reference, $7, 'held', $4, $5, subject from wanted
     ), moved as (
       update credit_balance set held = held + $7 * (select count(*) from wanted) where account_id = $1
       returning balance, held - $7 * (select count(*) from wanted) as held_before
     )
     insert into ledger_entry (account_id, kind, amount, balance_delta, held_delta, balance_after, held_after,
       reason, reference, hold_id, created_at)
     select $1, 'hold', $7, 0, $7, balance, held_before + $7 * place, $6, reference, id, $4
     from wanted cross join moved order by place
     returning reference, hold_id`,
    [
      accountId,
      ids,
      wanted.map(({ reference }) => reference),
      at,
      addSeconds(at, many.lifeSeconds),
      many.reason,
      AMOUNT_CREDITS,
      wanted.map(({ subject }) => subject),
    ],
  )
  creditsMoved.inc({ kind: 'hold' }, rows.length * AMOUNT_CREDITS)
  return new Map(rows.map(({ reference, hold_id: holdId }) => [reference, holdId]))
}

/**
 * Spends one credit for an answer that is ready, under a reference that is new: what `holdCredit` and `captureHold` do
 * one after the other, in one statement. Throws `insufficient_credits` when there is none.
 */
export async function chargeCredit(
  tx: Tx,
  charge: {
    accountId: string
    reference: string
    reason: string
    subject?: string | undefined
    outcome: string
    lifeSeconds: number
    at: Date
    capId?: string | undefined
  },
): Promise<Balance> {
  const { accountId, reference, reason, outcome, at, capId } = charge
  const day = toLondonDate(at)
  if (capId !== undefined) await takeFromCap(tx, { capId, at })
  // As in `appendEntry`, the balance is tested inside the update, and everything else follows from it.
  const rows = await tx.query<{ kind: string; balance: number; held: number }>(
    `with moved as (
       update credit_balance set balance = balance - $4::bigint where account_id = $1 and balance - $4::bigint >= held
       returning account_id, balance, held
     ), captured as (
       insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, settled_at, cap_id, cap_day,
         subject)
       select $2, account_id, $3, $4, 'captured', $5, $6, $5, $7, case when $7::text is not null then $8::date end, $11
       from moved
     ), counted as (
       insert into usage_day as day (account_id, day, outcome, answers, credits)
       select account_id, $8, $9, 1, $4 from moved
       on conflict (account_id, day, outcome)
       do update set answers = day.answers + excluded.answers, credits = day.credits + excluded.credits
     )
     insert into ledger_entry (account_id, kind, amount, balance_delta, held_delta, balance_after, held_after,
       reason, reference, hold_id, created_at)
     select account_id, step.kind, $4, step.balance * $4::bigint, step.held * $4::bigint,
       moved.balance + (step.number = 1)::int * $4::bigint, moved.held + (step.number = 1)::int * $4::bigint,
       step.reason, $3, $2, $5
     from moved cross join (values (1, 'hold', 0, 1, $10), (2, 'capture', -1, -1, $9)) step (number, kind, balance, held, reason)
     order by step.number
     returning kind, balance_after as balance, held_after as held`,
    [
      accountId,
      newId('hld'),
      reference,
      AMOUNT_CREDITS,
      at,
      addSeconds(at, charge.lifeSeconds),
      capId ?? null,
      day,
      outcome,
      reason,
      charge.subject ?? null,
    ],
  )
  const last = rows.find(({ kind }) => kind === 'capture')
  if (last === undefined) throw insufficientCredits(AMOUNT_CREDITS)
  for (const { kind } of rows) creditsMoved.inc({ kind }, AMOUNT_CREDITS)
  return toBalance(last)
}

/** SQL for whether an account's hold is neither captured nor released. */
export function isHeldSql(accountId: string, holdId: string): string {
  return `exists (select from credit_hold where credit_hold.account_id = ${accountId} and credit_hold.id = ${holdId}
    and credit_hold.state = 'held')`
}

/** Returns what the hold was made for. */
export async function getHoldReference(tx: Tx, hold: { accountId: string; holdId: string }): Promise<string> {
  return onlyRow(
    await tx.query<{ reference: string }>('select reference from credit_hold where account_id = $1 and id = $2', [
      hold.accountId,
      hold.holdId,
    ]),
  ).reference
}

type Settlement = { kind: 'settled'; balance: Balance } | { kind: 'already_settled' }

interface EndOfHold {
  accountId: string
  holdId: string
  outcome: string
  at: Date
}

/** Spends what is held. `outcome` says what for and is counted in the account's usage. */
export async function captureHold(tx: Tx, hold: EndOfHold): Promise<Settlement> {
  return settle(tx, { ...hold, kind: 'capture' })
}

/** Gives back what is held. */
export async function releaseHold(tx: Tx, hold: EndOfHold): Promise<Settlement> {
  return settle(tx, { ...hold, kind: 'release' })
}

interface HeldRow {
  reference: string
  amountCredits: number
  capId: string | null
  capDay: string | null
}

async function settle(tx: Tx, settlement: EndOfHold & { kind: 'capture' | 'release' }): Promise<Settlement> {
  const { accountId, holdId, kind, outcome, at } = settlement
  const [hold] = await tx.query<HeldRow>(
    `update credit_hold set state = $3, settled_at = $4 where account_id = $1 and id = $2 and state = 'held'
     returning reference, amount as "amountCredits", cap_id as "capId", cap_day as "capDay"`,
    [accountId, holdId, kind === 'capture' ? 'captured' : 'released', at],
  )
  if (!hold) return { kind: 'already_settled' }
  const { reference, amountCredits, capId, capDay: day } = hold
  // The cap before the balance, in the order in which a hold takes them.
  if (kind === 'release' && capId !== null && day !== null) {
    await giveBackToCap(tx, { capId, day, credits: amountCredits })
  }
  const balance = await appendEntry(tx, { accountId, kind, amountCredits, reason: outcome, reference, holdId, at })
  await countAnswer(tx, { accountId, outcome, credits: kind === 'capture' ? amountCredits : 0, at })
  return { kind: 'settled', balance }
}

interface Refund {
  accountId: string
  /** The reference of the captured hold; it is refunded once, however often this is called. */
  reference: string
  /** Why, in a word that stays the same. */
  reason: string
  at: Date
}

/** Gives back what was captured, and returns its hold. Null when nothing was, or it was given back before. */
export async function refundCapture(tx: Tx, refund: Refund): Promise<{ holdId: string } | null> {
  const { accountId, reference, at } = refund
  // The lock orders two refunds of one hold, so that the second sees the first.
  const [hold] = await tx.query<{ id: string; amount: number }>(
    `select id, amount from credit_hold where account_id = $1 and reference = $2 and state = 'captured' for update`,
    [accountId, reference],
  )
  if (!hold) return null
  const [earlier] = await tx.query(
    `select 1 from ledger_entry where account_id = $1 and kind = 'refund' and reference = $2`,
    [accountId, reference],
  )
  if (earlier) return null
  await appendEntry(tx, { ...refund, kind: 'refund', amountCredits: hold.amount, holdId: hold.id })
  // Counts on the day of the refund; the day of the charge keeps its count.
  await countAnswer(tx, { accountId, outcome: 'refunded', answers: 0, credits: -hold.amount, at })
  return { holdId: hold.id }
}

/** Holds that the sweep should have given back by now. */
export async function countOverdueHolds(db: Db, at: Date): Promise<number> {
  const row = onlyRow(
    await db.query<{ overdue: number }>(
      `select count(*) as overdue from credit_hold where state = 'held' and expires_at <= $1`,
      [at],
    ),
  )
  return row.overdue
}

const SWEEP_HOLDS_MAX = 500

/** Releases holds whose work never ended. Returns how many; call again while it returns the maximum. */
export async function releaseExpiredHolds(tx: Tx, at: Date): Promise<number> {
  const expired = await tx.query<{ id: string; account_id: string }>(
    `select id, account_id from credit_hold where state = 'held' and expires_at <= $1
     order by expires_at limit ${SWEEP_HOLDS_MAX} for update skip locked`,
    [at],
  )
  for (const { id: holdId, account_id: accountId } of expired) {
    await releaseHold(tx, { accountId, holdId, outcome: 'expired', at })
  }
  return expired.length
}

export { SWEEP_HOLDS_MAX }

/**
 * Sets one credit aside in place of a hold that was released before its work ended, under a reference of its own and
 * against the same cap. Null when there is no credit, or the cap is reached.
 */
export async function tryHoldAgain(
  tx: Tx,
  again: { accountId: string; holdId: string; lifeSeconds: number; at: Date },
): Promise<{ id: string; reference: string } | null> {
  const { accountId, lifeSeconds, at } = again
  const [lost] = await tx.query<{ reference: string; cap_id: string | null; subject: string | null }>(
    `select reference, cap_id, subject from credit_hold where account_id = $1 and id = $2 and state = 'released'`,
    [accountId, again.holdId],
  )
  if (!lost || !(await hasCredit(tx, accountId)) || !(await isWithinCap(tx, lost.cap_id, at))) return null
  const reference = `${lost.reference}_again`
  const capId = lost.cap_id ?? undefined
  const subject = lost.subject ?? undefined
  const held = { accountId, reference, reason: 'held_again', subject, lifeSeconds, at, capId }
  return { id: (await holdCredit(tx, held)).id, reference }
}

/** The row is held until the transaction ends, so that it stays true. */
async function hasCredit(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx.query('select from credit_balance where account_id = $1 and balance - held >= 1 for update', [
    accountId,
  ])
  return rows.length > 0
}

async function isWithinCap(tx: Tx, capId: string | null, at: Date): Promise<boolean> {
  if (capId === null) return true
  const { dailyCredits, creditsToday } = await readSpending(tx, { capId, at })
  return creditsToday < dailyCredits
}
