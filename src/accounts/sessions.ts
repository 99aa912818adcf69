import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { type Account, findAccount } from './account.ts'
import { findVerifyKey, getSigningKey, SIGNING_ALGORITHM } from './signing-keys.ts'

export interface Session {
  token: string
  expiresAt: Date
}

const LIFE_SECONDS = 24 * 3_600
const TYPE = 'session+jwt'
const AUDIENCE = 'nameplate-session'

export async function startSession(app: App, account: Account, lifeSeconds = LIFE_SECONDS): Promise<Session> {
  const { id, key } = await getSigningKey(app)
  const now = app.clock.now()
  const expiresAt = addSeconds(now, lifeSeconds)
  const token = await new SignJWT({ sv: account.sessionVersion })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: id, typ: TYPE })
    .setIssuer(app.config.baseUrl.origin)
    .setAudience(AUDIENCE)
    .setSubject(account.id)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { token, expiresAt }
}

/** The account behind a session token, or null when the token is false, expired, or from before a password change. */
export async function findSessionAccount(app: App, token: string): Promise<Account | null> {
  return (await findSession(app, token))?.account ?? null
}

/** The same with when it ends. */
export async function findSession(app: App, token: string): Promise<{ account: Account; expiresAt: Date } | null> {
  const claims = await readClaims(app, token)
  if (!claims) return null
  const account = await findAccount(app.db, claims.accountId)
  if (!account || account.sessionVersion !== claims.sessionVersion) return null
  return { account, expiresAt: claims.expiresAt }
}

interface Claims {
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
    if (!payload.sub || payload.exp === undefined) return null
    return { accountId: payload.sub, sessionVersion: payload['sv'], expiresAt: new Date(payload.exp * 1_000) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
