import { useSurroundings } from '../../account.ts'
import { Card } from '../../ui/parts.tsx'
import { Snippet } from '../../ui/snippet.tsx'

/** From a key to an answer; what is shown can be pasted as it is once the key is in place. */
export function FirstCall() {
  const { data } = useSurroundings()
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
    <Card title="Use it from a program" aside={<a href="/docs/api">API reference</a>}>
      <div className="stack-small">
        <p className="soft">
          Put your key into <code>NAMEPLATE_API_KEY</code>. A match costs one credit with the API key and nothing with
          the test key.
        </p>
        <Snippet text={askDomain} what="a first call" />
        <details>
          <summary>How to see the key you have</summary>
          <div className="stack-small">
            <p className="small">
              We keep keys sealed, and this page shows only the end of them. Both come whole with every login over the
              API, as <code>api_key</code> and <code>test_api_key</code>:
            </p>
            <Snippet text={logIn} what="the login call" />
          </div>
        </details>
      </div>
    </Card>
  )
}
