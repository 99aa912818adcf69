import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DisqualificationCheck, DisqualificationOrder } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { showDay, showMoment } from '../../ui/words.ts'

/** Asks for the check on a button: it takes requests of the register's budget, which all accounts share. */
export function DisqualificationCard({ officerId }: { officerId: string }) {
  const [isAsked, setAsked] = useState(false)
  const check = useQuery({
    queryKey: ['officer', officerId, 'disqualifications'],
    queryFn: ({ signal }) =>
      callApi<DisqualificationCheck>('GET', `/v1/officers/${officerId}/disqualifications`, { signal }),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card title="Disqualifications" stacked>
      {isAsked ? (
        <Loaded query={check} what="the check">
          {(body) => <Result check={body} onRetry={() => void check.refetch()} isFetching={check.isFetching} />}
        </Loaded>
      ) : (
        <>
          <p>
            Courts and the Secretary of State can forbid a person to be a director. The check compares the name and the
            month and year of birth with the register’s disqualified people, never the name alone.
          </p>
          <div>
            <Button look="quiet" onClick={() => setAsked(true)}>
              Check for disqualifications
            </Button>
          </div>
        </>
      )}
    </Card>
  )
}

const RESULTS: Record<DisqualificationCheck['result'], [tone: Tone, words: string]> = {
  found: ['bad', 'Found'],
  possible: ['warn', 'Possible'],
  none_found: ['good', 'None found'],
  not_checked: ['neutral', 'Not checked'],
}

function Result({ check, onRetry, isFetching }: ResultProps) {
  const [tone, words] = RESULTS[check.result]
  const canRetry = check.not_checked_reason === 'budget_spent' || check.not_checked_reason === 'register_unavailable'
  return (
    <>
      <div role="status" className="stack-small">
        <div>
          <Badge tone={tone}>{words}</Badge>
        </div>
        <p>{check.result_text}</p>
      </div>
      {check.orders.length > 0 && (
        <ul className="list">
          {check.orders.map((order, index) => (
            <li key={index}>
              <Order order={order} />
            </li>
          ))}
        </ul>
      )}
      {canRetry && (
        <div>
          <Button look="quiet" small busy={isFetching} onClick={onRetry}>
            Check again
          </Button>
        </div>
      )}
      {check.retry_at && <p className="small soft">Try again after {showMoment(check.retry_at)}.</p>}
      {check.as_of && <p className="small soft">As of {showMoment(check.as_of)}.</p>}
    </>
  )
}

interface ResultProps {
  check: DisqualificationCheck
  onRetry: () => void
  isFetching: boolean
}

const STATES: Record<DisqualificationOrder['state'], [tone: Tone, words: string]> = {
  in_force: ['bad', 'In force'],
  expired: ['neutral', 'Expired'],
  not_begun: ['warn', 'Not begun'],
}

function Order({ order }: { order: DisqualificationOrder }) {
  const [tone, words] = STATES[order.state]
  const { disqualified_from: from, disqualified_until: until, company_names: companies } = order
  const days = `${from ? `from ${showDay(from)}` : ''} ${until ? `until ${showDay(until)}` : 'without an end'}`
  const details = [
    order.act_text,
    order.court_name,
    companies.length > 0 && `in connection with ${companies.join(', ')}`,
  ]
  return (
    <>
      <div className="row spread">
        <strong>{order.name}</strong>
        <Badge tone={tone}>{words}</Badge>
      </div>
      <p className="small">
        {order.type_text ?? 'Order'}, {days.trim()}
      </p>
      {order.reason_text && <p className="small">{order.reason_text}</p>}
      <p className="small soft">{details.filter(Boolean).join(' · ')}</p>
      {order.has_permission_to_act && <p className="small">A court allows this person to act for some companies.</p>}
      <p className="small">
        <a href={order.register_url} target="_blank" rel="noreferrer">
          See it on the register<span className="visually-hidden">: {order.name}</span>
        </a>
      </p>
    </>
  )
}
