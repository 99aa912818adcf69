import { useAccount } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { ScreenHead } from '../../ui/parts.tsx'
import '../../styles/keys.css'
import { AgentSetup } from './agent-setup.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { FirstCall } from './first-call.tsx'

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
