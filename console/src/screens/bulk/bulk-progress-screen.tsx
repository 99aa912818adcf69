import { Link, useParams } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { useOpenedFind } from '../../palette/opened-find.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, Problem, ScreenHead } from '../../ui/parts.tsx'
import { plural, showMoment, showNumber } from '../../ui/words.ts'
import './bulk.css'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import { isActive, useBulk, useChangeBulk } from './bulk-jobs.ts'
import { describePause, doneOf, leftOf, nameOf, type RowState, showEta, statusOf } from './bulk-words.ts'
import { DeskLink } from './desk-link.tsx'
import { Documents } from './documents.tsx'
import { OutcomeFilter } from './results/outcome-filter.tsx'
import { Results } from './results/results.tsx'
import { useRowFilter } from './results/row-filter.ts'

export function BulkProgressScreen() {
  const { id } = useParams<{ id: string }>()
  const bulk = useBulk(id)
  if (bulk.error instanceof ApiProblem && bulk.error.status === 404) return <NoSuchBulk />
  return (
    <div className="stack wide-screen">
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
  const { filter, change } = useRowFilter(bulk.id)
  useOpenedFind({ title: nameOf(bulk), detail: 'Bulk job', href: `/bulk/${bulk.id}` })
  return (
    <>
      <ScreenHead
        title={nameOf(bulk)}
        actions={
          <>
            <Badge tone={tone}>{word}</Badge>
            {bulk.status === 'running' && <CancelBulk bulk={bulk} />}
            <Documents bulk={bulk} />
          </>
        }
      >
        {sourceOf(bulk)}Sent {showMoment(bulk.created_at)}
      </ScreenHead>
      {bulk.status !== 'running' && leftOf(bulk) > 0 && <ResumeBulk bulk={bulk} />}
      <Card
        title="Progress"
        aside={
          <p>
            {showNumber(doneOf(bulk))} of {plural(counts.total, 'row')} done · {factsOf(bulk).join(' · ')}
          </p>
        }
      >
        <div className="stack">
          <OutcomeFilter
            bulk={bulk}
            chosen={filter.states}
            onChoose={(states) => change({ state: states.join(',') })}
          />
          <p className="visually-hidden" role="status">
            {isActive(bulk) ? 'The job is running' : word}
          </p>
          <StateNotes states={filter.states} counts={counts} />
          <DeskLink bulk={bulk} />
        </div>
      </Card>
      <Results bulk={bulk} />
    </>
  )
}

function factsOf(bulk: Bulk): string[] {
  const { credits_spent: spent, credits_max: most, finished_at: finishedAt, eta_seconds: eta } = bulk
  return [
    `${showNumber(spent)} of at most ${plural(most, 'credit')} spent`,
    ...(bulk.status === 'running' ? [eta === null ? 'time left not known yet' : `${showEta(eta)} left`] : []),
    ...(finishedAt === null ? [] : [`ended ${showMoment(finishedAt)}`]),
  ]
}

const NOTES: Partial<Record<RowState, string>> = {
  matched: 'Matched domains cost one credit each, unless already paid. Matches by number or name are free.',
  needs_review: 'Select rows to decide them together, or open one to see its candidates. Decisions are free.',
  failed: 'Failed rows cost nothing. Resume the job to try them again.',
  invalid: 'Invalid rows stay in your results with the reason.',
  duplicate: 'A duplicate gets the answer of the row it repeats.',
  cancelled: 'Resume the job to resolve cancelled rows.',
}

/** Explains the states that are chosen. */
function StateNotes({ states, counts }: { states: readonly RowState[]; counts: Bulk['counts'] }) {
  const notes = states.flatMap((state) => (counts[state] > 0 && NOTES[state] ? [NOTES[state]] : []))
  return notes.length === 0 ? null : <p className="small soft">{notes.join(' ')}</p>
}

function sourceOf({ source }: Bulk): string {
  if (!source?.file_name) return ''
  return source.sheet ? `${source.file_name}, sheet ${source.sheet}. ` : `${source.file_name}. `
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
    const { why, next } = describePause(bulk)
    return (
      <>
        <strong>Paused: {why}</strong>
        <p>
          {rows} left. Nothing is lost. {next} the job.{' '}
          {bulk.paused_reason === 'insufficient_credits' && <Link href="/usage">See your credits</Link>}
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
