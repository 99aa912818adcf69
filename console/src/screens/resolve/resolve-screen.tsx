import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useAccount, useEnvironment } from '../../account.ts'
import { useOpenedFind } from '../../palette/opened-find.ts'
import { Form, TextField } from '../../ui/fields.tsx'
import { Badge, Button, Card, Problem, ScreenHead } from '../../ui/parts.tsx'
import { toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import './resolve.css'
import type { PendingJob, Resolution } from '../../api/bodies.ts'
import { Answer } from './answer.tsx'
import { isFreeAgain, readRecents } from './recents.ts'
import { useResolution } from './use-resolution.ts'

export function ResolveScreen() {
  const { asking, ask } = useResolution()
  const [, go] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('domain') ?? ''
  const [typed, setTyped] = useState(asked)

  const begin = (domain: string) => {
    setTyped(domain)
    go(`/?domain=${encodeURIComponent(domain)}`, { replace: true })
    void ask(domain)
  }
  // The address of an answer that was paid for opens it again. Another only fills the field: it could cost a credit.
  const accountId = useAccount().data?.account_id
  const opened = useRef(asked)
  useEffect(() => {
    const domain = opened.current
    if (accountId === undefined || domain === '') return
    opened.current = ''
    if (isFreeAgain(accountId, domain)) void ask(domain)
  }, [ask, accountId])
  const form = <AskForm typed={typed} onType={setTyped} isWorking={asking.kind === 'working'} onAsk={begin} />
  if (asking.kind === 'idle') return <Start form={form} onPick={begin} />
  return (
    <div className="stack">
      <h1 className="visually-hidden">Which company is behind this domain?</h1>
      {form}
      <Result asking={asking} onAsk={begin} onReadAgain={(domain) => void ask(domain, { isFresh: true })} />
    </div>
  )
}

/** Shows the question, examples and what was asked for before. */
function Start({ form, onPick }: { form: ReactNode; onPick: (domain: string) => void }) {
  return (
    <div className="stack">
      <ScreenHead title="Which company is behind this domain?">
        You pay one credit per match. Everything else is free. Asking again within 30 days is free too.
      </ScreenHead>
      <div className="card stack-small">
        {form}
        <Examples onPick={onPick} />
      </div>
      <Recents onPick={onPick} />
      <HowItWorks />
    </div>
  )
}

interface AskFormProps {
  typed: string
  onType: (text: string) => void
  isWorking: boolean
  onAsk: (domain: string) => void
}

function AskForm({ typed, onType, isWorking, onAsk }: AskFormProps) {
  return (
    <Form className="ask" onSubmit={() => typed.trim() !== '' && onAsk(typed.trim())}>
      <div className="grow">
        <TextField
          label="Domain, web address or e-mail address"
          value={typed}
          onChange={onType}
          placeholder="example.co.uk"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2_048}
          autoFocus
        />
      </div>
      <Button type="submit" busy={isWorking}>
        {isWorking ? 'Working' : 'Find the company'}
      </Button>
    </Form>
  )
}

function Recents({ onPick }: { onPick: (domain: string) => void }) {
  const { data: account } = useAccount()
  const recents = account ? readRecents(account.account_id) : []
  if (recents.length === 0) return null
  return (
    <Card title="Recent">
      <ul className="recents">
        {recents.map(({ domain, outcome, company }) => (
          <li key={domain}>
            <button type="button" onClick={() => onPick(domain)}>
              <strong>{domain}</strong>
              <span className="soft">{company ?? ''}</span>
              <Badge tone={toneOfOutcome(outcome)}>{wordOfOutcome(outcome)}</Badge>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Result({
  asking,
  onAsk,
  onReadAgain,
}: {
  asking: ReturnType<typeof useResolution>['asking']
  onAsk: (domain: string) => void
  onReadAgain: (domain: string) => void
}) {
  useEffect(() => {
    if (asking.kind === 'answered') document.getElementById('answer')?.focus()
  }, [asking.kind])
  useOpenedFind(asking.kind === 'answered' ? toFind(asking.resolution) : null)
  if (asking.kind === 'working') return <Working {...asking} />
  if (asking.kind === 'failed') {
    return (
      <Problem title={`Could not resolve ${asking.domain}`} error={asking.error} onRetry={() => onAsk(asking.domain)} />
    )
  }
  if (asking.kind === 'answered') {
    const { resolution } = asking
    const { resolution_id: id, domain } = resolution
    return (
      <Answer
        key={id}
        resolution={resolution}
        onDisputed={() => onAsk(domain)}
        onReadAgain={() => onReadAgain(domain)}
      />
    )
  }
  return null
}

function toFind({ domain, company, outcome, resolution_id: id }: Resolution) {
  return { title: domain, detail: company?.company_name ?? wordOfOutcome(outcome), href: `/resolutions/${id}` }
}

function Examples({ onPick }: { onPick: (domain: string) => void }) {
  const { data } = useEnvironment()
  if (!data || data.demo_domains.length === 0) return null
  return (
    <p className="examples small">
      <span className="soft">Try</span>
      {data.demo_domains.map((domain) => (
        <Button key={domain} look="plain" small onClick={() => onPick(domain)}>
          {domain}
        </Button>
      ))}
    </p>
  )
}

function HowItWorks() {
  return (
    <ol className="ways numbered">
      <li>
        <h2>We read the site</h2>
        <p>Up to ten pages: the home page, then the pages where companies must identify themselves.</p>
      </li>
      <li>
        <h2>We compare it with the register</h2>
        <p>We check the company numbers, names and addresses on the site.</p>
      </li>
      <li>
        <h2>You get the company and the proof</h2>
        <p>The sentence, the page and the time, or a clear “no match”. A name alone is never a match.</p>
      </li>
    </ol>
  )
}

const STEPS = [
  ['queued', 'Queued'],
  ['reading', 'Reading the site'],
  ['deciding', 'Comparing with the register'],
] as const

/** Shows the progress that the job reports. */
function Working({ domain, job, startedAt }: { domain: string; job: PendingJob | null; startedAt: number }) {
  const seconds = useSeconds(startedAt)
  const step = job?.progress?.step ?? (job?.status === 'processing' ? 'reading' : 'queued')
  const at = STEPS.findIndex(([name]) => name === step)
  const pages = job?.progress?.pages ?? []
  return (
    <section className="card working" aria-busy="true">
      <header>
        <h2>{domain}</h2>
        <p>{seconds} s</p>
      </header>
      <p className="visually-hidden" role="status">
        {STEPS[at]?.[1]}
      </p>
      <ol className="steps">
        {STEPS.map(([name, says], index) => (
          <li key={name} data-state={index < at ? 'done' : index === at ? 'now' : 'later'}>
            {says}
            {name === 'reading' && pages.length > 0 && (
              <ul className="pages">
                {pages.map(({ url, status }) => (
                  <li key={url}>
                    <code>{pathOf(url)}</code> <span className="soft">{status}</span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function pathOf(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : pathname
}

function useSeconds(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((now - since) / 1_000))
}
