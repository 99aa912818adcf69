import { Link, useParams } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Card, Empty, Facts, ScreenHead } from '../../ui/parts.tsx'
import { plural, showMoment, showNumber } from '../../ui/words.ts'
import '../../styles/bulk.css'
import { isActive, useBulk } from './bulk-jobs.ts'
import { doneOf, leftOf, nameOf, showEta, statusOf } from './bulk-words.ts'
import { CancelBulk } from './cancel-bulk.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { OutcomeCounts } from './outcome-counts.tsx'
import { Results } from './results.tsx'
import { ResumeBulk } from './resume-bulk.tsx'

export function BulkProgressScreen() {
  const { id } = useParams<{ id: string }>()
  const bulk = useBulk(id)
  if (bulk.error instanceof ApiProblem && bulk.error.status === 404) return <NoSuchBulk />
  return (
    <div className="stack">
      <p className="small">
        <Link href="/bulk">Bulk</Link>
      </p>
      {!bulk.data && <ScreenHead title="Bulk" />}
      <Loaded query={bulk} what="the bulk job">
        {(body) => <BulkNow bulk={body} />}
      </Loaded>
    </div>
  )
}

function NoSuchBulk() {
  return (
    <div className="stack">
      <ScreenHead title="Bulk" />
      <Empty title="Bulk job not found" action={<Link href="/bulk">All bulk jobs</Link>}>
        Check the address. We delete bulk jobs after 30 days.
      </Empty>
    </div>
  )
}

function BulkNow({ bulk }: { bulk: Bulk }) {
  const { word, tone } = statusOf(bulk)
  const { counts } = bulk
  return (
    <>
      <ScreenHead
        title={nameOf(bulk)}
        actions={
          <>
            <Badge tone={tone}>{word}</Badge>
            {bulk.status === 'running' && <CancelBulk bulk={bulk} />}
          </>
        }
      >
        Sent {showMoment(bulk.created_at)}
      </ScreenHead>
      {bulk.status !== 'running' && leftOf(bulk) > 0 && <ResumeBulk bulk={bulk} />}
      <Card
        title="Progress"
        aside={
          <p>
            {showNumber(doneOf(bulk))} of {plural(counts.total, 'row')} done
          </p>
        }
      >
        <div className="stack">
          <OutcomeBar bulk={bulk} />
          <p className="visually-hidden" role="status">
            {isActive(bulk) ? 'The job is running' : word}
          </p>
          <Facts facts={factsOf(bulk)} />
          <OutcomeCounts counts={counts} />
        </div>
      </Card>
      <Results bulk={bulk} />
    </>
  )
}

function factsOf(bulk: Bulk) {
  const { credits_spent: spent, credits_max: most, finished_at: finishedAt, eta_seconds: eta } = bulk
  return [
    ['Credits spent', `${showNumber(spent)} of at most ${showNumber(most)}`],
    ...(bulk.status === 'running' ? [['Time left', showEta(eta)] as const] : []),
    ...(finishedAt === null ? [] : [['Ended', showMoment(finishedAt)] as const]),
  ] as const
}
