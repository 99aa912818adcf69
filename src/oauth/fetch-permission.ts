import type { KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../app.ts'
import { type ClientDocuments, isDocumentAddress } from './client-documents.ts'
import { isAllowedRedirect } from './redirects.ts'

/** Decides, before a client's document is fetched, by cheap checks that a flood of made-up clients does not pass. */
export async function mayFetchDocument(
  { db }: Pick<App, 'db'>,
  documents: ClientDocuments,
  ctx: KoaContextWithOIDC,
  clientId: string,
): Promise<boolean> {
  const [met] = await db.query('select from oauth_payload where client_id = $1 limit 1', [clientId])
  if (met) {
    documents.exempt(clientId)
    return true
  }
  // Codes and tokens are of clients that were met.
  if (ctx.path === '/oauth/token' || ctx.path === '/oauth/revoke') return false
  if (ctx.path === '/oauth/authorize' && !isPlausible(ctx.oidc.params ?? {})) return false
  return isDocumentAddress(clientId)
}

function isPlausible(params: Record<string, unknown>): boolean {
  const {
    response_type: type,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: method,
  } = params
  const isComplete = type === 'code' && method === 'S256' && typeof challenge === 'string' && challenge.length === 43
  return isComplete && typeof redirect === 'string' && isAllowedRedirect(redirect)
}
