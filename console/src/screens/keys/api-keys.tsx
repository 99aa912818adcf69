import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import type { Account, EndedKey, LivingApiKey, RotatedKey, ShownKey } from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Form, TextField } from '../../ui/fields.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showAgo, showMoment } from '../../ui/words.ts'

type Mode = RotatedKey['mode']

const ACCOUNT = { queryKey: ['account'] }

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
  const [asking, setAsking] = useState<'show' | 'replace' | null>(null)
  const [shown, setShown] = useState<ShownKey | null>(null)
  const [rotated, setRotated] = useState<RotatedKey | null>(null)
  const close = () => setAsking(null)
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
        {shown && isCurrent(shown, keys) && <CurrentKey shown={shown} onDone={() => setShown(null)} />}
        {rotated && <NewKey rotated={rotated} onKept={() => setRotated(null)} />}
        <div className="row">
          <Button look="quiet" onClick={() => setAsking('show')}>
            {mode === 'live' ? 'Show the API key' : 'Show the test key'}
          </Button>
          <Button look="quiet" onClick={() => setAsking('replace')}>
            {mode === 'live' ? 'Replace the API key' : 'Replace the test key'}
          </Button>
        </div>
      </div>
      {asking === 'show' && <ShowKey mode={mode} onShown={setShown} onClose={close} />}
      {asking === 'replace' && <RotateKey mode={mode} onRotated={setRotated} onClose={close} />}
    </Card>
  )
}

/** A key that was replaced or revoked is not shown any more. */
function isCurrent({ api_key: shown }: ShownKey, keys: readonly LivingApiKey[]): boolean {
  return shown === null || keys.some(({ last4, ends_at: endsAt }) => endsAt === null && shown.endsWith(last4))
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

function CurrentKey({ shown, onDone }: { shown: ShownKey; onDone: () => void }) {
  if (shown.api_key === null) return <p role="status">We can no longer show this key. Replace it to see a new one.</p>
  return (
    <div className="stack-small" role="status">
      <Snippet text={shown.api_key} what="the key" />
      <div className="row">
        <Button look="quiet" small onClick={onDone}>
          Hide it
        </Button>
      </div>
    </div>
  )
}

/** Requires the password, so that a passer-by cannot read a key on an open screen. */
function ShowKey(props: { mode: Mode; onShown: (shown: ShownKey) => void; onClose: () => void }) {
  const { mode, onShown, onClose } = props
  const [password, setPassword] = useState('')
  const show = useMutation({
    mutationFn: () =>
      callApi<ShownKey>('POST', '/v1/auth/api-key/show', {
        body: { mode, current_password: password },
        refusesPassword: true,
      }),
    onSuccess: (shown) => {
      onShown(shown)
      onClose()
    },
  })
  const name = mode === 'live' ? 'API key' : 'test key'
  return (
    <Dialog title={`Show the ${name}`} onClose={onClose}>
      <Form className="stack-small" onSubmit={() => show.mutate()}>
        <PasswordFields password={password} onChange={setPassword} />
        {show.isError && <Problem title="The key is not shown" error={show.error} />}
        <DialogButtons action="Show it" isBusy={show.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function PasswordFields({ password, onChange }: { password: string; onChange: (password: string) => void }) {
  const { data: account } = useAccount()
  return (
    <>
      <input type="email" autoComplete="username" value={account?.email ?? ''} readOnly hidden />
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        maxLength={PASSWORD_LENGTH_MAX}
        required
        value={password}
        onChange={onChange}
      />
    </>
  )
}

function DialogButtons({ action, isBusy, onClose }: { action: string; isBusy: boolean; onClose: () => void }) {
  return (
    <div className="row">
      <Button type="submit" busy={isBusy}>
        {action}
      </Button>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  )
}

const OVERLAPS = [
  ['0', 'It ends at once, like every older key'],
  ['1', 'It works for one more hour'],
  ['24', 'It works for one more day'],
  ['168', 'It works for one more week'],
] as const
const PASSWORD_LENGTH_MAX = 256

/** Requires the password, so that a passer-by cannot create a key on an open screen. */
function RotateKey(props: { mode: Mode; onRotated: (rotated: RotatedKey) => void; onClose: () => void }) {
  const { mode, onRotated, onClose } = props
  const [overlapHours, setOverlapHours] = useState<(typeof OVERLAPS)[number][0]>('24')
  const [password, setPassword] = useState('')
  const rotate = useChange(
    ACCOUNT,
    () =>
      callApi<RotatedKey>('POST', '/v1/auth/api-key/rotate', {
        body: { mode, overlap_hours: Number(overlapHours), current_password: password },
        isOnce: true,
        refusesPassword: true,
      }),
    (rotated) => {
      onRotated(rotated)
      onClose()
    },
  )
  const name = mode === 'live' ? 'API key' : 'test key'
  return (
    <Dialog title={`Replace the ${name}?`} onClose={onClose}>
      <Form className="stack-small" onSubmit={() => rotate.mutate()}>
        <p>The new key works at once. Programs with the old key stop working when it ends.</p>
        <Choice label="The old key" value={overlapHours} onChange={setOverlapHours} options={OVERLAPS} />
        <PasswordFields password={password} onChange={setPassword} />
        {rotate.isError && <Problem title="The key was not replaced" error={rotate.error} />}
        <DialogButtons action={`Create a new ${name}`} isBusy={rotate.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

/** Revokes one key after confirmation. */
function EndKey({ apiKey: { id, last4, ends_at: endsAt } }: { apiKey: LivingApiKey }) {
  const showToast = useToast()
  const revoke = () => callApi<EndedKey>('DELETE', `/v1/auth/api-keys/${encodeURIComponent(id)}`)
  const end = useChange(ACCOUNT, revoke, () => showToast(`The key …${last4} is revoked.`))
  return (
    <ConfirmButton
      text="Revoke"
      look="danger"
      small
      aria-label={`Revoke the key that ends in ${last4}`}
      title={`Revoke the key …${last4}?`}
      action="Revoke it"
      isFinal
      change={end}
    >
      <p>Programs that use it lose access at once. You cannot undo this.</p>
      {endsAt === null && <p>A new key replaces it. To see the new key, choose “Show”.</p>}
    </ConfirmButton>
  )
}
