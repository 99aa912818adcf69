/** The kept pages of an answer, or of all answers of a domain, as one WARC file. */
import type { App } from '../app.ts'
import { BodyDamage, findBody, type KeptCapture, listCaptures, listOfDomain } from './captures.ts'
import { formatInfo, formatPage } from './warc.ts'

type Archive = Pick<App, 'db' | 'pageStores'>

const BATCH = 50
/** For one domain; a file with more would be read by no viewer. */
const DOMAIN_PAGES_MAX = 10_000

interface Options {
  /** Is called for a page whose body is missing or damaged, and the file goes on without it. */
  onDamage?: (damage: BodyDamage) => void
}

/** Returns the file piece by piece, the first without a page; null where no page of the answer is kept. */
export async function exportAnswer(
  app: Archive,
  resolutionId: string,
  options: Options = {},
): Promise<AsyncGenerator<Buffer> | null> {
  const captures = await listCaptures(app.db, resolutionId)
  const [first] = captures
  if (!first) return null
  const about = { title: `The pages that the answer ${resolutionId} quotes`, first, ...options }
  return writeFile(app, about, inOneBatch(captures))
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
  about: Options & { title: string; first: KeptCapture },
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
      const piece = await formatOne(app, capture).catch((error: unknown) => {
        if (!(error instanceof BodyDamage) || !about.onDamage) throw error
        about.onDamage(error)
        return null
      })
      if (piece) yield piece
    }
  }
}

async function formatOne(app: Archive, capture: KeptCapture): Promise<Buffer> {
  const body = await findBody(app, capture.sha256)
  if (!body) throw new BodyDamage(`the page ${capture.url} of ${capture.resolutionId} is missing`)
  return formatPage({ capture, body })
}
