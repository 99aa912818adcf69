import type { ClientMetadata } from 'oidc-provider'

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
