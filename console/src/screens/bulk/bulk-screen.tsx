import { useState } from 'react'
import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/paged.tsx'
import { Badge, Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { plural, showAgo, showNumber } from '../../ui/words.ts'
import './bulk.css'
import { type BulkJobPage, useBulkJobs } from './bulk-jobs.ts'
import { describePause, doneOf, nameOf, showEta, statusOf } from './bulk-words.ts'
import { NewBulk } from './new-bulk.tsx'
import { OutcomeBar } from './outcome-bar.tsx'

export function BulkScreen() {
  const [page, setPage] = useState(1)
  const jobs = useBulkJobs(page)
  return (
    <div className="stack">
      <ScreenHead title="Bulk">
        Send a spreadsheet with domains, e-mails, company numbers or names. You get your own columns back, with the
        company beside each row. You pay one credit per matched domain and see the maximum cost before the job starts.
      </ScreenHead>
      <NewBulk />
      <Loaded query={jobs} what="your bulk jobs">
        {(list) => (list.data.length === 0 && page === 1 ? <NoBulkJobs /> : <BulkList list={list} onPage={setPage} />)}
      </Loaded>
    </div>
  )
}

const TEMPLATE = [
  'Website,E-mail,Company name,Postcode,Note',
  'example.co.uk,,,,a web address or a domain',
  ',ann@example.com,,,an e-mail address works too',
  ',,Example Trading Ltd,LS1 4AP,a name with a postcode',
  '',
].join('\r\n')

function NoBulkJobs() {
  const save = () => saveFile(new Blob([TEMPLATE], { type: 'text/csv' }), 'nameplate-template.csv')
  return (
    <Empty
      title="No bulk jobs yet"
      action={
        <Button look="quiet" onClick={save}>
          Download a template
        </Button>
      }
    >
      Use any spreadsheet from Excel, Google Sheets or a CRM. We show what each column holds, and you correct it. You
      get a file with your rows in your order: your columns first, then the company, the confidence, and the reason if
      there is no match.
    </Empty>
  )
}

function BulkList({ list, onPage }: { list: BulkJobPage; onPage: (page: number) => void }) {
  const { data, page, has_more: hasMore } = list
  return (
    <Card title="Your bulk jobs" aside={<p>kept for 30 days</p>}>
      <ul className="list close bulk-jobs">
        {data.map((bulk) => (
          <li key={bulk.id} className="stack-small">
            <Entry bulk={bulk} />
          </li>
        ))}
      </ul>
      <Pager newer={page > 1 ? () => onPage(page - 1) : null} older={hasMore ? () => onPage(page + 1) : null} />
    </Card>
  )
}

function Entry({ bulk }: { bulk: Bulk }) {
  const { counts, status } = bulk
  const { word, tone } = statusOf(bulk)
  return (
    <>
      <div className="row spread">
        <Link href={`/bulk/${bulk.id}`} className="bulk-name">
          {nameOf(bulk)}
        </Link>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <OutcomeBar bulk={bulk} />
      <p className="small soft">
        {showNumber(doneOf(bulk))} of {plural(counts.total, 'row')} done · {showNumber(counts.matched)} matched ·{' '}
        {plural(bulk.credits_spent, 'credit')} spent · sent {showAgo(bulk.created_at)}
        {status === 'running' && bulk.eta_seconds !== null && ` · ${showEta(bulk.eta_seconds)} left`}
      </p>
      {status === 'paused' && <p className="small">Paused: {describePause(bulk).why}. Open the job to resume it.</p>}
    </>
  )
}
