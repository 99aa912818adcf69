import { type Origin, type PlanName, recordAudit, sendSecurityNotice } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { putSpendingCap, readSpending } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { resourceOf } from './authorization-server.ts'
import { findPayload, hashId } from './payload-adapter.ts'

/** A program that an account has connected. */
export interface Connection {
  id: string
  clientId: string
  /** The name it gave itself, unchecked. */
  clientName: string
  redirectHost: string
  connectedAt: Date
  lastUsedAt: Date | null
  dailyCreditCap: number
  /** Spent today, or set aside for work under way. */
  creditsToday: number
}

export const DAILY_CREDITS_DEFAULT = 50
export const DAILY_CREDITS_MAX = 10_000

type ConnectionRow = Pick<Connection, 'id' | 'clientId' | 'clientName' | 'redirectHost'>

/** Stores a connection and its daily cap; connecting again keeps the connection and sets the new cap. */
export async function putConnection(
  app: App,
  connection: ConnectionRow & { accountId: string; dailyCreditCap: number; origin: Origin },
): Promise<void> {
  const { id, accountId, clientId, dailyCreditCap, origin } = connection
  await app.db.transaction(async (tx) => {
    const at = app.clock.now()
    const details = { connection: id, client_id: clientId, daily_credits: dailyCreditCap }
    await putSpendingCap(tx, { id, accountId, dailyCredits: dailyCreditCap })
    await sendSecurityNotice(app, tx, {
      accountId,
      subject: 'A program was connected',
      paragraphs: [
        `A program that calls itself “${connection.clientName}” was connected to your account. It returns to ${connection.redirectHost} and may spend up to ${dailyCreditCap} credits a day.`,
      ],
      path: '/connected-apps',
      origin,
    })
    await tx.query(
      `insert into connection (id, account_id, client_id, client_name, redirect_host, session_version, connected_at)
       select $1, id, $3, $4, $5, session_version, $6 from account where id = $2
       on conflict (id) do update set client_name = excluded.client_name, redirect_host = excluded.redirect_host,
         session_version = excluded.session_version`,
      [id, accountId, clientId, connection.clientName, connection.redirectHost, at],
    )
    await recordAudit(tx, { at, accountId, action: 'program_connected', origin, details })
  })
}

type ListedRow = Omit<Connection, 'dailyCreditCap' | 'creditsToday'>

/** Lists connections that can still act, newest first. */
export async function listConnections(app: App, accountId: string): Promise<Connection[]> {
  const rows = await app.db.query<ListedRow>(
    `select connection.id, client_id as "clientId", client_name as "clientName", redirect_host as "redirectHost",
       connected_at as "connectedAt", last_used_at as "lastUsedAt"
     from connection join account on account.id = connection.account_id
     where account_id = $1 and connection.session_version = account.session_version
     order by connected_at desc, connection.id limit 200`,
    [accountId],
  )
  const alive = await findLiveGrants(app, rows)
  const at = app.clock.now()
  return Promise.all(
    rows
      .filter(({ id }) => alive.has(id))
      .map(async (row) => {
        const { dailyCredits, creditsToday } = await readSpending(app.db, { capId: row.id, at })
        return { ...row, dailyCreditCap: dailyCredits, creditsToday }
      }),
  )
}

/** Refuses what has ended, and what is another account's. */
export async function getConnection(
  app: App,
  { accountId, id }: { accountId: string; id: string },
): Promise<Connection> {
  const connection = (await listConnections(app, accountId)).find((one) => one.id === id)
  if (!connection) throw connectionNotFound()
  return connection
}

async function findLiveGrants(app: App, rows: readonly ListedRow[]): Promise<Set<string>> {
  const byHash = new Map(rows.map(({ id }) => [hashId(id).toString('hex'), id]))
  const grants = await app.db.query<{ hash: string }>(
    `select encode(id_hash, 'hex') as hash from oauth_payload
     where model = 'Grant' and id_hash = any ($1) and expires_at > $2`,
    [rows.map(({ id }) => hashId(id)), app.clock.now()],
  )
  return new Set(grants.map(({ hash }) => byHash.get(hash) ?? ''))
}

export async function setDailyCap(
  app: App,
  change: { accountId: string; id: string; dailyCreditCap: number; origin: Origin },
): Promise<void> {
  const { accountId, id, dailyCreditCap, origin } = change
  await app.db.transaction(async (tx) => {
    const [own] = await tx.query('select id from connection where id = $1 and account_id = $2', [id, accountId])
    if (!own) throw connectionNotFound()
    const at = app.clock.now()
    const { dailyCredits } = await readSpending(tx, { capId: id, at })
    if (dailyCredits === dailyCreditCap) return
    await putSpendingCap(tx, { id, accountId, dailyCredits: dailyCreditCap })
    const [before, after] = [{ daily_credits: dailyCredits }, { daily_credits: dailyCreditCap }]
    const details = { connection: id }
    await recordAudit(tx, { at, accountId, action: 'program_cap_changed', origin, details, before, after })
  })
}

/** Records that a person refused a program. */
export async function recordRefusal(
  app: App,
  { accountId, clientId, origin }: { accountId: string; clientId: string; origin: Origin },
): Promise<void> {
  const details = { client_id: clientId }
  await recordAudit(app.db, { at: app.clock.now(), accountId, action: 'program_refused', origin, details })
}

/** At once: its tokens are gone with it. */
export async function endConnection(
  app: App,
  { accountId, id, origin }: { accountId: string; id: string; origin: Origin },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const [own] = await tx.query('select id from connection where id = $1 and account_id = $2', [id, accountId])
    if (!own) throw connectionNotFound()
    const ended = await tx.query(
      `delete from oauth_payload where grant_id = $1 or (model = 'Grant' and id_hash = $2) returning model`,
      [id, hashId(id)],
    )
    if (ended.length === 0) return
    const details = { connection: id }
    const at = app.clock.now()
    await recordAudit(tx, { at, accountId, action: 'program_disconnected', origin, details })
  })
}

/**
 * A browser's session with the authorization server outlives the site's. Where another person is signed in by now, or
 * none, it ends before the library reads it, and the person signs in again.
 */
export async function endForeignSession(
  app: App,
  { sessionId, accountId }: { sessionId: string; accountId: string | null },
): Promise<void> {
  await app.db.query(
    `delete from oauth_payload
     where model = 'Session' and id_hash = $1 and account_id is not null and account_id is distinct from $2::text`,
    [hashId(sessionId), accountId],
  )
}

function connectionNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such connected app, or it is not yours.')
}

/** The account and connection of a bearer token. */
export interface TokenHolder {
  accountId: string
  plan: PlanName
  connectionId: string
  clientId: string
  clientName: string
  scopes: string[]
  expiresAt: Date
}

/** Null when the token is unknown, expired, revoked, for something else, or from before a password change. */
export async function findTokenHolder(app: App, token: string): Promise<TokenHolder | null> {
  const payload = await findPayload(app, 'AccessToken', token)
  if (!payload || payload.consumed || ![payload.aud ?? []].flat().includes(resourceOf(app))) return null
  const grantId = payload.grantId ?? ''
  const at = app.clock.now()
  // Recorded at most once a minute: every call would otherwise write.
  const [row] = await app.db.query<Pick<TokenHolder, 'accountId' | 'plan' | 'clientId' | 'clientName'>>(
    `with used as (
       update connection set last_used_at = $2
       where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz - interval '1 minute')
     )
     select connection.account_id as "accountId", account.plan, connection.client_id as "clientId",
       connection.client_name as "clientName"
     from connection join account on account.id = connection.account_id
     where connection.id = $1 and connection.session_version = account.session_version
       and account.disabled_at is null
       and exists (select from oauth_payload where model = 'Grant' and id_hash = $3 and expires_at > $2)`,
    [grantId, at, hashId(grantId)],
  )
  if (!row || row.accountId !== payload.accountId) return null
  return {
    ...row,
    connectionId: grantId,
    scopes: (payload.scope ?? '').split(' ').filter(Boolean),
    expiresAt: new Date((payload.exp ?? 0) * 1_000),
  }
}
