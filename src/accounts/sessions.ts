import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db } from '../lib/db.ts'
import { newId } from '../lib/ids.ts'
import { hashToken } from '../lib/secrets.ts'
import { type Account, findAccount } from './account.ts'
import { type Origin, recordAudit } from './audit.ts'
import { findVerifyKey, getSigningKey, SIGNING_ALGORITHM } from './signing-keys.ts'

export interface Session {
  token: string
  expiresAt: Date
}

const LIFE_SECONDS = 24 * 3_600
const TYPE = 'session+jwt'
const AUDIENCE = 'nameplate-session'

/** `id` names a session that this token belongs to, so that it ends with it; a new one unless given. */
export async function startSession(
  app: App,
  account: Account,
  { lifeSeconds = LIFE_SECONDS, id: sessionId = newId('ses') }: { lifeSeconds?: number; id?: string } = {},
): Promise<Session> {
  const { id, key } = await getSigningKey(app)
  const now = app.clock.now()
  const expiresAt = addSeconds(now, lifeSeconds)
  const token = await new SignJWT({ sv: account.sessionVersion, sid: sessionId })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: id, typ: TYPE })
    .setIssuer(app.config.baseUrl.origin)
    .setAudience(AUDIENCE)
    .setSubject(account.id)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { token, expiresAt }
}

/** The account behind a session token, or null when it is false, expired, ended, or from before a password change. */
export async function findSessionAccount(app: App, token: string): Promise<Account | null> {
  return (await findSession(app, token))?.account ?? null
}

export interface LiveSession {
  id: string
  account: Account
  expiresAt: Date
}

/** The same with its name and when it ends. */
export async function findSession(app: App, token: string): Promise<LiveSession | null> {
  const claims = await readClaims(app, token)
  if (!claims) return null
  const { id, expiresAt } = claims
  const [account, [ended]] = await Promise.all([
    findAccount(app.db, claims.accountId),
    app.db.query('select from ended_session where id = $1', [id]),
  ])
  if (!account || account.disabledAt || ended || account.sessionVersion !== claims.sessionVersion) return null
  return { id, account, expiresAt }
}

/** Nothing that was made of this session works any more, wherever it is kept. A token that is none is left alone. */
export async function endSession(app: App, token: string, origin: Origin): Promise<void> {
  const session = await findSession(app, token)
  if (!session) return
  const { id, account, expiresAt } = session
  await app.db.transaction(async (tx) => {
    const [ended] = await tx.query(
      `insert into ended_session (id, account_id, expires_at) values ($1, $2, $3)
       on conflict (id) do nothing returning id`,
      [id, account.id, expiresAt],
    )
    const at = app.clock.now()
    if (ended) await recordAudit(tx, { at, accountId: account.id, action: 'signed_out', outcome: 'success', origin })
  })
}

/** Of sessions that are over by themselves by now. */
export async function forgetEndedSessions(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from ended_session where id in (select id from ended_session where expires_at < $1 limit 10000)`,
    [at],
  )
}

interface Claims {
  id: string
  accountId: string
  sessionVersion: unknown
  expiresAt: Date
}

async function readClaims(app: App, token: string): Promise<Claims | null> {
  try {
    const { kid } = decodeProtectedHeader(token)
    const key = kid ? await findVerifyKey(app, kid) : null
    if (!key) return null
    const { payload } = await jwtVerify(token, key, {
      algorithms: [SIGNING_ALGORITHM],
      typ: TYPE,
      issuer: app.config.baseUrl.origin,
      audience: AUDIENCE,
      currentDate: app.clock.now(),
      requiredClaims: ['sub', 'exp', 'sv'],
    })
    const { sub, exp, sv: sessionVersion, sid } = payload
    if (!sub || exp === undefined) return null
    // A token from before sessions had names can be signed out of too.
    const id = typeof sid === 'string' ? sid : hashToken(token).toString('base64url')
    return { id, accountId: sub, sessionVersion, expiresAt: new Date(exp * 1_000) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
