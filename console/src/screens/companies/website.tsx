import type { CompanyProfile, Website } from '../../api/bodies.ts'
import { Badge, Button, Card, Problem } from '../../ui/parts.tsx'
import { type Tone, toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import { plural, showMoment, showWord } from '../../ui/words.ts'
import { Quoted } from '../resolve/proof.tsx'
import { useWebsite } from './use-website.ts'

type ProvenWebsites = NonNullable<CompanyProfile['proven_websites']>

/** The company's own site, by the words on it. Asked for by a button that says what it costs. */
export function FindWebsite({ companyNumber, proven }: { companyNumber: string; proven: ProvenWebsites }) {
  const search = useWebsite(companyNumber)
  const find = (refresh: boolean) => search.mutate({ refresh })
  return (
    <Card title="Web site">
      <div className="stack-small">
        {search.data ? (
          <Found website={search.data} companyNumber={companyNumber} />
        ) : proven.length > 0 ? (
          <Proven websites={proven} />
        ) : (
          <p className="soft">
            We look for a site that prints this company’s number. A verified one costs one credit, once in 30 days. If
            none is found it is free.
          </p>
        )}
        {search.isPending && <p role="status">Reading the sites that may be its own. This takes up to a minute.</p>}
        {search.isError && <Problem title="No answer" error={search.error} />}
        <div>
          {search.data ? (
            <Button look="quiet" busy={search.isPending} onClick={() => find(true)}>
              Look again
            </Button>
          ) : (
            <Button look="quiet" busy={search.isPending} onClick={() => find(false)}>
              Find its web site: one credit if verified
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

/** What the account has paid for already: there is nothing to search for. */
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
  verified: { tone: 'good', word: 'Verified', says: 'The site prints this company’s number as its own.' },
  needs_review: { tone: 'warn', word: 'Not proven', says: 'This may be its site, but the site does not prove it.' },
  not_found: {
    tone: 'neutral',
    word: 'None found',
    says: 'No site that we know of or could guess names this company.',
  },
  searching: { tone: 'info', word: 'Searching', says: 'The search goes on.' },
  not_searched: {
    tone: 'warn',
    word: 'Not searched',
    says: 'A verified site costs one credit, and you have none. Get credits and look again.',
  },
  failed: { tone: 'bad', word: 'Not finished', says: 'The search could not be finished. Look again later.' },
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
        {chargeSentence(website)} {website.checked_at && `Looked at ${showMoment(website.checked_at)}.`}
      </p>
    </div>
  )
}

function Tried({ website: { tried } }: { website: Website }) {
  if (tried.length === 0) return null
  return (
    <details>
      <summary>{plural(tried.length, 'domain')} looked at</summary>
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
  if (charged) return 'One credit was spent.'
  return reason === 'already_paid' ? 'Free: you paid for it within the last 30 days.' : 'Free: nothing was verified.'
}
