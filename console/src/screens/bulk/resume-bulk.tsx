import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural } from '../../ui/words.ts'
import { isActive, useChangeBulk } from './bulk-jobs.ts'
import { leftOf } from './bulk-words.ts'

/** Shows why the job stopped, and a button to resume it. */
export function ResumeBulk({ bulk }: { bulk: Bulk }) {
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
