import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CompanyProfile, CompanyResolution, Website, WebsiteJob } from '../../api/bodies.ts'
import { ApiProblem, callApi, newIdempotencyKey } from '../../api/client.ts'
import { Badge, Button, Card, Problem } from '../../ui/parts.tsx'
import { type Tone, toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import { plural, showMoment, showWord } from '../../ui/words.ts'
import { Quoted } from '../resolve/proof.tsx'

type ProvenWebsites = NonNullable<CompanyProfile['proven_websites']>

/** Finds the company's own site. The button states the cost. */
export function FindWebsite({ companyNumber, proven }: { companyNumber: string; proven: ProvenWebsites }) {
  const search = useWebsite(companyNumber)
  const find = (refresh: boolean) => search.mutate({ refresh })
  return (
    <Card title="Web site" stacked>
      {search.data ? (
        <Found website={search.data} companyNumber={companyNumber} />
      ) : proven.length > 0 ? (
        <Proven websites={proven} />
      ) : (
        <p className="soft">
          We look for a site that shows this company’s number. You pay one credit if we verify one, once in 30 days.
          Otherwise it is free.
        </p>
      )}
      {search.isPending && <p role="status">Reading possible sites. This takes up to a minute.</p>}
      {search.isError && <Problem title="The search failed" error={search.error} />}
      <div>
        {search.data ? (
          <Button look="quiet" busy={search.isPending} onClick={() => find(true)}>
            Search again
          </Button>
        ) : (
          <Button look="quiet" busy={search.isPending} onClick={() => find(false)}>
            Find the web site: one credit if verified
          </Button>
        )}
      </div>
    </Card>
  )
}

/** Shows sites that the account has already paid for, so no search is needed. */
function Proven({ websites }: { websites: ProvenWebsites }) {
  return websites.map(({ domain, proven_at: at }) => (
    <p key={domain} className="row tight">
      <Badge tone="good">Proven</Badge>
      <a href={`https://${domain}`} target="_blank" rel="noreferrer">
        {domain}
      </a>
      <span className="small soft">read {showMoment(at)}</span>
    </p>
  ))
}

const STATES: Record<Website['status'], { tone: Tone; word: string; says: string }> = {
  verified: { tone: 'good', word: 'Verified', says: 'The site shows this company’s number as its own.' },
  needs_review: {
    tone: 'warn',
    word: 'Not proven',
    says: 'This may be the company’s site, but the site does not prove it.',
  },
  not_found: {
    tone: 'neutral',
    word: 'None found',
    says: 'We found no site that names this company.',
  },
  searching: { tone: 'info', word: 'Searching', says: 'The search is still running.' },
  not_searched: {
    tone: 'warn',
    word: 'Not searched',
    says: 'A verified site costs one credit, and you have none. Get credits and search again.',
  },
  failed: { tone: 'bad', word: 'Not finished', says: 'The search did not finish. Search again later.' },
}

function Found({ website, companyNumber }: { website: Website; companyNumber: string }) {
  const { tone, word, says } = STATES[website.status]
  return (
    <div className="stack-small" role="status">
      <div className="row">
        <Badge tone={tone}>{word}</Badge>
        {website.domain && (
          <a href={`https://${website.domain}`} target="_blank" rel="noreferrer">
            {website.domain}
          </a>
        )}
      </div>
      <p>{says}</p>
      {website.evidence.length > 0 && (
        <ul className="list">
          {website.evidence.slice(0, 3).map((item) => (
            <Quoted key={[item.kind, item.url, item.quote].join('|')} item={item} about={companyNumber} />
          ))}
        </ul>
      )}
      <Tried website={website} />
      <p className="small soft">
        {chargeSentence(website)} {website.checked_at && `Checked ${showMoment(website.checked_at)}.`}
      </p>
    </div>
  )
}

function Tried({ website: { tried } }: { website: Website }) {
  if (tried.length === 0) return null
  return (
    <details>
      <summary>{plural(tried.length, 'domain')} checked</summary>
      <ul className="list small">
        {tried.map(({ domain, outcome }) => (
          <li key={domain} className="row spread">
            <span className="mono">{domain}</span>
            <Badge tone={toneOfOutcome(outcome)}>{showWord(wordOfOutcome(outcome))}</Badge>
          </li>
        ))}
      </ul>
    </details>
  )
}

function chargeSentence({ charged, charge_reason: reason }: Website): string {
  if (charged) return 'You paid one credit.'
  return reason === 'already_paid' ? 'Free: you paid for this in the last 30 days.' : 'Free: nothing was verified.'
}

const POLL_MS = 1_000
/** A search reads several sites, which takes up to a minute. */
const PATIENCE_MS = 150_000

/** Searches for a company's own site and polls until the search ends. Starts only on request. */
function useWebsite(companyNumber: string) {
  const queries = useQueryClient()
  const search = useRef<AbortController>(null)
  useEffect(() => () => search.current?.abort(), [])
  return useMutation({
    mutationFn: ({ refresh }: { refresh: boolean }) => {
      search.current?.abort()
      search.current = new AbortController()
      return findWebsite({ company_number: companyNumber, refresh }, search.current.signal)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['account'] }),
  })
}

async function findWebsite(body: { company_number: string; refresh: boolean }, signal: AbortSignal): Promise<Website> {
  const headers = { 'idempotency-key': newIdempotencyKey() }
  const { website } = await callApi<CompanyResolution>('POST', '/v1/resolve/company', { body, headers, signal })
  if (website.status !== 'searching' || website.status_url === null) return website
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && !signal.aborted) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const job = await callApi<WebsiteJob>('GET', website.status_url, { signal })
    if (job.status === 'failed') throw new ApiProblem(0, { detail: job.error_message ?? 'We could not finish this.' })
    if (job.status === 'completed') return job.website
  }
  throw new ApiProblem(0, { detail: 'This is taking longer than usual. Nothing is lost: try again later.' })
}
