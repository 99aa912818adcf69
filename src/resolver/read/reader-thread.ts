/** The program of a reader thread. Bytes from sites are parsed here only, never in the worker's main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { isChallenge } from '../crawl/challenge.ts'
import type { CrawledPage } from '../crawl/crawl.ts'
import { parseSitemap } from '../crawl/page-sources.ts'
import { parseRobots } from '../crawl/robots.ts'
import { extractFindings } from '../extract/findings.ts'
import { switchOffCuesOf } from '../extract/role.ts'
import { matchSite } from '../match/match-site.ts'
import { present } from '../match/present.ts'
import { listLookups, toRegisterView } from '../match/register-view.ts'
import type { PageDocument } from '../page/document.ts'
import { readPage } from '../page/read-page.ts'
import {
  type Decision,
  type Extract,
  type PackedPage,
  packFindings,
  type ReaderSettings,
  type ReadingTask,
  unpackFindings,
} from './messages.ts'

const { withoutCuesOf } = (workerData ?? {}) as ReaderSettings
if (withoutCuesOf !== undefined) switchOffCuesOf(withoutCuesOf)

/** Returns text where it is long: receiving it costs less than a structured copy of every object. */
function perform(task: ReadingTask): string | Decision {
  switch (task.kind) {
    case 'page':
      return readOnePage(task)
    case 'robots':
      return JSON.stringify(parseRobots({ status: task.status, body: Buffer.from(task.body) }))
    case 'sitemap':
      return JSON.stringify(parseSitemap(Buffer.from(task.body).toString('utf8')))
    case 'extract':
      return extract(task)
    case 'decide':
      return decide(task)
  }
}

/** The first line is for the worker, and the rest for the thread that decides. */
function extract({ site, pages: packed, certificates }: ReadingTask & { kind: 'extract' }): string {
  const pages = unpackPages(packed)
  const findings = extractFindings({ ...site, pages, certificates })
  const first: Extract = {
    placeholder: findings.kind.placeholder,
    hasNumbers: findings.passages.some(({ numbers }) => numbers.length > 0),
    lookups: listLookups(findings),
  }
  return `${JSON.stringify(first)}\n${packFindings(findings, pages)}`
}

function decide({ findings: text, pages, certificates, register }: ReadingTask & { kind: 'decide' }): Decision {
  const { verdict, site } = matchSite(unpackFindings(text, unpackPages(pages), certificates), toRegisterView(register))
  return present(verdict, site)
}

const unpackPages = (pages: readonly PackedPage[]): CrawledPage[] =>
  pages.map(({ document, ...page }) => ({ ...page, document: JSON.parse(document) as PageDocument }))

function readOnePage({ body: bytes, url, contentType, headers, isCut }: ReadingTask & { kind: 'page' }): string {
  const body = Buffer.from(bytes)
  const document = readPage(body, { url, contentType })
  document.cut ||= isCut
  const text = document.blocks.map((block) => block.text).join('\n')
  const challenge = isChallenge({ headers, body, title: document.title, text })
  // The document comes last, so that its JSON can be cut out and sent to the next thread unchanged.
  return `${challenge ? 1 : 0}${JSON.stringify(document)}`
}

parentPort?.on('message', (task: ReadingTask) => parentPort?.postMessage(perform(task)))
