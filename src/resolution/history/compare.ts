/** The differences between two readings of a domain: on the site, in the register, and in the answer. Pure. */
import type { Findings, KnownResolution, StoredEvidence } from '../answers/known.ts'

/** A value that differs. */
export interface ChangedValue {
  name: 'outcome' | 'company_number' | 'company_name' | 'confidence' | 'status' | 'postcode'
  before: string | number | null
  after: string | number | null
}

export interface ChangedQuote {
  change: 'added' | 'gone' | 'changed'
  url: string
  says: string
  before: string | null
  after: string | null
}

export interface ChangedPage {
  change: 'added' | 'gone' | 'changed'
  url: string
  beforeSha256: string | null
  afterSha256: string | null
}

export interface Comparison {
  answer: ChangedValue[]
  /** The record of the matched company, where both readings matched the same one. */
  register: ChangedValue[]
  site: {
    quotes: ChangedQuote[]
    pages: ChangedPage[]
    /** One of the two could not read the site, so nothing is known to be gone. */
    isUnread: boolean
  }
}

/** An answer that is closed, or from a time before something was stored, has fewer members to compare. */
export function compareReadings(before: KnownResolution, after: KnownResolution): Comparison {
  const isUnread = [before, after].some(({ findings }) => findings.crawl.pages.length === 0)
  return {
    answer: listDifferences(describeAnswer(before), describeAnswer(after)),
    register: compareRegistered(before.findings.registered, after.findings.registered),
    site: {
      quotes: isUnread ? [] : compareQuotes(before.findings.evidence, after.findings.evidence),
      pages: isUnread ? [] : comparePages(before.findings.crawl.pages, after.findings.crawl.pages),
      isUnread,
    },
  }
}

type Values = Partial<Record<ChangedValue['name'], string | number | null>>

function describeAnswer({ outcome, companyNumber, confidence, findings }: KnownResolution): Values {
  const name = findings.candidates.find((one) => one.companyNumber === companyNumber)?.companyName
  return {
    outcome,
    company_number: companyNumber,
    company_name: findings.registered?.name ?? name ?? null,
    confidence: confidence === null ? null : Math.round(confidence * 1_000) / 1_000,
  }
}

function compareRegistered(before: Findings['registered'], after: Findings['registered']): ChangedValue[] {
  if (!before || !after || before.number !== after.number) return []
  return listDifferences(
    { company_name: before.name, status: before.status, postcode: before.postcode },
    { company_name: after.name, status: after.status, postcode: after.postcode },
  )
}

function listDifferences(before: Values, after: Values): ChangedValue[] {
  const names = Object.keys(before) as Array<ChangedValue['name']>
  return names
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((one) => one.before !== one.after)
}

const spaced = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const keyOf = ({ url, quote }: StoredEvidence) => `${url}\n${spaced(quote)}`
/** The words that prove the same on the same page. */
const subjectOf = ({ url, kind, supports }: StoredEvidence) => `${url}\n${kind}\n${supports ?? ''}`

/** A quote is changed where the same page has other words that prove the same. */
function compareQuotes(before: readonly StoredEvidence[], after: readonly StoredEvidence[]): ChangedQuote[] {
  const [had, has] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const gone = uniqueBy(
    before.filter((one) => !has.has(keyOf(one))),
    keyOf,
  )
  const added = uniqueBy(
    after.filter((one) => !had.has(keyOf(one))),
    keyOf,
  )
  const changes: ChangedQuote[] = []
  for (const one of gone) {
    const index = added.findIndex((other) => subjectOf(other) === subjectOf(one))
    const [other] = index === -1 ? [] : added.splice(index, 1)
    const { url, says } = other ?? one
    changes.push({ change: other ? 'changed' : 'gone', url, says, before: one.quote, after: other?.quote ?? null })
  }
  for (const { url, says, quote } of added) changes.push({ change: 'added', url, says, before: null, after: quote })
  return changes
}

function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

type Page = Findings['crawl']['pages'][number]

function comparePages(before: readonly Page[], after: readonly Page[]): ChangedPage[] {
  const had = new Map(before.map((page) => [page.url, page.sha256]))
  const has = new Map(after.map((page) => [page.url, page.sha256]))
  const urls = [...new Set([...had.keys(), ...has.keys()])]
  return urls.flatMap((url): ChangedPage[] => {
    const [beforeSha256, afterSha256] = [had.get(url) ?? null, has.get(url) ?? null]
    if (beforeSha256 === afterSha256) return []
    const change = beforeSha256 === null ? 'added' : afterSha256 === null ? 'gone' : 'changed'
    return [{ change, url, beforeSha256, afterSha256 }]
  })
}
