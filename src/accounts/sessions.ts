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

export async function startSession(app: App, account: Account): Promise<Session> {
  const { id, key } = await getSigningKey(app)
  const now = app.clock.now()
  const expiresAt = addSeconds(now, LIFE_SECONDS)
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
  const claims = await readClaims(app, token)
  if (!claims) return null
  const account = await findAccount(app.db, claims.accountId)
  return account && account.sessionVersion === claims.sessionVersion ? account : null
}

async function readClaims(app: App, token: string): Promise<{ accountId: string; sessionVersion: unknown } | null> {
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
    return payload.sub ? { accountId: payload.sub, sessionVersion: payload['sv'] } : null
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
