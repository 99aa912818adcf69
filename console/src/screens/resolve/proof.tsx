import { splitAtNumber } from '../../../../src/lib/text/split-at-number.ts'
import type { Evidence } from '../../api/bodies.ts'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Card } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { plural, showMoment } from '../../ui/words.ts'

const STRENGTHS: Record<Evidence['strength'], { tone: Tone; word: string }> = {
  decisive: { tone: 'good', word: 'Decisive' },
  strong: { tone: 'good', word: 'Strong' },
  supporting: { tone: 'info', word: 'Supporting' },
  against: { tone: 'bad', word: 'Against' },
}
const SHOWN_AT_FIRST = 4

/** Shows the quotes from the site with their page and time. */
export function Proof({
  evidence,
  about,
  pages,
  outcome,
}: {
  evidence: Evidence[]
  outcome: string
  about: string | null
  pages: number | null
}) {
  const read = pages === null ? undefined : <p>{plural(pages, 'page')} read</p>
  if (evidence.length === 0) {
    return (
      <Card title="Proof" aside={read}>
        <p className="soft">
          {outcome === 'scrape_failed'
            ? 'We could not read the site, so there is no proof for or against a company.'
            : 'The site contains no proof of a UK company.'}
        </p>
      </Card>
    )
  }
  const favouring = evidence.filter((item) => isGround(item, outcome))
  const against = evidence.filter((item) => !isGround(item, outcome))
  return (
    <Card title="Proof" aside={read}>
      <div className="stack">
        <Quotes title="For" tone="good" items={favouring} about={about} />
        <Quotes title="Against" tone="bad" items={against} about={about} />
      </div>
    </Card>
  )
}

function Quotes({ title, tone, items, about }: { title: string; tone: Tone; items: Evidence[]; about: string | null }) {
  if (items.length === 0) return null
  const first = items.slice(0, SHOWN_AT_FIRST)
  const rest = items.slice(SHOWN_AT_FIRST)
  const show = (item: Evidence) => <Quoted key={keyOf(item)} item={item} about={about} />
  return (
    <section className={`quotes ${tone}`}>
      <h3>
        <Icon name={tone === 'good' ? 'check' : 'x'} /> {title}
      </h3>
      <ul className="list">{first.map(show)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, 'more quote')}</summary>
          <ul className="list">{rest.map(show)}</ul>
        </details>
      )}
    </section>
  )
}

/** A company abroad that runs the site speaks against every company here, and is the ground of such an answer. */
function isGround({ strength, kind }: Evidence, outcome: string): boolean {
  return strength !== 'against' || (outcome === 'non_uk_entity' && kind === 'foreign_company')
}

const keyOf = ({ kind, supports, url, quote }: Evidence) => [kind, supports, url, quote].join('|')

export function Quoted({ item, about }: { item: Evidence; about: string | null }) {
  const { tone, word } = STRENGTHS[item.strength]
  const isOther = item.supports !== null && item.supports !== about
  return (
    <li className="quoted">
      <div className="row">
        <Badge tone={tone}>{word}</Badge>
        <span>{item.says}</span>
        {isOther && (
          <span className="soft">
            about <span className="mono">{item.supports}</span>
          </span>
        )}
      </div>
      <blockquote>
        <Marked text={item.quote} mark={item.supports} />
      </blockquote>
      <p className="small soft">
        <a href={item.url} target="_blank" rel="noreferrer">
          {item.url}
        </a>{' '}
        · {showMoment(item.fetched_at)} ·{' '}
        <span title={`SHA-256 of the page: ${item.content_sha256}`}>page fingerprint </span>
        <code>{item.content_sha256.slice(0, 10)}</code>
      </p>
    </li>
  )
}

/** Marks the company's number in a quote. */
function Marked({ text, mark }: { text: string; mark: string | null }) {
  const parts = splitAtNumber(text, mark)
  if (!parts) return text
  return (
    <>
      {parts[0]}
      <mark>{parts[1]}</mark>
      {parts[2]}
    </>
  )
}
