/**
 * OAuth: programs that act for an account with its leave. The authorization server, connections, tokens.
 *
 * Promises: a token is good for the agent endpoint and nothing else; revoking a connection, or changing the password,
 * ends its tokens at once; ids and tokens are stored as hashes, what belongs to them sealed.
 * Never does: implement the protocol. `oidc-provider` does; this feature configures it.
 */
export {
  createAuthorizationServer,
  resourceOf,
  SCOPE,
  sessionCookieName,
} from './authorization-server.ts'
export { cleanClientName, documentHost, redirectHost } from './clients.ts'
export {
  type Connection,
  DAILY_CREDITS_DEFAULT,
  DAILY_CREDITS_MAX,
  endConnection,
  endForeignSession,
  findTokenHolder,
  getConnection,
  listConnections,
  putConnection,
  recordRefusal,
  setDailyCap,
} from './connections.ts'
export { forgetPayloadsJob } from './jobs.ts'
export { SEALED_OAUTH_PAYLOAD } from './payload-adapter.ts'
