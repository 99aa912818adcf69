/** Compares each kept page with the answer that it is kept for, which must quote this address with this hash. */
import type { App } from '../../app.ts'
import { type KeptQuote, listKeptQuotes } from '../../page-archive/index.ts'
import { listQuoted } from '../../resolver/index.ts'
import type { Findings } from '../answers/known.ts'
import { findAnswer } from './archive.ts'

export interface CaptureVerification {
  pages: number
  /** Kept for an answer that does not quote them: their row was changed. */
  unquoted: number
  examples: string[]
}

type Archive = Pick<App, 'config' | 'db'>

const BATCH = 500
const EXAMPLES_MAX = 10

export async function verifyCaptures(
  app: Archive,
  onProgress: (checked: number) => void,
): Promise<CaptureVerification> {
  const report: CaptureVerification = { pages: 0, unquoted: 0, examples: [] }
  let afterId = '0'
  for (;;) {
    const pages = await listKeptQuotes(app.db, { afterId, limit: BATCH })
    const answers = await readFindings(
      app,
      pages.map(({ resolutionId }) => resolutionId),
    )
    for (const page of pages) {
      const findings = answers.get(page.resolutionId)
      if (!findings || isQuoted(page, findings)) continue
      report.unquoted += 1
      if (report.examples.length < EXAMPLES_MAX) {
        report.examples.push(`unquoted: ${page.sha256} for ${page.resolutionId}, as ${page.url}`)
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

/** An answer in an archive that this process has no settings for is left out. */
async function readFindings(app: Archive, resolutionIds: readonly string[]): Promise<Map<string, Findings>> {
  const ids = [...new Set(resolutionIds)]
  const stored = await app.db.query<{ id: string; findings: Findings }>(
    'select id, findings from resolution where id = any ($1)',
    [ids],
  )
  const found = new Map(stored.map(({ id, findings }) => [id, findings]))
  for (const id of ids) {
    if (found.has(id)) continue
    const archived = await findAnswer(app, id)
    if (archived) found.set(id, archived.findings)
  }
  return found
}

/** A quote without a hash may be of another reading of the page. The reading that a quote with a hash is of must then be kept, too. */
function isQuoted({ url, hashesOfUrl }: KeptQuote, findings: Findings): boolean {
  const quotes = listQuoted(findings).filter((quote) => quote.url === url)
  const hashes = quotes.flatMap(({ sha256 }) => sha256 ?? [])
  return quotes.length > 0 && (hashes.length === 0 || hashesOfUrl.some((hash) => hashes.includes(hash)))
}
