import { useState } from 'react'
import { Link } from 'wouter'
import type { BulkRow } from '../../../api/bodies.ts'
import { CompanyPicker, type Picked } from '../../../register/company-picker.tsx'
import { StatusBadge } from '../../../register/status-badge.tsx'
import { Button } from '../../../ui/parts.tsx'
import { showShare } from '../../../ui/words.ts'

interface CandidatesProps {
  row: BulkRow
  isBusy: boolean
  onChoose: (action: 'accept' | 'reject' | 'reassign', number: string | null) => void
}

/** The companies that the row may be, each with the reason, and a button for each decision. Decisions are free. */
export function Candidates({ row, isBusy, onChoose }: CandidatesProps) {
  const { candidates, decision } = row
  return (
    <section className="stack-small" aria-label="Candidates">
      <h3>{decision ? 'Change the decision' : 'Which company is it?'}</h3>
      <ul className="list close">
        {candidates.map(({ company_number: number, company_name: name, score, why, ...company }) => (
          <li key={number} className="stack-small">
            <div className="row spread">
              <span>
                <Link href={`/companies/${number}`}>{name}</Link>{' '}
                <span className="soft small">
                  <span className="mono">{number}</span>
                  {company.registered_postcode && ` · ${company.registered_postcode}`} · {showShare(score / 100)}
                </span>{' '}
                {company.company_status && <StatusBadge company={company} />}
              </span>
              <Button small busy={isBusy} aria-label={`Accept ${name}`} onClick={() => onChoose('accept', number)}>
                Accept
              </Button>
            </div>
            {why !== '' && <p className="small soft">{why}</p>}
          </li>
        ))}
      </ul>
      {candidates.length === 0 && <p className="soft">We found no company that it may be.</p>}
      <div>
        <Button small look="quiet" busy={isBusy} onClick={() => onChoose('reject', null)}>
          None of them
        </Button>
      </div>
      <details>
        <summary>Another company</summary>
        <Another isBusy={isBusy} onChoose={(number) => onChoose('reassign', number)} />
      </details>
    </section>
  )
}

function Another({ isBusy, onChoose }: { isBusy: boolean; onChoose: (number: string) => void }) {
  const [picked, setPicked] = useState<Picked | null>(null)
  return (
    <div className="stack-small">
      <CompanyPicker label="Name or number" picked={picked} onPick={setPicked} />
      {picked && (
        <div>
          <Button small busy={isBusy} onClick={() => onChoose(picked.number)}>
            Choose it
          </Button>
        </div>
      )}
    </div>
  )
}
