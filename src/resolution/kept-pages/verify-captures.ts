/**
 * Compares each kept page with the answer that it is kept for: it must quote this address with this hash, read at this time.
 * Headers and the address of the server are in no answer, so nothing says whether those are as they were.
 */
import type { Db } from '../../lib/db/db.ts'
import { type KeptQuote, listKeptQuotes } from '../../page-archive/index.ts'
import { listQuoted, registrableDomain } from '../../resolver/index.ts'
import type { Findings } from '../answers/known.ts'

export interface CaptureVerification {
  pages: number
  /** Kept for an answer that does not quote them: their row was changed. */
  unquoted: number
  /** Their time or status is not the one that the answer has. */
  altered: number
  /** There is no answer that they are kept for. */
  unanswered: number
  examples: string[]
}

const BATCH = 500
const EXAMPLES_MAX = 10

export async function verifyCaptures(db: Db, onProgress: (checked: number) => void): Promise<CaptureVerification> {
  const report: CaptureVerification = { pages: 0, unquoted: 0, altered: 0, unanswered: 0, examples: [] }
  let afterId = '0'
  for (;;) {
    const pages = await listKeptQuotes(db, { afterId, limit: BATCH })
    const answers = await readFindings(
      db,
      pages.map(({ resolutionId }) => resolutionId),
    )
    for (const page of pages) {
      const findings = answers.get(page.resolutionId)
      const problem = findings ? findProblem(page, findings) : 'unanswered'
      if (problem === null) continue
      report[problem] += 1
      if (report.examples.length < EXAMPLES_MAX) {
        report.examples.push(`${problem}: ${page.sha256} for ${page.resolutionId}, as ${page.url}`)
      }
    }
    report.pages += pages.length
    onProgress(report.pages)
    const last = pages.at(-1)
    // Ids only grow, so this ends.
    if (!last) return report
    afterId = last.id
  }
}

async function readFindings(db: Db, resolutionIds: readonly string[]): Promise<Map<string, Findings>> {
  const rows = await db.query<{ id: string; findings: Findings }>(
    'select id, findings from resolution where id = any ($1)',
    [resolutionIds],
  )
  return new Map(rows.map(({ id, findings }) => [id, findings]))
}

type Problem = 'unquoted' | 'altered'

function findProblem(page: KeptQuote, findings: Findings): Problem | null {
  if (page.leadsTo !== null) return isRedirect(page, page.leadsTo, findings) ? null : 'unquoted'
  if (!isQuoted(page, findings)) return 'unquoted'
  return isAsRead(page, findings) ? null : 'altered'
}

/** A quote without a hash may be of another reading of the page. The reading that a quote with a hash is of must then be kept, too. */
function isQuoted({ url, hashesOfUrl }: KeptQuote, findings: Findings): boolean {
  const quotes = listQuoted(findings).filter((quote) => quote.url === url)
  const hashes = quotes.flatMap(({ sha256 }) => sha256 ?? [])
  return quotes.length > 0 && (hashes.length === 0 || hashesOfUrl.some((hash) => hashes.includes(hash)))
}

/** It leads to a site that is quoted, and is no quoted page itself that was made a redirect. */
function isRedirect({ url, sha256, hashesOfUrl }: KeptQuote, leadsTo: string, findings: Findings): boolean {
  const quotes = listQuoted(findings)
  const isPage = quotes.some((quote) => quote.url === url && quote.sha256 === sha256) && !hashesOfUrl.includes(sha256)
  return !isPage && quotes.some((quote) => siteOf(quote.url) === siteOf(leadsTo))
}

const siteOf = (url: string): string | null => {
  const parsed = URL.parse(url)
  return parsed && registrableDomain(parsed.hostname)
}

/** One reading of a site and of its rivals may meet the same page twice, and keep either time. */
const READING_MS = 120_000

/** An answer has the time of every page that it read itself, and of every quote. */
function isAsRead({ url, sha256, status, fetchedAt }: KeptQuote, { crawl, evidence }: Findings): boolean {
  const isNear = (read: { fetchedAt: string }) =>
    Math.abs(new Date(read.fetchedAt).getTime() - fetchedAt.getTime()) <= READING_MS
  const pages = crawl.pages.filter((read) => read.url === url && read.sha256 === sha256)
  if (pages.length > 0) return pages.some((read) => read.status === status && isNear(read))
  const quotes = evidence.filter((quote) => quote.url === url && quote.contentSha256 === sha256)
  return quotes.length === 0 || quotes.some(isNear)
}
