import { useState } from 'react'
import { Link } from 'wouter'
import type { WatchlistEntry } from '../../api/bodies.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Badge, Button } from '../../ui/parts.tsx'
import { toneOfSeverity } from '../../ui/tones.ts'
import { showDay } from '../../ui/words.ts'
import { UnwatchDialog } from '../../watching/unwatch-dialog.tsx'

export function Entry({ entry }: { entry: WatchlistEntry }) {
  const { company_number: number, company_name: name, latest_signal: latest } = entry
  const [isAsking, setAsking] = useState(false)
  return (
    <li className="watched-entry">
      <div className="watched-what">
        <div className="row tight">
          <Link href={`/companies/${number}`}>
            <strong>{name}</strong>
          </Link>
          <StatusBadge company={entry} unknown="Left the register" />
        </div>
        <p className="small soft">
          <span className="mono">{number}</span> · watched since {showDay(entry.watched_at)}
        </p>
        {latest ? (
          <p className="small watched-latest">
            <Badge tone={toneOfSeverity(latest.severity)}>{showDay(latest.occurred_on)}</Badge>
            <span>{latest.summary}</span>
          </p>
        ) : (
          <p className="small soft">No changes recorded yet.</p>
        )}
      </div>
      <Button look="quiet" small aria-label={`Stop watching ${name}`} onClick={() => setAsking(true)}>
        Stop watching
      </Button>
      {isAsking && <UnwatchDialog company={{ number, name }} onClose={() => setAsking(false)} />}
    </li>
  )
}
