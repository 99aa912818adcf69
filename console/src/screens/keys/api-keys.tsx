import { useState } from 'react'
import type { Account, LivingApiKey, RotatedKey } from '../../api/bodies.ts'
import { Button, Card } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { showAgo, showMoment } from '../../ui/words.ts'
import { EndKey } from './end-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type Mode = RotatedKey['mode']

export function ApiKeys({ account }: { account: Account }) {
  const keysOf = (mode: Mode) => account.api_keys.filter((key) => key.mode === mode)
  return (
    <div className="columns">
      <ModeKeys mode="live" keys={keysOf('live')}>
        For your programs. Requests are real: you pay one credit per match.
      </ModeKeys>
      <ModeKeys mode="test" keys={keysOf('test')}>
        For development and tests. It costs nothing, reads no web site, and works with the reserved test domains, such
        as <code>matched.test</code>.
      </ModeKeys>
    </div>
  )
}

function ModeKeys(props: { mode: Mode; keys: LivingApiKey[]; children: React.ReactNode }) {
  const { mode, keys } = props
  const [isAsking, setAsking] = useState(false)
  const [rotated, setRotated] = useState<RotatedKey | null>(null)
  const title = mode === 'live' ? 'API key' : 'Test key'
  return (
    <Card title={title} aside={keys.length > 1 ? <p>{keys.length} active keys</p> : undefined}>
      <div className="stack-small">
        <p className="soft">{props.children}</p>
        <ul className="list" aria-label={`${title}: active keys`}>
          {keys.map((key) => (
            <ActiveKey key={key.id} apiKey={key} />
          ))}
        </ul>
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

function ActiveKey({ apiKey }: { apiKey: LivingApiKey }) {
  const { prefix, last4, created_at: madeAt, last_used_at: usedAt, ends_at: endsAt } = apiKey
  return (
    <li className="stack-small">
      <div className="row spread">
        <code className="key">
          {prefix}…{last4}
        </code>
        <EndKey apiKey={apiKey} />
      </div>
      <p className="small soft">
        {endsAt !== null && <strong>Replaced. It works until {showMoment(endsAt)}. </strong>}
        Created {showMoment(madeAt)}, {usedAt === null ? 'not used yet' : `last used ${showAgo(usedAt)}`}.
      </p>
    </li>
  )
}

function NewKey({ rotated, onKept }: { rotated: RotatedKey; onKept: () => void }) {
  return (
    <ShownOnce
      title="Your new key"
      secret={rotated.api_key}
      what="the new key"
      warning="We do not show it here again. Store it where your programs can read it."
      onKept={onKept}
    >
      <p>The old key works until {showMoment(rotated.previous_key_valid_until)}.</p>
    </ShownOnce>
  )
}
