import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Notifications } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'

const PATH = '/v1/account/notifications'
const KEY = ['notifications']

export function DailyDigest() {
  const notifications = useQuery({ queryKey: KEY, queryFn: () => callApi<Notifications>('GET', PATH) })
  return (
    <Card title="Daily digest">
      <Loaded query={notifications} what="your notifications">
        {(body) => <DigestChoice notifications={body} />}
      </Loaded>
    </Card>
  )
}

function DigestChoice({ notifications }: { notifications: Notifications }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const change = useMutation({
    mutationFn: (dailyDigest: boolean) =>
      callApi<Notifications>('PATCH', PATH, { body: { daily_digest: dailyDigest } }),
    onSuccess: (now) => {
      queries.setQueryData(KEY, now)
      showToast(now.daily_digest ? `We send the digest to ${now.email}.` : 'The digest is off.')
    },
  })
  const isOn = change.isPending ? change.variables : notifications.daily_digest
  return (
    <div className="stack-small">
      <label className="row">
        <input
          type="checkbox"
          checked={isOn}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>E-mail me the changes once a day</span>
      </label>
      <p className="soft">
        One e-mail to {notifications.email} after 7:00 London time, on days when a company you watch has changed.
      </p>
      {change.isError && <Problem error={change.error} />}
    </div>
  )
}
