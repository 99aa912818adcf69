import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import type { ReviewsDone } from '../../api/bodies.ts'
import { useKeys } from '../../ui/keys.ts'
import { Card, ScreenHead } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural } from '../../ui/words.ts'
import { toAddress, useDesk } from './desk-filter.ts'
import { DESK_KEYS } from './desk-keys.ts'
import { Queue } from './queue.tsx'
import { type Decided, ReviewItem } from './review-item.tsx'
import { undoDecisions, useReviews } from './reviews.ts'
import { describeLeft, keepChanges, keepLast, takeLast } from './undo.ts'
import './desk.css'
import './review.css'

/** The queue on the left and the open review on the right; on a phone one of them. */
export function ReviewDesk() {
  const { id, filter, setFilter } = useDesk()
  const reviews = useReviews(filter)
  const items = reviews.data?.pages.flatMap(({ data }) => data) ?? []
  const [, go] = useLocation()
  const undo = useUndo((openId) => go(toAddress(openId, filter)))
  const showToast = useToast()
  const at = items.findIndex((item) => item.id === id)
  const open = (item: { id: string } | undefined) => item && go(toAddress(item.id, filter))
  const next = items[at + 1]
  const previous = at > 0 ? items[at - 1] : undefined
  useKeys({ j: () => open(next), k: () => open(previous), u: undo })

  const goOn = ({ review, choice, done }: Decided) => {
    const [only, others] = done.data
    if (only?.decided_since && !others) return showToast(describeLeft(review.domain))
    const { action } = choice.decision
    const changed = done.data.flatMap(({ id: changedId, result, replaced = null, company_number: number }) =>
      result === 'done' ? [{ id: changedId, replaced, made: { action, company_number: number } }] : [],
    )
    const canUndo = keepChanges(changed, review)
    const decided = new Set(done.data.map((one) => one.id))
    const following = items.slice(at + 1).find((item) => !decided.has(item.id))
    const other = following ?? items.find((item) => !decided.has(item.id))
    const before = changed.length === 0 ? ', as before' : ''
    const says =
      changed.length > 1 ? `${plural(changed.length, 'domain')} decided` : `${review.domain}: ${choice.says}${before}`
    const end = other === undefined && review.status === 'open' ? ' There are no more reviews.' : ''
    showToast(`${says}.${describeRefused(done.data)}${end}`, canUndo ? { text: 'Undo', onClick: undo } : undefined)
    // After changing an earlier decision, the person stays and sees the result.
    if (review.status === 'open') go(toAddress(other?.id ?? null, filter))
  }

  return (
    <div className="desk" data-open={id !== null}>
      <div className="desk-queue stack">
        {id === null && (
          <ScreenHead title="Review">Domains whose site names companies but proves none of them.</ScreenHead>
        )}
        <Queue reviews={reviews} filter={filter} onFilter={setFilter} openId={id} />
      </div>
      <div className="desk-item">
        {id === null ? (
          <Start first={items[0]} href={items[0] && toAddress(items[0].id, filter)} />
        ) : (
          <>
            <nav className="row spread small desk-steps" aria-label="Reviews">
              <Link href={toAddress(null, filter)}>All reviews</Link>
              <span className="row tight">
                {previous && <Link href={toAddress(previous.id, filter)}>Previous</Link>}
                {next && <Link href={toAddress(next.id, filter)}>Skip to {next.domain}</Link>}
              </span>
            </nav>
            <ReviewItem id={id} onDecided={goOn} />
          </>
        )}
      </div>
    </div>
  )
}

function describeRefused(done: ReviewsDone['data']): string {
  const left = done.filter(({ decided_since: isLeft }) => isLeft).length
  const refused = done.filter(({ result, decided_since: isLeft }) => result === 'refused' && !isLeft)
  const problem = refused[0]?.problem
  return [
    left === 0 ? '' : ` ${plural(left, 'decision')} changed since then and left alone.`,
    problem ? ` ${plural(refused.length, 'domain')} refused: ${problem.detail}` : '',
  ].join('')
}

/** Takes the last decision of this window back, and opens its review. */
function useUndo(onUndone: (id: string) => void) {
  const queries = useQueryClient()
  const showToast = useToast()
  return () => {
    const last = takeLast()
    if (!last) return showToast('There is no decision to undo in this window.')
    undoDecisions(last.changed).then(
      async (done) => {
        await queries.invalidateQueries({ queryKey: ['reviews'] })
        onUndone(last.id)
        if (done.length === 1 && done[0]?.decided_since) return showToast(describeLeft(last.domain))
        const count = done.filter(({ result }) => result !== 'refused').length
        const says =
          last.changed.length > 1
            ? `${plural(count, 'decision')} taken back.`
            : `The decision on ${last.domain} is taken back.`
        showToast(`${says}${describeRefused(done)}`)
      },
      (error: unknown) => {
        keepLast(last)
        showToast(error instanceof Error ? error.message : 'The decision could not be taken back. Try again.')
      },
    )
  }
}

/** Shown beside the queue until a review is open. */
function Start({ first, href }: { first: { domain: string } | undefined; href: string | undefined }) {
  return (
    <Card title="How to work here">
      <div className="stack">
        <p>
          Each domain names companies, but its site proves none of them. Open one: on the left are the words of the
          site, on the right the register’s record, with the differences in words. Your account gets your decision from
          then on. Decisions are free, and no other account sees them.
        </p>
        {first && href && (
          <div>
            <Link className="button" href={href}>
              Start with {first.domain}
            </Link>
          </div>
        )}
        <table className="desk-keys">
          <caption className="visually-hidden">Keys</caption>
          <tbody>
            {DESK_KEYS.map(([key, does]) => (
              <tr key={key}>
                <th scope="row">
                  <kbd>{key}</kbd>
                </th>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
