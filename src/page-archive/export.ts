/** The kept pages of an answer, or of all answers of a domain, as one WARC file. */
import type { App } from '../app.ts'
import { findBody, type KeptCapture, listCaptures, listOfDomain } from './captures.ts'
import { formatInfo, formatPage } from './warc.ts'

type Archive = Pick<App, 'db' | 'pageStores'>

const BATCH = 50
/** For one domain; a file with more would be read by no viewer. */
const DOMAIN_PAGES_MAX = 10_000

/** Returns the file piece by piece; null where no page of the answer is kept. */
export async function exportAnswer(app: Archive, resolutionId: string): Promise<AsyncGenerator<Buffer> | null> {
  const captures = await listCaptures(app.db, resolutionId)
  const [first] = captures
  if (!first) return null
  return writeFile(app, { title: `The pages that the answer ${resolutionId} quotes`, first }, inOneBatch(captures))
}

/** Returns the file piece by piece; null where no page of the domain is kept. */
export async function exportDomain(app: Archive, domain: string): Promise<AsyncGenerator<Buffer> | null> {
  const batches = listBatches(app, domain)
  const { value: captures } = await batches.next()
  const first = captures?.[0]
  if (!captures || !first) return null
  const title = `The pages that answers about ${domain} quote`
  return writeFile(app, { title, first }, joined(captures, batches))
}

async function* inOneBatch(captures: KeptCapture[]): AsyncGenerator<KeptCapture[]> {
  yield captures
}

async function* joined(first: KeptCapture[], rest: AsyncGenerator<KeptCapture[]>): AsyncGenerator<KeptCapture[]> {
  yield first
  yield* rest
}

async function* listBatches({ db }: Archive, domain: string): AsyncGenerator<KeptCapture[]> {
  let afterId = '0'
  for (let count = 0; count < DOMAIN_PAGES_MAX; count += BATCH) {
    const captures = await listOfDomain(db, { domain, afterId, limit: BATCH })
    if (captures.length > 0) yield captures
    if (captures.length < BATCH) return
    afterId = captures.at(-1)?.id ?? afterId
  }
}

async function* writeFile(
  app: Archive,
  about: { title: string; first: KeptCapture },
  batches: AsyncIterable<KeptCapture[]>,
): AsyncGenerator<Buffer> {
  yield await formatInfo({ title: about.title, at: about.first.fetchedAt })
  // Answers that repeat the words of another one refer to the same exchange.
  const written = new Set<string>()
  for await (const captures of batches) {
    for (const capture of captures) {
      const exchange = `${capture.fetchedAt.getTime()} ${capture.sha256} ${capture.url}`
      if (written.has(exchange)) continue
      written.add(exchange)
      yield await formatOne(app, capture)
    }
  }
}

async function formatOne(app: Archive, capture: KeptCapture): Promise<Buffer> {
  const body = await findBody(app, capture.sha256)
  if (!body) throw new Error(`the page ${capture.url} of ${capture.resolutionId} is missing: nameplated archive verify`)
  return formatPage({ capture, body })
}
