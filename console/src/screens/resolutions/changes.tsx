import type { ChangedValue, ComparedReadings } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { wordOfOutcome } from '../../ui/tones.ts'
import { plural, showMoment, showShare, showWord } from '../../ui/words.ts'
import { useChanges } from './history.ts'

/** Shows what differs between two readings, in the order site, register, answer. */
export function Changes({ id, since }: { id: string; since: string }) {
  const changes = useChanges(id, since)
  return (
    <Loaded query={changes} what="the comparison">
      {(compared) => <Compared compared={inOrder(compared)} />}
    </Loaded>
  )
}

/** A person may choose the newer reading to compare with. Then the two swap. */
function inOrder(compared: ComparedReadings): ComparedReadings {
  const { before, after, answer, register, site } = compared
  if (before.read_at <= after.read_at) return compared
  const swap = <One extends { before: unknown; after: unknown }>(one: One): One => ({
    ...one,
    before: one.after,
    after: one.before,
  })
  const opposite = { added: 'gone', gone: 'added', changed: 'changed' } as const
  return {
    ...compared,
    before: after,
    after: before,
    answer: answer.map(swap),
    register: register.map(swap),
    site: {
      ...site,
      quotes: site.quotes.map((quote) => ({ ...swap(quote), change: opposite[quote.change] })),
      pages: site.pages.map((page) => ({
        ...page,
        change: opposite[page.change],
        before_sha256: page.after_sha256,
        after_sha256: page.before_sha256,
      })),
    },
  }
}

function Compared({ compared }: { compared: ComparedReadings }) {
  const { before, after, site, register, answer } = compared
  return (
    <div className="stack compared">
      <p className="soft small">
        From {showMoment(before.read_at)} to {showMoment(after.read_at)}.
      </p>
      <Site site={site} />
      <section>
        <h3>In the register</h3>
        <Values values={register} none="Name, status and office are the same, or the two name no common company." />
      </section>
      <section>
        <h3>In the answer</h3>
        <Values values={answer} none="The same answer: outcome, company and confidence." />
      </section>
    </div>
  )
}

const MARKS: Record<'added' | 'gone' | 'changed', { tone: Tone; word: string }> = {
  added: { tone: 'good', word: 'Added' },
  gone: { tone: 'bad', word: 'Gone' },
  changed: { tone: 'warn', word: 'Changed' },
}

function Mark({ change }: { change: keyof typeof MARKS }) {
  return <Badge tone={MARKS[change].tone}>{MARKS[change].word}</Badge>
}

function Site({ site: { quotes, pages, unread } }: { site: ComparedReadings['site'] }) {
  return (
    <section>
      <h3>On the site</h3>
      {unread && <p className="soft">One of the two could not read the site, so its pages are not compared.</p>}
      {!unread && quotes.length === 0 && <p className="soft">The same quotes.</p>}
      <ul className="list">
        {quotes.map((quote) => (
          <li key={`${quote.url}|${quote.before ?? ''}|${quote.after ?? ''}`}>
            <p>
              <Mark change={quote.change} /> {quote.says}
            </p>
            {quote.before !== null && (
              <blockquote>
                <del>{quote.before}</del>
              </blockquote>
            )}
            {quote.after !== null && (
              <blockquote>
                <ins>{quote.after}</ins>
              </blockquote>
            )}
            <p className="small soft">{quote.url}</p>
          </li>
        ))}
      </ul>
      {pages.length > 0 && (
        <details>
          <summary>{plural(pages.length, 'page differs', 'pages differ')}</summary>
          <ul className="list">
            {pages.map(({ url, change }) => (
              <li key={url}>
                <Mark change={change} /> {url}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const NAMES: Record<ChangedValue['name'], string> = {
  outcome: 'Outcome',
  company_number: 'Company number',
  company_name: 'Company name',
  confidence: 'Confidence',
  status: 'Status',
  postcode: 'Postcode of the registered office',
}

function Values({ values, none }: { values: ChangedValue[]; none: string }) {
  if (values.length === 0) return <p className="soft">{none}</p>
  return (
    <ul className="list">
      {values.map(({ name, before, after }) => (
        <li key={name}>
          {NAMES[name]}: <del>{showValue(name, before)}</del> → <ins>{showValue(name, after)}</ins>
        </li>
      ))}
    </ul>
  )
}

function showValue(name: ChangedValue['name'], value: string | number | null): string {
  if (value === null) return 'none'
  if (typeof value === 'number') return showShare(value)
  if (name === 'outcome') return wordOfOutcome(value)
  return name === 'status' ? showWord(value) : value
}
