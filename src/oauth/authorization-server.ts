import { createECDH } from 'node:crypto'
import * as oidc from 'oidc-provider'
import { findAccount } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { ClientDocuments, createGuardedFetch, mayFetchDocument } from './client-documents.ts'
import { isAllowedRedirect, isLoopback, KNOWN_CLIENTS } from './clients.ts'
import { PayloadAdapter } from './payload-adapter.ts'

export const SCOPE = 'service:mcp'
const ALGORITHM = 'ES256'
const DAY_SECONDS = 86_400
const CLIENT_DOCUMENT_BYTES_MAX = 5_120
const KEYS_DOCUMENT_BYTES_MAX = 65_536

/** The one thing tokens are good for. */
export function resourceOf({ config }: Pick<App, 'config'>): string {
  return new URL('/mcp', config.baseUrl).href
}

export interface ErrorPage {
  error: string
  description: string | undefined
}

/** Configures a certified OAuth 2.0 library. It serves Node's requests through `callback()`. */
export function createAuthorizationServer(
  app: App,
  { renderError }: { renderError: (page: ErrorPage) => string },
): oidc.Provider {
  const documents = new ClientDocuments(app)
  const provider = new oidc.Provider(app.config.siteUrl.origin, {
    adapter: (model: string) => new PayloadAdapter(app, model),
    clients: KNOWN_CLIENTS,
    jwks: { keys: signingKeys(app) },
    ...endpoints(app),
    ...grants(app),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      id_token_signed_response_alg: ALGORITHM,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    enabledJWA: { idTokenSigningAlgValues: [ALGORITHM] },
    extraClientMetadata: {
      properties: ['nameplate_policy'],
      validator: (_ctx, _key, _value, metadata) => admit(metadata),
    },
    // The library lets scopes pass that it does not know, and the person would be asked for nothing.
    extraParams: { scope_is_known: (ctx: oidc.KoaContextWithOIDC) => assertKnownScopes(ctx) },
    // Programs in a browser hold no cookie of ours, so there is nothing that another origin could borrow.
    clientBasedCORS: () => true,
    features: features(app, documents),
    fetch: createGuardedFetch(documents),
    fetchResponseBodyLimits: {
      jwks_uri: KEYS_DOCUMENT_BYTES_MAX,
      'client_id metadata document': CLIENT_DOCUMENT_BYTES_MAX,
    },
    renderError: (ctx, out) => {
      ctx.type = 'html'
      ctx.body = renderError({ error: out.error, description: out.error_description })
    },
  })
  // It reads the forwarded headers, which `toConfiguredSite` has written.
  provider.proxy = true
  addDefaults(provider)
  logRefusals(app, provider)
  return provider
}

/** Which browser this is, as far as the library knows. The other cookies have paths of their own, so no host prefix. */
export function sessionCookieName({ siteUrl }: App['config']): string {
  return siteUrl.protocol === 'https:' ? '__Host-oauth_session' : '_oauth_session'
}

function endpoints({ secrets, config }: App) {
  const isSecure = config.siteUrl.protocol === 'https:'
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  return {
    cookies: {
      keys: secrets.derive('oauth cookies').map((key) => key.toString('base64url')),
      names: {
        session: sessionCookieName(config),
        interaction: `${isSecure ? '__Secure-' : '_'}oauth_interaction`,
        resume: `${isSecure ? '__Secure-' : '_'}oauth_resume`,
      },
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    interactions: {
      url: (_ctx: unknown, { uid }: { uid: string }) => `/oauth/interaction/${uid}`,
    },
  }
}

function grants(app: App) {
  return {
    scopes: ['offline_access', SCOPE],
    claims: { sub: null },
    responseTypes: ['code' as const],
    pkce: { required: () => true },
    issueRefreshToken: async (_ctx: unknown, client: oidc.Client) => client.grantTypeAllowed('refresh_token'),
    // An agent goes on working after its person has closed the browser.
    expiresWithSession: async () => false,
    findAccount: async (_ctx: unknown, accountId: string) => {
      const account = await findAccount(app.db, accountId)
      return account?.verifiedAt && !account.disabledAt
        ? { accountId, claims: async () => ({ sub: accountId }) }
        : undefined
    },
    ttl: {
      AuthorizationCode: 60,
      Interaction: 900,
      Session: DAY_SECONDS,
      Grant: 365 * DAY_SECONDS,
      RefreshToken: 30 * DAY_SECONDS,
      AccessToken: 900,
      IdToken: 900,
    },
  }
}

function features(app: App, documents: ClientDocuments) {
  const resource = resourceOf(app)
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx: unknown, client: oidc.Client, token: { clientId?: string | undefined }) =>
        token.clientId === client.clientId,
    },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 600, max: DAY_SECONDS },
      allowFetch: (ctx: oidc.KoaContextWithOIDC, clientId: string) => mayFetchDocument(app, documents, ctx, clientId),
      allowClient: async () => true,
    },
    resourceIndicators: {
      enabled: true,
      // Programs that name no resource mean the only one there is.
      defaultResource: async (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf?.[0] ?? resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx: unknown, indicator: string) => {
        if (indicator.replace(/\/$/, '') !== resource) throw new oidc.errors.InvalidTarget()
        return { scope: SCOPE, audience: resource, accessTokenTTL: 900, accessTokenFormat: 'opaque' as const }
      },
    },
  }
}

const ALLOWED_REDIRECTS =
  'each of redirect_uris must be an https address without user and fragment, or http on 127.0.0.1, [::1] or localhost; ' +
  'schemes of a program of its own are not taken'

/** Checks every client, known, registered or read from its document. */
function admit(metadata: oidc.ClientMetadata): void {
  const redirects = metadata.redirect_uris ?? []
  // What a program sends is looked at here before the library has looked at its shape.
  const isList = Array.isArray(redirects) && redirects.every((redirect) => typeof redirect === 'string')
  if (!isList || !redirects.every(isAllowedRedirect)) {
    throw Object.assign(new oidc.errors.InvalidRedirectUri(), { error_description: ALLOWED_REDIRECTS })
  }
  // Programs on people's machines seldom say so, and without it their port may not change.
  if (redirects.some((redirect) => isLoopback(redirect) || !redirect.startsWith('https:'))) {
    metadata.application_type = 'native'
  }
  // A picture from elsewhere shows its host who opens our page, and looks more trustworthy than it is.
  delete metadata.logo_uri
}

const SCOPES: ReadonlySet<string> = new Set(['openid', 'offline_access', SCOPE])

function assertKnownScopes({ oidc: { params } }: oidc.KoaContextWithOIDC): void {
  const scope = params?.['scope']
  const asked = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
  const unknown = asked.find((one) => !SCOPES.has(one))
  if (unknown === undefined) return
  throw new oidc.errors.InvalidScope(`this scope is not known; ask for ${SCOPE}`, unknown)
}

/** Programs that ask for no scope mean the only one there is. What the library answers has our headers too. */
function addDefaults(provider: oidc.Provider): void {
  provider.use(async (ctx, next) => {
    if (ctx.path === '/oauth/authorize' && ctx.method === 'GET' && !ctx.query['scope']) {
      ctx.query = { ...ctx.query, scope: SCOPE }
    }
    ctx.set({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
    await next()
    // Who was led to a wrong host once must not be led there again by a cache.
    if (ctx.path.startsWith('/.well-known/')) ctx.set('cache-control', 'no-store')
  })
}

/** Logs each refusal with its client; never codes or tokens. */
function logRefusals({ log }: App, provider: oidc.Provider): void {
  for (const event of [
    'authorization.error',
    'grant.error',
    'registration_create.error',
    'revocation.error',
  ] as const) {
    provider.on(event as 'grant.error', (ctx, error) => {
      log.info({ event: `oauth.${event}`, error: error.message, client_id: ctx.oidc?.client?.clientId ?? null })
    })
  }
  provider.on('server_error', (_ctx, error) => log.error({ event: 'oauth.server_error', error }))
}

/**
 * The first signs id tokens, which few ask for. Made from the configured hashing keys, so that every process has the same.
 */
function signingKeys({ secrets }: Pick<App, 'secrets'>): oidc.JWK[] {
  const keyIds = secrets.derive('oauth key id')
  return secrets.derive('oauth signing').map((scalar, index) => toSigningKey(scalar, keyIds[index] ?? scalar))
}

function toSigningKey(scalar: Buffer, keyId: Buffer): oidc.JWK {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  return {
    kty: 'EC',
    crv: 'P-256',
    use: 'sig',
    alg: ALGORITHM,
    kid: keyId.toString('base64url').slice(0, 16),
    d: scalar.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
}
