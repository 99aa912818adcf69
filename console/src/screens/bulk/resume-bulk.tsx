import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { plural } from '../../ui/words.ts'
import { leftOf } from './bulk-words.ts'
import { isAtWork, useChangeBulk } from './bulks.ts'

/** Why it stands still, and the way on. */
export function ResumeBulk({ bulk }: { bulk: Bulk }) {
  const say = useSay()
  const resume = useChangeBulk(bulk.id, 'resume', () => say('It runs again.'))
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
        <strong>Paused: the credits ran out</strong>
        <p>
          {rows} left, and nothing is lost. Once there are credits, resume it.{' '}
          <Link href="/usage">See your credits</Link>
        </p>
      </>
    )
  }
  if (bulk.status === 'completed') {
    return (
      <>
        <strong>{rows} failed on our side</strong>
        <p>Nothing was charged for them. Resume it to have them tried again.</p>
      </>
    )
  }
  return (
    <>
      <strong>You cancelled it</strong>
      <p>
        {rows} left without an answer. Resume it to have them asked for.
        {isAtWork(bulk) && ' What was being read still comes to its end.'}
      </p>
    </>
  )
}
