import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ACTS } from '../../../../src/accounts/audit/acts.ts'
import type { AuditEntry, AuditLog } from '../../api/bodies.ts'
import { callApi, fetchFile } from '../../api/client.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Choice, PeriodFields } from '../../ui/fields.tsx'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Button, Card, Empty, Problem, ScreenHead } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import { ACTOR_WORDS, listAbout, listChanges, type ShownChange, showActor } from './audit-words.ts'
import './audit.css'

const FILTERS = ['act', 'actor', 'from', 'to'] as const
type Filter = Partial<Record<(typeof FILTERS)[number], string>>

export function AuditScreen() {
  const { filter, setFilter } = useAddressFilter('/audit', FILTERS)
  const isBackwards = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to
  const log = useInfiniteQuery({
    queryKey: ['audit', filter],
    enabled: !isBackwards,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      callApi<AuditLog>('GET', '/v1/account/audit', { query: { ...filter, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next_cursor,
  })
  return (
    <div className="stack">
      <ScreenHead title="Audit log" actions={<Download filter={filter} disabled={isBackwards} />}>
        Every act on your account: who, when, from where, and what changed. Entries are never changed or deleted, and
        each one seals the one before it.
      </ScreenHead>
      <Card>
        <Filters filter={filter} isBackwards={isBackwards} onChange={setFilter} />
        {!isBackwards && (
          <Paged query={log} what="the audit log" more="Show older entries">
            {(entries) =>
              entries.length === 0 ? <NoEntries onClear={() => setFilter(null)} /> : <Log entries={entries} />
            }
          </Paged>
        )}
      </Card>
      <p className="soft small">
        To watch the log in another system, <Link href="/webhooks">add a webhook destination</Link> for “Audit log”.{' '}
        <a href="/docs/audit-log">How to check the log yourself</a>
      </p>
    </div>
  )
}

function Filters(props: { filter: Filter; isBackwards: boolean; onChange: (part: Filter | null) => void }) {
  const { filter, isBackwards, onChange } = props
  return (
    <div className="audit-filters">
      <Choice
        label="Act"
        value={filter.act ?? ''}
        onChange={(act) => onChange({ act })}
        options={[['', 'All acts'], ...Object.entries(ACTS)]}
      />
      <Choice
        label="Who"
        value={filter.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
        options={[['', 'Anyone'], ...Object.entries(ACTOR_WORDS)]}
      />
      <PeriodFields period={filter} isBackwards={isBackwards} onChange={onChange} />
    </div>
  )
}

/** A log begins with the sign-up, so only a filter leaves nothing. */
function NoEntries({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title="No entries fit these filters"
      action={
        <Button look="quiet" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The log records sign-ins, keys, connected programs, decisions, disputes, downloads, webhooks and settings, from
      the moment the account was opened. Choose another act, person or period.
    </Empty>
  )
}

function Log({ entries }: { entries: AuditEntry[] }) {
  return (
    <table className="audit-log">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">From where</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.sequence} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ entry }: { entry: AuditEntry }) {
  const about = listAbout(entry)
  return (
    <tr>
      <td className="when">{showMoment(entry.at)}</td>
      <td className="who">
        {showActor(entry)}
        {entry.actor.name !== null && <span className="soft small">{ACTOR_WORDS[entry.actor.kind]}</span>}
      </td>
      <td className="what">
        <strong>{entry.act_name}</strong> {entry.outcome === 'failure' && <Badge tone="warn">Refused</Badge>}
        {listChanges(entry).map((change) => (
          <Change key={change.name} change={change} />
        ))}
        {about.length > 0 && <span className="soft small">{about.join(' · ')}</span>}
      </td>
      <td className={entry.ip === null && entry.user_agent === null ? 'where unknown' : 'where'}>
        {entry.ip ?? <span className="soft">–</span>}
        {entry.user_agent !== null && <span className="soft small">{entry.user_agent}</span>}
      </td>
    </tr>
  )
}

function Change({ change: { name, from, to } }: { change: ShownChange }) {
  return (
    <span className="change">
      {name}: {from !== null && to !== null ? `${from} → ${to}` : (to ?? `${from ?? ''} → gone`)}
    </span>
  )
}

function Download({ filter, disabled }: { filter: Filter; disabled: boolean }) {
  const showToast = useToast()
  const download = useMutation({
    mutationFn: async () =>
      saveFile(await fetchFile('/v1/account/audit/export', { query: filter }), 'nameplate-audit-log.csv'),
    onSuccess: () => showToast('Audit log downloaded.'),
  })
  return (
    <div className="stack-small">
      <Button look="quiet" busy={download.isPending} disabled={disabled} onClick={() => download.mutate()}>
        Download as CSV
      </Button>
      {download.isError && <Problem error={download.error} />}
    </div>
  )
}
