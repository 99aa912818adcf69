/**
 * The due dates of a list as a calendar that other programs subscribe to. Its address is the permission: the secret in it is
 * stored as a hash alone, and making a new address ends the old one.
 */
import { randomBytes } from 'node:crypto'
import { type KeyMode, type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { addDaysToDate, toLondonDate } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { listVerificationDues } from '../../register/index.ts'
import { changeWatchlist, type WatchlistOwner } from '../watch/watchlist.ts'
import { getListKey, makeDefaultRow } from './lists.ts'

const TOKEN_BYTES = 32
const TOKEN_PATTERN = /^[\w-]{43}$/

interface CalendarChange extends WatchlistOwner {
  id: string
  origin: Origin
}

/** Returns the secret of the list's new calendar address. The address before it is gone. */
export async function makeCalendar(app: App, ask: CalendarChange): Promise<{ token: string; madeAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const madeAt = app.clock.now()
  await changeWatchlist(app, ask, async (tx, watchlist) => {
    const key = (await getListKey(tx, ask, ask.id)) ?? (await makeDefaultRow(app, tx, watchlist))
    await tx.query(
      `insert into list_calendar (list_key, token_hash, made_at) values ($1, $2, $3)
       on conflict (list_key) do update set token_hash = excluded.token_hash, made_at = excluded.made_at`,
      [key, app.secrets.keyedHash(token), madeAt],
    )
    const { accountId, mode, origin } = ask
    const details = { list_id: ask.id }
    await recordAudit(tx, { at: madeAt, accountId, mode, action: 'calendar_made', origin, details })
  })
  return { token, madeAt }
}

/** Ends the address. Returns whether there was one. */
export async function endCalendar(app: App, ask: CalendarChange): Promise<boolean> {
  return changeWatchlist(app, ask, async (tx, watchlist) => {
    const key = await getListKey(tx, ask, ask.id)
    const ended = await tx.query(
      `delete from list_calendar using company_list list
       where list.key = list_key and list.watchlist_id = $1 and (list.key = $2 or ($2::integer is null and list.is_default))
       returning list_key`,
      [watchlist.id, key],
    )
    if (ended.length === 0) return false
    const { accountId, mode, origin } = ask
    const details = { list_id: ask.id }
    await recordAudit(tx, { at: app.clock.now(), accountId, mode, action: 'calendar_ended', origin, details })
    return true
  })
}

/** Returns since when a list has a calendar address; null when it has none. */
export async function findCalendar(db: Db, owner: WatchlistOwner & { id: string }): Promise<Date | null> {
  const key = await getListKey(db, owner, owner.id)
  const [row] = await db.query<{ made_at: Date }>(
    `select made_at from list_calendar
     join company_list list on list.key = list_key join watchlist on watchlist.id = list.watchlist_id
     where account_id = $1 and mode = $2 and (list.key = $3 or ($3::integer is null and list.is_default))`,
    [owner.accountId, owner.mode, key],
  )
  return row?.made_at ?? null
}

export interface DueDate {
  kind: 'accounts' | 'confirmation' | 'identity'
  companyNumber: string
  companyName: string
  /** `YYYY-MM-DD` */
  dueOn: string
}

export interface Calendar {
  name: string
  madeAt: Date
  dates: DueDate[]
}

interface OpenedRow {
  key: number
  name: string
  is_default: boolean
  watchlist_id: number
  mode: KeyMode
  made_at: Date
}

/** Returns the calendar of an address; null when there is none, or its account is disabled. */
export async function openCalendar(app: App, token: string): Promise<Calendar | null> {
  if (!TOKEN_PATTERN.test(token)) return null
  const [list] = await app.db.query<OpenedRow>(
    `select list.key, list.name, list.is_default, list.watchlist_id, watchlist.mode, calendar.made_at
     from list_calendar calendar
     join company_list list on list.key = calendar.list_key
     join watchlist on watchlist.id = list.watchlist_id
     join account on account.id = watchlist.account_id
     where calendar.token_hash = any ($1) and account.disabled_at is null`,
    [app.secrets.keyedHashes(token)],
  )
  if (!list) return null
  return { name: list.name, madeAt: list.made_at, dates: await listDueDates(app, list) }
}

const DATES_MAX = 2_000
const DAYS_BEFORE = 60
const DAYS_AFTER = 550

/** The soonest first. Dates of the last two months stay, so that what is overdue is seen. */
async function listDueDates({ db, clock }: App, list: OpenedRow): Promise<DueDate[]> {
  const today = toLondonDate(clock.now())
  const between = { from: addDaysToDate(today, -DAYS_BEFORE), to: addDaysToDate(today, DAYS_AFTER) }
  const companies = await db.query<{ number: string; name: string }>(
    `select company.number, company.name from watch join company on company.number = watch.company_number
     where watch.watchlist_id = $1 and case when $2 then watch.in_default else exists (
       select from company_list_member member
       where member.list_key = $3 and member.company_number = watch.company_number) end`,
    [list.watchlist_id, list.is_default, list.key],
  )
  const names = new Map(companies.map(({ number, name }) => [number, name]))
  const filings = await db.query<DueDate>(
    `select due.kind, number as "companyNumber", name as "companyName", due.day::text as "dueOn"
     from company cross join lateral (
       values ('accounts', accounts_next_due), ('confirmation', confirmation_next_due)) as due (kind, day)
     where number = any ($1) and due.day between $2 and $3 and status <> all ('{dissolved,converted-closed,closed,removed}')
     order by due.day, number, due.kind limit ${DATES_MAX}`,
    [[...names.keys()], between.from, between.to],
  )
  const verifications = await listVerificationDues(db, [...names.keys()], { ...between, limit: DATES_MAX })
  const identity = verifications.map(({ companyNumber, dueOn }): DueDate => {
    return { kind: 'identity', companyNumber, companyName: names.get(companyNumber) ?? companyNumber, dueOn }
  })
  return [...filings, ...identity].sort((a, b) => a.dueOn.localeCompare(b.dueOn)).slice(0, DATES_MAX)
}
