import { useEnvironment } from '../../account.ts'
import { Card } from '../../ui/parts.tsx'
import { Snippet } from '../../ui/snippet.tsx'

/** Shows commands that a person can paste once the key is set. */
export function FirstCall() {
  const { data } = useEnvironment()
  if (!data) return null
  const domain = data.demo_domains[0] ?? 'example.co.uk'
  const askDomain = `curl '${data.api_url}/v1/resolve/domain' \\
  -H "X-API-Key: $NAMEPLATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"domain":"${domain}"}'`
  const logIn = `curl '${data.api_url}/v1/auth/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"YOUR_EMAIL","password":"YOUR_PASSWORD"}'`
  return (
    <Card title="Your first API call" aside={<a href="/docs/api">API reference</a>}>
      <div className="stack-small">
        <p className="soft">
          Set <code>NAMEPLATE_API_KEY</code> to your key. With the API key you pay one credit per match. The test key is
          free.
        </p>
        <Snippet text={askDomain} what="a first call" />
        <details>
          <summary>How to see your current keys</summary>
          <div className="stack-small">
            <p className="small">
              We store keys encrypted, and this page shows only their last characters. Each login over the API returns
              both keys in full, as <code>api_key</code> and <code>test_api_key</code>:
            </p>
            <Snippet text={logIn} what="the login call" />
          </div>
        </details>
      </div>
    </Card>
  )
}
