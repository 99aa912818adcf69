/** A program that knows nothing but the address of the agent endpoint finds its way to a tool's answer. */
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { Browser, REDIRECT, walkFrom } from './setup/agent-walk.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { ERAS } from './setup/mcp-client.ts'

const DOCUMENT_HOST = 'desk-agent.co.uk'
const DOCUMENT_URL = `https://${DOCUMENT_HOST}/client.json`
const METADATA = {
  client_name: 'Desk Agent',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

const body = JSON.stringify({ client_id: DOCUMENT_URL, ...METADATA })
const document = { status: 200, headers: { 'content-type': 'application/json' }, body }
const it = useTestService({ sites: { [DOCUMENT_HOST]: { responses: { '/client.json': document } } } })
const owner = prepare(() => it.openAccount())

/** The memory of a program, and the person who sits before it. */
class Desk implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = METADATA
  readonly clientMetadataUrl?: string
  arrived: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  state() {
    return 'a-state'
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  saveDiscoveryState(discovered: OAuthDiscoveryState) {
    this.#discovered = discovered
  }
  discoveryState() {
    return this.#discovered
  }
  async redirectToAuthorization(url: URL) {
    const browser = new Browser(it, owner.token)
    this.arrived = await walkFrom(url.pathname + url.search, { browser, person: owner })
  }
}

describe.each(ERAS)('%s era', (era) => {
  test.each([
    ['registers itself', undefined],
    ['is named by its document', DOCUMENT_URL],
  ])('a program that %s is let in and calls a tool', async (_, documentUrl) => {
    const desk = new Desk(documentUrl)
    const open = () => {
      const client = new Client({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode: era } })
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', it.config.baseUrl), { authProvider: desk })
      return { client, transport }
    }
    const first = open()
    await expect(first.client.connect(first.transport)).rejects.toThrow()
    expect(desk.arrived?.searchParams.get('code')).toBeTruthy()
    await first.transport.finishAuth(desk.arrived?.searchParams ?? new URLSearchParams())
    expect(desk.clientInformation()?.client_id === DOCUMENT_URL).toBe(documentUrl !== undefined)

    const { client, transport } = open()
    await client.connect(transport)
    const result = await client.callTool({ name: 'get_account', arguments: {} })
    expect(result.isError ?? false).toBe(false)
    expect(result.structuredContent).toMatchObject({ connection: { daily_credit_cap: 50, credits_left_today: 50 } })
    await client.close()
  })
})
