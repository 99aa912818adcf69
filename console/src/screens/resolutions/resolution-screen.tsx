import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import type { EvidencePack, HistoryEntry, HistoryItem } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { useOpenedFind } from '../../palette/opened-find.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { Choice } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, Facts, Problem, ScreenHead } from '../../ui/parts.tsx'
import { toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import { showMoment, showShare, showTime } from '../../ui/words.ts'
import { EvidenceFiles } from '../resolve/evidence-files.tsx'
import { Proof } from '../resolve/proof.tsx'
import { useResolution } from '../resolve/use-resolution.ts'
import { Changes } from './changes.tsx'
import { ORIGIN_WORDS, useEvidence, useHistoryItem } from './history.ts'
import { SealedRecords } from './sealed-records.tsx'
import { Share } from './share.tsx'
import './resolutions.css'

export function ResolutionScreen() {
  const { id } = useParams<{ id: string }>()
  return <OneResolution key={id} id={id} />
}

function OneResolution({ id }: { id: string }) {
  const item = useHistoryItem(id)
  useOpenedFind(item.data ? toFind(item.data) : null)
  if (item.error instanceof ApiProblem && item.error.status === 404) return <NoSuchAnswer />
  return (
    <div className="stack">
      <p className="small">
        <Link href="/resolutions">History</Link>
      </p>
      <ScreenHead title={item.data?.domain ?? 'Answer'} />
      <Loaded query={item} what="the answer">
        {(answer) => <Whole item={answer} />}
      </Loaded>
    </div>
  )
}

function toFind({ domain, company_name: name, outcome, resolution_id: id }: HistoryItem) {
  return { title: domain, detail: name ?? wordOfOutcome(outcome), href: `/resolutions/${id}` }
}

function NoSuchAnswer() {
  return (
    <div className="stack">
      <ScreenHead title="Answer" />
      <Empty title="There is no such answer in your history" action={<Link href="/resolutions">All answers</Link>}>
        The address may be mistyped, or another account got this answer. Your history has your own answers of six years.
      </Empty>
    </div>
  )
}

function Whole({ item }: { item: HistoryItem }) {
  return (
    <>
      <Summary item={item} />
      {item.refunded ? <Closed /> : <Evidence item={item} />}
      {!item.refunded && <SealedRecords item={item} />}
      <Compare item={item} />
      {!item.refunded && <Share id={item.resolution_id} />}
    </>
  )
}

function Summary({ item }: { item: HistoryItem }) {
  const { outcome, confidence, company_name: name, company_number: number, decided_by: decidedBy } = item
  return (
    <Card
      title={
        <span className="row">
          <Badge tone={toneOfOutcome(outcome)}>{wordOfOutcome(outcome)}</Badge>
          {confidence !== null && outcome === 'matched' && <Badge>{showShare(confidence)} confidence</Badge>}
        </span>
      }
      stacked
    >
      {number !== null && (
        <div>
          <h3 className="company-name">
            <Link href={`/companies/${number}`}>{name ?? number}</Link>
          </h3>
          <p className="soft">
            Company number <span className="mono">{number}</span>
          </p>
        </div>
      )}
      {decidedBy && (
        <p className="note good">
          Your decision: {describeDecision(decidedBy, [])} {decidedBy.reviewer}, {showMoment(decidedBy.decided_at)}.
        </p>
      )}
      <Facts
        rows
        facts={[
          ['You got it', showMoment(item.answered_at)],
          ['Asked by', ORIGIN_WORDS[item.origin]],
          ['Id', <code key="id">{item.resolution_id}</code>],
        ]}
      />
      <Actions item={item} />
    </Card>
  )
}

function Actions({ item }: { item: HistoryItem }) {
  return (
    <div className="stack-small">
      <div className="row">
        <CheckAgain item={item} />
      </div>
      {!item.refunded && <EvidenceFiles id={item.resolution_id} domain={item.domain} />}
    </div>
  )
}

/** The service reads a site at most once in this time, whichever account asks. */
const BETWEEN_READINGS_MS = 15 * 60_000

/** Has the site read again, and opens the new answer beside this one. A match costs a credit unless it is paid for. */
function CheckAgain({ item }: { item: HistoryItem }) {
  const { asking, ask } = useResolution()
  const [, go] = useLocation()
  const queries = useQueryClient()
  const newest = item.readings[0] ?? item
  const from = Date.parse(newest.answered_at) + BETWEEN_READINGS_MS
  const [isEarly, setEarly] = useState(() => Date.now() < from)
  useEffect(() => {
    const timer = setTimeout(() => setEarly(false), Math.max(0, from - Date.now()))
    return () => clearTimeout(timer)
  }, [from])
  const newId = asking.kind === 'answered' ? asking.resolution.resolution_id : null
  useEffect(() => {
    if (newId === null) return
    void queries.invalidateQueries({ queryKey: ['history'] })
    if (newId === item.resolution_id) return
    go(`/resolutions/${newId}${item.refunded ? '' : `?since=${item.resolution_id}`}`)
  }, [newId, item, go, queries])
  return (
    <>
      <Button
        busy={asking.kind === 'working'}
        disabled={isEarly}
        onClick={() => void ask(item.domain, { isFresh: true })}
      >
        {item.outcome === 'scrape_failed' ? 'Read again' : 'Check again now'}
      </Button>
      <span className="small soft">A match costs one credit, unless you paid for it in the last 30 days.</span>
      {isEarly && <span className="small soft">You can have the site read again from {showTime(from)}.</span>}
      {newId === item.resolution_id && <span className="small soft">The site was read a moment ago.</span>}
      {asking.kind === 'failed' && <Problem error={asking.error} />}
    </>
  )
}

function Closed() {
  return (
    <Card title="Evidence">
      <p>
        You disputed this match and we refunded its credit, so the evidence is closed. Withdraw the dispute in{' '}
        <Link href="/review">Review</Link> and resolve the domain again to open it.
      </p>
    </Card>
  )
}

function Evidence({ item }: { item: HistoryItem }) {
  const pack = useEvidence(item.resolution_id)
  return (
    <Loaded query={pack} what="the evidence">
      {(evidence) => <Found pack={evidence} about={item.company_number} />}
    </Loaded>
  )
}

function Found({ pack, about }: { pack: EvidencePack; about: string | null }) {
  return (
    <>
      <Card title="Why">
        <p>{pack.reason}</p>
        {pack.crawl.pages.length === 0 && <p className="soft">{pack.crawl.reason}</p>}
      </Card>
      <Proof evidence={pack.evidence} about={about} pages={pack.crawl.pages.length} outcome={pack.outcome} />
    </>
  )
}

/** The other readings of the domain, and what changed since one of them: the one in the address, else the one before. */
function Compare({ item }: { item: HistoryItem }) {
  const [params, setParams] = useSearchParams()
  const others = item.readings.filter((one) => one.resolution_id !== item.resolution_id && !one.refunded)
  const before = findBefore(item)
  const since = params.get('since') ?? before?.resolution_id ?? ''
  if (others.length === 0 || item.refunded) {
    return (
      <Card title="Other readings">
        <p className="soft">Your account has no other answer about {item.domain} to compare with.</p>
      </Card>
    )
  }
  return (
    <Card title="What changed" stacked>
      <Choice
        label="Compare with"
        value={since}
        onChange={(id) => setParams(id === '' ? {} : { since: id }, { replace: true })}
        options={[
          ...(before ? [] : [['', 'Choose a reading'] as const]),
          ...others.map(
            (one) => [one.resolution_id, `${showMoment(one.answered_at)}: ${wordOfOutcome(one.outcome)}`] as const,
          ),
        ]}
      />
      {since !== '' && <Changes id={item.resolution_id} since={since} />}
    </Card>
  )
}

/** The reading that the account got before this one; those of refunded matches are closed. */
function findBefore({ resolution_id: id, readings }: HistoryItem): HistoryEntry | undefined {
  const index = readings.findIndex((one) => one.resolution_id === id)
  return index === -1 ? undefined : readings.slice(index + 1).find(({ refunded }) => !refunded)
}
