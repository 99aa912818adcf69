import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { countSecurityEvent } from '../../lib/metrics.ts'
import { type Account, accountDisabled, findAccount, findAccountByEmail } from '../account.ts'
import { type Origin, recordAudit } from '../audit/record.ts'
import { findApiKeys, type KeyMode } from '../keys/api-keys.ts'
import { isPasswordCorrect } from '../passwords/passwords.ts'
import { findVerifyKey, getSigningKey, SIGNING_ALGORITHM } from './signing-keys.ts'
import { recordAddress, throttleLogin } from './throttle.ts'

export interface Login {
  account: Account
  session: Session
  /** Null where a key can no longer be shown; it still works, and rotating makes one that can. */
  apiKeys: Record<KeyMode, string | null>
}

/** An unknown address and a wrong password answer the same, in the same time. */
export async function logIn(app: App, login: { email: string; password: string; origin: Origin }): Promise<Login> {
  await throttleLogin(app, login)
  const account = await findAccountByEmail(app.db, login.email)
  const correct = await isPasswordCorrect(app, account?.passwordHash ?? null, login.password)
  const accepted = account !== null && correct && account.verifiedAt !== null && account.disabledAt === null
  await recordAudit(app.db, {
    at: app.clock.now(),
    accountId: account?.id ?? null,
    action: 'login',
    outcome: accepted ? 'success' : 'failure',
    origin: login.origin,
    ...(accepted ? {} : { by: 'unknown' }),
  })
  if (!account || !correct) {
    countSecurityEvent('sign_in_failed')
    throw new DomainError('invalid_credentials', 'The e-mail address or the password is wrong.')
  }
  if (account.disabledAt) throw accountDisabled()
  // Only someone who knows the password learns that the account waits for its verification.
  if (!account.verifiedAt) {
    throw new DomainError(
      'email_not_verified',
      'This e-mail address is not verified yet. Follow the link in the e-mail, or ask for a new one.',
    )
  }
  await recordAddress(app, app.db, { accountId: account.id, origin: login.origin })
  return {
    account,
    session: await startSession(app, account),
    apiKeys: await findApiKeys(app, account.id),
  }
}

export interface Session {
  token: string
  expiresAt: Date
}

const LIFE_SECONDS = 24 * 3_600
const TYPE = 'session+jwt'
const AUDIENCE = 'nameplate-session'

/** Starts a session for a person who has just entered the password. */
export async function startSession(app: App, account: Account): Promise<Session> {
  const at = app.clock.now()
  return sign(app, { account, at, expiresAt: addSeconds(at, LIFE_SECONDS), claims: { sid: newId('ses') } })
}

/** A short token of a session. It ends with its session, and no other token can be made of it. */
export async function startShortToken(app: App, session: LiveSession, lifeSeconds: number): Promise<Session> {
  const { id, account, expiresAt: endsAt } = session
  const at = app.clock.now()
  const wantedEnd = addSeconds(at, lifeSeconds)
  const expiresAt = wantedEnd < endsAt ? wantedEnd : endsAt
  return sign(app, { account, at, expiresAt, claims: { sid: id, short: true } })
}

interface Signed {
  account: Account
  at: Date
  expiresAt: Date
  claims: { sid: string; short?: true }
}

async function sign(app: App, { account, at, expiresAt, claims }: Signed): Promise<Session> {
  const { id, key } = await getSigningKey(app)
  const token = await new SignJWT({ sv: account.sessionVersion, ...claims })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: id, typ: TYPE })
    .setIssuer(app.config.baseUrl.origin)
    .setAudience(AUDIENCE)
    .setSubject(account.id)
    .setIssuedAt(at)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { token, expiresAt }
}

export interface LiveSession {
  id: string
  account: Account
  expiresAt: Date
  /** When its person gave the password; null for a short token, which says nothing about that. */
  passwordGivenAt: Date | null
}

/** Returns the session of a token, or null when it is false, expired, ended, or from before a password change. */
export async function findSession(app: App, token: string): Promise<LiveSession | null> {
  const claims = await readClaims(app, token)
  if (!claims) return null
  const { id, expiresAt, passwordGivenAt } = claims
  const [account, [row]] = await Promise.all([
    findAccount(app.db, claims.accountId),
    app.db.query<{ isEnded: boolean }>('select exists (select from ended_session where id = $1) as "isEnded"', [id]),
  ])
  if (!account || account.disabledAt || row?.isEnded !== false || account.sessionVersion !== claims.sessionVersion)
    return null
  return { id, account, expiresAt, passwordGivenAt }
}

/** Ends the whole session of this token, with everything that was made of it. A token that is none is left alone. */
export async function endSession(app: App, token: string, origin: Origin): Promise<void> {
  const session = await findSession(app, token)
  if (!session) return
  const { id, account } = session
  await app.db.transaction(async (tx) => {
    const at = app.clock.now()
    // A short token ends before its session, so the token does not show how long to store the end.
    const [ended] = await tx.query(
      `insert into ended_session (id, account_id, expires_at) values ($1, $2, $3)
       on conflict (id) do nothing returning id`,
      [id, account.id, addSeconds(at, LIFE_SECONDS)],
    )
    if (ended) await recordAudit(tx, { at, accountId: account.id, action: 'signed_out', origin })
  })
}

/** Deletes the records of sessions that have expired by now. */
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
  passwordGivenAt: Date | null
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
      requiredClaims: ['sub', 'exp', 'iat', 'sv'],
    })
    const { sub, exp, iat, sv: sessionVersion, sid, short } = payload
    if (!sub || exp === undefined || iat === undefined || typeof sid !== 'string') return null
    const passwordGivenAt = short === true ? null : new Date(iat * 1_000)
    return { id: sid, accountId: sub, sessionVersion, expiresAt: new Date(exp * 1_000), passwordGivenAt }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
