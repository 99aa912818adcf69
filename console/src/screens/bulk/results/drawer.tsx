import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Bulk, BulkRow } from '../../../api/bodies.ts'
import { ApiProblem } from '../../../api/client.ts'
import { StatusBadge } from '../../../register/status-badge.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Badge, Button, Facts, Problem } from '../../../ui/parts.tsx'
import { showMoment, showNumber, showShare } from '../../../ui/words.ts'
import { useEvidence } from '../../resolutions/history.ts'
import { Proof } from '../../resolve/proof.tsx'
import { Candidates } from './candidates.tsx'
import { type Decided, toSelected, useDecideRows } from './decisions.ts'
import { Outcome } from './outcome.tsx'
import { describeRowDecision, explainCost, isDecidable } from './row-words.ts'
import { useBulkRow } from './rows.ts'

interface DrawerProps {
  bulk: Bulk
  row: number
  isLive: boolean
  onStep: (by: 1 | -1) => void
  onClose: () => void
  onDecided: (decided: Decided) => void
}

/** One row with its proof: beside the table, or over the whole screen where there is no room beside it. */
export function Drawer({ bulk, row, isLive, onStep, onClose, onDecided }: DrawerProps) {
  const loaded = useBulkRow(bulk.id, row, isLive)
  const isMissing = loaded.error instanceof ApiProblem && loaded.error.status === 404
  return (
    <Panel title={`Row ${showNumber(row)}`} onStep={onStep} onClose={onClose}>
      {isMissing ? (
        <p>This bulk job has no row {showNumber(row)}.</p>
      ) : (
        <Loaded query={loaded} what="the row">
          {(body) => <Details key={body.row} bulk={bulk} row={body} onDecided={onDecided} />}
        </Loaded>
      )}
    </Panel>
  )
}

const WIDE = '(min-width: 64rem)'

interface PanelProps {
  title: string
  onStep: (by: 1 | -1) => void
  onClose: () => void
  children: ReactNode
}

function Panel({ title, onStep, onClose, children }: PanelProps) {
  const [isWide, setWide] = useState(() => window.matchMedia(WIDE).matches)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const beside = useRef<HTMLElement>(null)
  useEffect(() => {
    beside.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    const media = window.matchMedia(WIDE)
    const listen = () => setWide(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  useEffect(() => {
    const element = dialog.current
    if (isWide || !element) return
    if (!element.open) element.showModal()
    return () => element.close()
  }, [isWide])
  const inside = (
    <div className="stack">
      <div className="row spread">
        <h2 id={titleId}>{title}</h2>
        <div className="row tight">
          <Button look="quiet" small aria-label="Previous row" onClick={() => onStep(-1)}>
            ↑
          </Button>
          <Button look="quiet" small aria-label="Next row" onClick={() => onStep(1)}>
            ↓
          </Button>
          <Button look="quiet" small onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      {children}
    </div>
  )
  if (isWide) {
    return (
      <aside
        ref={beside}
        className="row-drawer"
        aria-labelledby={titleId}
        tabIndex={0}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        {inside}
      </aside>
    )
  }
  return (
    <dialog
      ref={dialog}
      className="row-drawer"
      aria-labelledby={titleId}
      onClose={() => dialog.current?.open || onClose()}
    >
      {inside}
    </dialog>
  )
}

function Details({ bulk, row, onDecided }: { bulk: Bulk; row: BulkRow; onDecided: (decided: Decided) => void }) {
  const decide = useDecideRows(bulk.id, onDecided)
  const { company, confidence } = row
  return (
    <>
      <div className="row tight">
        <Outcome row={row} />
        {confidence !== null && <Badge>{showShare(confidence)} confidence</Badge>}
      </div>
      {company && (
        <div>
          <h3 className="company-name">
            <Link href={`/companies/${company.number}`}>{company.name ?? company.number}</Link>
          </h3>
          <p className="soft">
            <span className="mono">{company.number}</span>
            {company.postcode && ` · ${company.postcode}`}
          </p>
          <StatusBadge company={statusOf(company)} />
        </div>
      )}
      {row.reason && <p>{row.reason}</p>}
      {row.duplicate_of !== null && (
        <p>
          The same as row {showNumber(row.duplicate_of)}, so it was resolved once.{' '}
          {row.decision && 'The decision is made there and counts here, too. '}
          <Link href={`/bulk/${bulk.id}?row=${row.duplicate_of}`}>Open that row</Link>
        </p>
      )}
      {row.decision && (
        <div className="note good">
          <p>
            {describeRowDecision(row.decision)}, {showMoment(row.decision.at)}. Only your account gets this answer.
          </p>
          {isDecidable(row) && (
            <div>
              <Button
                small
                look="quiet"
                busy={decide.isPending}
                onClick={() => decide.mutate({ action: 'withdraw', rows: [toSelected(row)] })}
              >
                Undo the decision
              </Button>
            </div>
          )}
        </div>
      )}
      {isDecidable(row) && (
        <Candidates
          row={row}
          isBusy={decide.isPending}
          onChoose={(action, number) => decide.mutate({ action, rows: [toSelected(row)], ...numberOf(number) })}
        />
      )}
      {decide.isError && <Problem error={decide.error} />}
      <About bulk={bulk} row={row} />
      {row.resolution_id !== null && <RowProof id={row.resolution_id} company={company?.number ?? null} />}
    </>
  )
}

const numberOf = (number: string | null) => (number === null ? {} : { companyNumber: number })

function statusOf({ status, status_text: text }: NonNullable<BulkRow['company']>) {
  return { company_status: status, company_status_text: text }
}

/** The row as it was sent, and what it cost. */
function About({ bulk, row }: { bulk: Bulk; row: BulkRow }) {
  const own = (bulk.source?.columns ?? []).flatMap((name, index) => {
    const cell = row.own[index] ?? ''
    return cell === '' ? [] : [[name, cell] as const]
  })
  return (
    <>
      {own.length > 0 && (
        <section>
          <h3>Your columns</h3>
          <Facts rows facts={own.map(([name, cell], index) => [unique(own, name, index), cell] as const)} />
        </section>
      )}
      <Facts
        rows
        facts={[
          ['Used', row.input === '' ? 'nothing: the row has no value in the chosen columns' : row.input],
          ...(row.domain ? [['Site', <Site key="site" domain={row.domain} />] as const] : []),
          ['Cost', explainCost(row)],
        ]}
      />
    </>
  )
}

/** Two columns may have the same header; a list of terms needs each once. */
function unique(own: ReadonlyArray<readonly [string, string]>, name: string, index: number): string {
  const before = own.slice(0, index).filter(([other]) => other === name).length
  return before === 0 ? name : `${name} (${before + 1})`
}

function Site({ domain }: { domain: string }) {
  return (
    <a href={`https://${domain}/`} target="_blank" rel="noreferrer">
      {domain}
    </a>
  )
}

function RowProof({ id, company }: { id: string; company: string | null }) {
  const pack = useEvidence(id)
  return (
    <>
      <Loaded query={pack} what="the proof">
        {({ evidence, crawl, outcome }) => (
          <Proof evidence={evidence} about={company} pages={crawl.pages.length} outcome={outcome} />
        )}
      </Loaded>
      <p className="small">
        <Link href={`/resolutions/${id}`}>History, comparison and sharing of this answer</Link>
      </p>
    </>
  )
}
