import { useState } from 'react'
import { Link } from 'wouter'
import type { Bulk, Bulks } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { plural, showAgo, showNumber } from '../../ui/words.ts'
import '../../styles/bulk.css'
import { doneOf, nameOf, showEta, statusOf } from './bulk-words.ts'
import { useBulks } from './bulks.ts'
import { NewBulk } from './new-bulk.tsx'
import { OutcomeBar } from './outcome-bar.tsx'

export function BulkScreen() {
  const [page, setPage] = useState(1)
  const bulks = useBulks(page)
  return (
    <div className="stack">
      <ScreenHead title="Bulk">
        Many domains at once, up to 10,000. Each domain is asked for once; a match costs one credit, anything else is
        free. You see what it can cost before it starts.
      </ScreenHead>
      <NewBulk />
      <Loaded query={bulks} what="your bulks">
        {(list) => (list.data.length === 0 && page === 1 ? <NoBulks /> : <BulkList list={list} onPage={setPage} />)}
      </Loaded>
    </div>
  )
}

const TEMPLATE =
  'domain,note\r\nexample.co.uk,other columns are not read\r\nann@example.com,an e-mail address will do\r\n'

function NoBulks() {
  const save = () => saveFile(new Blob([TEMPLATE], { type: 'text/csv' }), 'nameplate-template.csv')
  return (
    <Empty
      title="You have sent no list yet"
      action={
        <Button look="quiet" onClick={save}>
          Download a template
        </Button>
      }
    >
      Any CSV of a spreadsheet or a CRM will do: the column is found by its name (domain, website, URL, e-mail), or the
      first one is taken. You get a file back with a line for every row, in your order: the company, how sure it is, and
      why where there is none.
    </Empty>
  )
}

function BulkList({ list, onPage }: { list: Bulks; onPage: (page: number) => void }) {
  const { data, page, has_more: hasMore } = list
  return (
    <Card title="Your bulks" aside={<p>kept for 30 days</p>}>
      <ul className="list bulks">
        {data.map((bulk) => (
          <li key={bulk.id} className="stack-small">
            <Entry bulk={bulk} />
          </li>
        ))}
      </ul>
      {(page > 1 || hasMore) && (
        <div className="row spread">
          <Button look="quiet" small disabled={page === 1} onClick={() => onPage(page - 1)}>
            Newer
          </Button>
          <Button look="quiet" small disabled={!hasMore} onClick={() => onPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
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
      {status === 'paused' && <p className="small">It ran out of credits. Open it to resume it.</p>}
    </>
  )
}
