import type { ClientMetadata } from 'oidc-provider'

/** Where a program may have people sent back to: encrypted, or on their own machine, or one of the schemes we know. */

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
/** Redirects of editors, which are no web servers; the whole address, as any program can claim a scheme. */
const EDITORS = new Set(['cursor://anysphere.cursor-mcp/oauth/callback'])

export function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false
  return url.protocol === 'https:' || isLoopback(text) || EDITORS.has(text)
}

/** A program on this machine: its port changes from one start to the next. */
export function isLoopback(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

/** Returns the redirect target as the person sees it. */
export function redirectHost(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  if (isLoopback(text)) return 'a program on your own computer'
  return url.protocol === 'https:' ? url.host : `${url.protocol}//${url.host}`
}

/** Cleans the name that a program gave itself before we show it: any program can register any name. */

const NAME_LENGTH_MAX = 80

/** Control and format characters, and those that are drawn as nothing or turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu
/** Characters that could seem to end the quotation around the name. */
const QUOTES = /["“”„‟«»‹›〝〞〟＂「」『』]/gu

/** Returns null when nothing is left that a person can read. */
export function cleanClientName(said: string | undefined): string | null {
  const plain = (said ?? '').normalize('NFC').replaceAll(UNSEEN, ' ').replaceAll(QUOTES, '’')
  const shortened = Array.from(plain.replaceAll(/\s+/gu, ' ').trim()).slice(0, NAME_LENGTH_MAX).join('').trim()
  return /[\p{L}\p{N}]/u.test(shortened) ? shortened : null
}

/** Returns the host of the document that describes the program, where its id is the address of one: it owns that host. */
export function documentHost(clientId: string): string | null {
  const url = URL.parse(clientId)
  return url?.protocol === 'https:' ? url.host : null
}

/**
 * Programs many people connect with. Each is named by the address of a document that describes it; some of those
 * documents do not answer to servers, so what they say is written down here. ChatGPT's is not: it signs with keys that
 * change, and its document is read.
 */
export const KNOWN_CLIENTS: ClientMetadata[] = [
  {
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  {
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    application_type: 'native' as const,
  },
  {
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_name: 'Visual Studio Code',
    redirect_uris: ['http://127.0.0.1:33418/', 'http://127.0.0.1/', 'http://localhost/', 'https://vscode.dev/redirect'],
    application_type: 'native' as const,
  },
].map((client) => ({
  ...client,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}))
