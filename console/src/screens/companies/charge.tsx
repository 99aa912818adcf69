import type { Charge } from '../../api/bodies.ts'
import { Badge } from '../../ui/parts.tsx'
import { showDay } from '../../ui/words.ts'
import { Small } from './small.tsx'

/** A partly satisfied charge is still outstanding. */
const SETTLED = new Set(['satisfied', 'fully-satisfied'])

/** A charge: for whom, over what, for which debt, and what it no longer covers. */
export function showCharge(charge: Charge) {
  const isSettled = charge.status !== null && SETTLED.has(charge.status)
  const { particulars, secured_details: secured, assets_ceased_released_text: released } = charge
  return (
    <>
      <div className="row spread">
        <strong>{charge.persons_entitled.join(', ') || charge.description || 'Charge'}</strong>
        <Badge tone={isSettled ? 'good' : 'warn'}>{charge.status_text ?? 'Registered'}</Badge>
      </div>
      {particulars && particulars.flags_text.length > 0 && (
        <p className="small">{particulars.flags_text.join(' · ')}</p>
      )}
      <Labelled label={particulars?.type_text ?? 'Particulars'} text={particulars?.description} />
      <Labelled label={secured?.type_text ?? 'Secured'} text={secured?.description} />
      {released && <p className="small">{released}</p>}
      <Small
        parts={[
          charge.persons_entitled.length > 0 && charge.description,
          charge.charge_code,
          charge.created_on && `created ${showDay(charge.created_on)}`,
          charge.satisfied_on && `satisfied ${showDay(charge.satisfied_on)}`,
        ]}
      />
    </>
  )
}

function Labelled({ label, text }: { label: string; text: string | null | undefined }) {
  if (!text) return null
  return (
    <p className="small">
      <span className="soft">{label}:</span> {text}
    </p>
  )
}
