import { useState } from 'react'
import type { Account, ApiKeyDescription, RotatedKey } from '../../api/bodies.ts'
import { Button, Card, Facts } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { showAgo, showMoment } from '../../ui/words.ts'
import { RotateKey } from './rotate-key.tsx'

export type Mode = RotatedKey['mode']

export function ApiKeys({ account }: { account: Account }) {
  return (
    <div className="columns">
      <ApiKey mode="live" described={account.api_key}>
        For your programs. What it asks is real, and a match costs a credit.
      </ApiKey>
      <ApiKey mode="test" described={account.test_api_key}>
        For trying out and for your tests. It spends nothing, touches no web site, and answers for the reserved domains,
        such as <code>matched.test</code>.
      </ApiKey>
    </div>
  )
}

function ApiKey(props: { mode: Mode; described: ApiKeyDescription; children: React.ReactNode }) {
  const { mode, described } = props
  const [isAsking, setAsking] = useState(false)
  const [rotated, setRotated] = useState<RotatedKey | null>(null)
  return (
    <Card title={mode === 'live' ? 'API key' : 'Test key'}>
      <div className="stack-small">
        <code className="key">
          {described.prefix}…{described.last4}
        </code>
        <p className="soft">{props.children}</p>
        <Facts
          facts={[
            ['Made', showMoment(described.created_at)],
            ['Last used', described.last_used_at === null ? 'not yet' : showAgo(described.last_used_at)],
          ]}
        />
        {rotated && <NewKey rotated={rotated} onKept={() => setRotated(null)} />}
        <div className="row">
          <Button look="quiet" onClick={() => setAsking(true)}>
            {mode === 'live' ? 'Replace the API key' : 'Replace the test key'}
          </Button>
        </div>
      </div>
      {isAsking && <RotateKey mode={mode} onRotated={setRotated} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function NewKey({ rotated, onKept }: { rotated: RotatedKey; onKept: () => void }) {
  return (
    <ShownOnce
      title="Your new key"
      secret={rotated.api_key}
      what="the new key"
      warning="It is not shown here again. Put it where your programs find it."
      onKept={onKept}
    >
      <p>The old key works until {showMoment(rotated.previous_key_valid_until)}.</p>
    </ShownOnce>
  )
}
