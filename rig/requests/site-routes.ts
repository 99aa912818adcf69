/** Routes beside the OpenAPI document: pages, forms, the authorization server, the console. */
export interface SiteRoute {
  route: string
  /** The fields of its form, or of its query where it has none. */
  fields?: readonly string[]
  /** The type of the form, if it is not one of a browser. */
  type?: 'application/json'
  host?: 'api' | 'site'
  /** Hashes a password. */
  hashes?: true
}

const AUTHORIZE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]

export const SITE_ROUTES: readonly SiteRoute[] = [
  { route: 'GET /' },
  { route: 'GET /account' },
  { route: 'GET /bot' },
  { route: 'GET /connected-apps' },
  { route: 'GET /console' },
  { route: 'GET /console/{path}' },
  { route: 'GET /console/assets/{name}' },
  { route: 'GET /docs/{page}' },
  { route: 'GET /docs/errors/{code}' },
  { route: 'GET /forgot-password', fields: ['email'] },
  { route: 'GET /llms.txt' },
  { route: 'GET /metrics', host: 'api' },
  { route: 'GET /openapi.json', host: 'api' },
  { route: 'GET /reconcile/preview', fields: ['id'], host: 'api' },
  { route: 'GET /reset-password', fields: ['token'] },
  { route: 'GET /sign-in', fields: ['verification', 'next'] },
  { route: 'GET /sign-up', fields: ['next'] },
  { route: 'GET /unsubscribe', fields: ['token'] },
  { route: 'GET /verify-email', fields: ['token'] },
  { route: 'GET /mcp', host: 'api' },
  { route: 'DELETE /mcp', host: 'api' },
  { route: 'GET /.well-known/oauth-authorization-server' },
  { route: 'GET /.well-known/oauth-protected-resource/mcp', host: 'api' },
  { route: 'GET /oauth/jwks' },
  { route: 'GET /oauth/authorize', fields: AUTHORIZE },
  { route: 'POST /oauth/authorize', fields: AUTHORIZE },
  { route: 'GET /oauth/authorize/{uid}' },
  { route: 'GET /oauth/interaction/{uid}' },
  { route: 'POST /oauth/interaction/{uid}/allow', fields: ['daily_credit_cap'] },
  { route: 'POST /oauth/interaction/{uid}/deny', fields: [] },
  { route: 'POST /oauth/interaction/{uid}/sign-in', fields: ['email', 'password'], hashes: true },
  {
    route: 'POST /oauth/register',
    fields: ['client_name', 'redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'scope'],
    type: 'application/json',
  },
  {
    route: 'POST /oauth/token',
    fields: ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier', 'refresh_token'],
  },
  { route: 'POST /oauth/revoke', fields: ['token', 'token_type_hint', 'client_id', 'client_secret'] },
  { route: 'POST /connected-apps/{id}/cap', fields: ['daily_credit_cap'] },
  { route: 'POST /connected-apps/{id}/end', fields: [] },
  { route: 'POST /console/session', fields: ['token'], type: 'application/json' },
  { route: 'POST /forgot-password', fields: ['email'] },
  { route: 'POST /resend-verification', fields: ['email'] },
  { route: 'POST /reset-password', fields: ['token', 'new_password', 'revoke_api_keys'], hashes: true },
  { route: 'POST /sign-in', fields: ['email', 'password', 'next'], hashes: true },
  { route: 'POST /sign-out', fields: [] },
  { route: 'POST /sign-up', fields: ['email', 'password', 'next'], hashes: true },
  { route: 'POST /unsubscribe', fields: ['token'] },
  { route: 'POST /verify-email', fields: ['token', 'password'], hashes: true },
]
