import { Link, useParams } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, Facts, Problem, ScreenHead } from '../../ui/parts.tsx'
import { plural, showMoment, showNumber } from '../../ui/words.ts'
import './bulk.css'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import { isActive, useBulk, useChangeBulk } from './bulk-jobs.ts'
import {
  backgroundOfState,
  doneOf,
  leftOf,
  nameOf,
  type RowState,
  STATES,
  showEta,
  statusOf,
  wordOfState,
} from './bulk-words.ts'
import { OutcomeBar } from './outcome-bar.tsx'
import { Results } from './results.tsx'

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

const NOTES: Partial<Record<RowState, string>> = {
  matched: 'one credit each, unless already paid',
  failed: 'resume the job to try them again',
  invalid: 'the results file gives the reason',
  duplicate: 'the results file names the row',
  cancelled: 'resume the job to resolve them',
}

/** Shows the number of rows in each state and their total. */
function OutcomeCounts({ counts }: { counts: Bulk['counts'] }) {
  const shown = STATES.filter((state) => counts[state] > 0)
  const sum = shown.reduce((total, state) => total + counts[state], 0)
  return (
    <table className="outcome-counts">
      <thead className="visually-hidden">
        <tr>
          <th scope="col">State</th>
          <th scope="col">Rows</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((state) => (
          <tr key={state}>
            <th scope="row">
              <span className="outcome-key" style={{ background: backgroundOfState(state) }} aria-hidden="true" />
              {wordOfState(state)} <StateNote state={state} />
            </th>
            <td className="number">{showNumber(counts[state])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="number">{showNumber(sum)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function StateNote({ state }: { state: RowState }) {
  if (state === 'needs_review') return <Link href="/review">Review them</Link>
  return NOTES[state] ? <span className="soft">{NOTES[state]}</span> : null
}

/** Shows why the job stopped, and a button to resume it. */
function ResumeBulk({ bulk }: { bulk: Bulk }) {
  const showToast = useToast()
  const resume = useChangeBulk(bulk.id, 'resume', () => showToast('The job is running again.'))
  return (
    <div className={`note ${bulk.status === 'paused' ? 'warn' : ''}`}>
      <Why bulk={bulk} />
      {resume.isError && <Problem error={resume.error} />}
      <div className="row">
        <Button small busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      </div>
    </div>
  )
}

function Why({ bulk }: { bulk: Bulk }) {
  const rows = plural(leftOf(bulk), 'row')
  if (bulk.status === 'paused') {
    return (
      <>
        <strong>Paused: you ran out of credits</strong>
        <p>
          {rows} left. Nothing is lost. Get more credits, then resume the job.{' '}
          <Link href="/usage">See your credits</Link>
        </p>
      </>
    )
  }
  if (bulk.status === 'completed') {
    return (
      <>
        <strong>{rows} failed on our side</strong>
        <p>You paid nothing for them. Resume the job to try them again.</p>
      </>
    )
  }
  return (
    <>
      <strong>You cancelled this job</strong>
      <p>
        {rows} not resolved. Resume the job to resolve them.
        {isActive(bulk) && ' Rows in progress still finish.'}
      </p>
    </>
  )
}

function CancelBulk({ bulk }: { bulk: Bulk }) {
  const showToast = useToast()
  const cancel = useChangeBulk(bulk.id, 'cancel', () => showToast('Cancelled. Rows in progress still finish.'))
  return (
    <ConfirmButton
      text="Cancel the bulk job"
      look="quiet"
      small
      title="Cancel this bulk job?"
      action="Cancel the bulk job"
      isFinal
      otherwise="Keep it running"
      change={cancel}
    >
      <p>
        We will not resolve {plural(bulk.counts.waiting, 'queued row')}. You keep the results you have, and you can
        resume the job later.
      </p>
    </ConfirmButton>
  )
}
