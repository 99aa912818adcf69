import { useAccount, useEnvironment } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, ScreenHead } from '../../ui/parts.tsx'
import './keys.css'
import { Snippet } from '../../ui/snippet.tsx'
import { AgentSetup } from './agent-setup.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ConnectedApps } from './connected-apps.tsx'

export function KeysScreen() {
  const account = useAccount()
  return (
    <div className="stack">
      <ScreenHead title="Keys and agents">
        How programs use your account: with an API key, or as an agent that you approve and can disconnect at any time.
      </ScreenHead>
      <Loaded query={account} what="your keys">
        {(body) => <ApiKeys account={body} />}
      </Loaded>
      <FirstCall />
      <AgentSetup />
      <ConnectedApps />
    </div>
  )
}

/** Shows commands that a person can paste once the key is set. */
function FirstCall() {
  const { data } = useEnvironment()
  if (!data) return null
  const domain = data.demo_domains[0] ?? 'example.co.uk'
  const askDomain = `curl '${data.api_url}/v1/resolve/domain' \\
  -H "X-API-Key: $NAMEPLATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"domain":"${domain}"}'`
  return (
    <Card title="Your first API call" aside={<a href="/docs/api">API reference</a>} stacked>
      <p className="soft">
        Set <code>NAMEPLATE_API_KEY</code> to your key. With the API key you pay one credit per match. The test key is
        free.
      </p>
      <Snippet text={askDomain} what="a first call" />
    </Card>
  )
}
