import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connection, Connections, EndedConnection } from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Card, Empty, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural, showAgo, showDay, showNumber } from '../../ui/words.ts'

const CAP_MAX = 10_000
const PATH = '/v1/connections'
const CONNECTIONS = { queryKey: ['connections'] }
const pathOf = ({ id }: Connection) => `${PATH}/${encodeURIComponent(id)}`

export function ConnectedApps() {
  const connections = useQuery({ ...CONNECTIONS, queryFn: () => callApi<Connections>('GET', PATH) })
  return (
    <Card title="Connected apps" aside={<p>programs you approved</p>}>
      <Loaded query={connections} what="the connected apps">
        {({ data }) => (data.length === 0 ? <NoConnections /> : <AppList connections={data} />)}
      </Loaded>
    </Card>
  )
}

function NoConnections() {
  return (
    <Empty title="No program is connected">
      Give the address above to an agent. After you approve it, this list shows what it spends, and you can change its
      cap or disconnect it.
    </Empty>
  )
}

function AppList({ connections }: { connections: Connection[] }) {
  return (
    <ul className="list">
      {connections.map((connection) => (
        <li key={connection.id} className="stack-small">
          <ConnectedApp connection={connection} />
        </li>
      ))}
    </ul>
  )
}

function ConnectedApp({ connection }: { connection: Connection }) {
  const { name, returns_to: returnsTo, last_used_at: usedAt, credits_today: spent } = connection
  return (
    <>
      <div className="row spread">
        <strong>{name}</strong>
        <EndConnection connection={connection} />
      </div>
      <p className="small soft">
        Returns to {returnsTo}. Connected on {showDay(connection.connected_at)},{' '}
        {usedAt === null ? 'not used yet' : `last used ${showAgo(usedAt)}`}.
      </p>
      <p>
        {showNumber(spent)} of {plural(connection.daily_credit_cap, 'credit')} spent today
      </p>
      <CapForm connection={connection} />
    </>
  )
}

function CapForm({ connection }: { connection: Connection }) {
  const [cap, setCap] = useState(String(connection.daily_credit_cap))
  const showToast = useToast()
  const change = useChange(
    CONNECTIONS,
    (body: Pick<Connection, 'daily_credit_cap'>) => callApi<Connection>('PATCH', pathOf(connection), { body }),
    ({ name, daily_credit_cap: now }) => showToast(`${name} may spend ${plural(now, 'credit')} a day.`),
  )
  return (
    <Form className="stack-small" onSubmit={() => change.mutate({ daily_credit_cap: Number(cap) })}>
      <div className="row end">
        <div className="cap">
          <TextField
            label="Daily credit cap"
            type="number"
            inputMode="numeric"
            min={0}
            max={CAP_MAX}
            step={1}
            required
            value={cap}
            onChange={setCap}
          />
        </div>
        <Button type="submit" look="quiet" busy={change.isPending}>
          Change the cap
        </Button>
      </div>
      {change.isError && <Problem error={change.error} />}
    </Form>
  )
}

function EndConnection({ connection }: { connection: Connection }) {
  const { name } = connection
  const showToast = useToast()
  const disconnect = () => callApi<EndedConnection>('DELETE', pathOf(connection))
  const end = useChange(CONNECTIONS, disconnect, () => showToast(`${name} is disconnected.`))
  return (
    <ConfirmButton
      text="Disconnect"
      look="danger"
      small
      aria-label={`Disconnect ${name}`}
      title={`Disconnect ${name}?`}
      action="Disconnect it"
      isFinal
      change={end}
    >
      <p>It loses access at once. To use it again, connect it from the program.</p>
    </ConfirmButton>
  )
}
