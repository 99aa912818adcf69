import { useState } from 'react'
import type { AlikeReviews } from '../../api/bodies.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { plural, showShare } from '../../ui/words.ts'
import type { Choice } from './choice.ts'

type Alike = AlikeReviews['data'][number]
type By = Alike['alike_by']

const KINDS: Record<By, string> = { company: 'Same company', group: 'Same group', doubt: 'Same doubt' }

/** The reviews that are closest to this one, of one kind. */
export function listNearest({ kinds, data }: AlikeReviews): { by: By; items: Alike[] } {
  const by = kinds.find((kind) => data.some((one) => one.alike_by === kind.alike_by))?.alike_by ?? 'company'
  return { by, items: data.filter((one) => one.alike_by === by) }
}

interface Props {
  alike: AlikeReviews
  choice: Choice
  domain: string
  busy: boolean
  error: unknown
  onDecide: (others: Alike[]) => void
  onClose: () => void
}

/**
 * Previews the reviews to which the decision applies too. Each of them can be ticked and unticked before it is decided; those that
 * have only the doubt in common begin unticked.
 */
export function Together({ alike, choice, domain, busy, error, onDecide, onClose }: Props) {
  const [by, setBy] = useState<By>(() => listNearest(alike).by)
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(
    () => new Set(alike.data.filter((one) => one.alike_by === 'doubt').map(({ id }) => id)),
  )
  const shown = alike.data.filter((one) => one.alike_by === by)
  const ticked = shown.filter(({ id }) => !unticked.has(id))
  const toggle = (ids: string[], isTicked: boolean) => {
    const next = new Set(unticked)
    for (const id of ids) {
      if (isTicked) next.delete(id)
      else next.add(id)
    }
    setUnticked(next)
  }
  const kind = alike.kinds.find((one) => one.alike_by === by)
  return (
    <Dialog title="Same decision for what is like it" onClose={onClose}>
      {alike.kinds.length > 1 && (
        <Segments
          label="What is alike"
          choices={alike.kinds.map((one) => [one.alike_by, `${KINDS[one.alike_by]} (${one.count})`] as const)}
          value={by}
          onChange={setBy}
        />
      )}
      <p>
        {kind?.says} {kind?.has_more && 'There are more; these are the most certain ones.'}
      </p>
      <div className="row">
        <Button
          look="quiet"
          small
          onClick={() =>
            toggle(
              shown.map(({ id }) => id),
              ticked.length < shown.length,
            )
          }
        >
          {ticked.length < shown.length ? 'Tick all' : 'Untick all'}
        </Button>
        <span className="small soft">
          {ticked.length} of {shown.length} ticked
        </span>
      </div>
      <ul className="together">
        {shown.map((one) => (
          <li key={one.id}>
            <label className="together-line">
              <input
                type="checkbox"
                checked={!unticked.has(one.id)}
                onChange={(event) => toggle([one.id], event.target.checked)}
              />
              <Preview one={one} />
            </label>
          </li>
        ))}
      </ul>
      {error !== null && <Problem error={error} />}
      <div className="row">
        <Button busy={busy} disabled={ticked.length === 0} onClick={() => onDecide(ticked)}>
          {choice.decision.action === 'reject' ? 'None of these' : 'Accept'} for {domain} and{' '}
          {plural(ticked.length, 'other')}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <p className="small soft">Free. One click takes all of them back.</p>
    </Dialog>
  )
}

function Preview({ one }: { one: Alike }) {
  return (
    <span className="together-words">
      <span className="row tight">
        <strong>{one.domain}</strong>
        {one.confidence !== null && <span className="small soft">{showShare(one.confidence)}</span>}
      </span>
      <span className="small">
        {one.company_name ? `Accepts ${one.company_name} (${one.company_number})` : 'Rejects all candidates'}
      </span>
      {one.compared?.length === 0 && (
        <span className="small soft">Nothing on the site to compare with the register.</span>
      )}
      {one.differences.map(({ kind, says, register }) => (
        <span key={`${kind} ${register}`} className="small soft">
          {says}
        </span>
      ))}
    </span>
  )
}
