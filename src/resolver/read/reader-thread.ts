/** The program of a reader thread. Bytes from sites are parsed here only, never in the worker's main thread. */
import { parentPort } from 'node:worker_threads'
import { isChallenge } from '../crawl/challenge.ts'
import type { CrawledPage } from '../crawl/crawl.ts'
import { parseSitemap } from '../crawl/page-sources.ts'
import { parseRobots } from '../crawl/robots.ts'
import { extractFindings } from '../extract/findings.ts'
import type { PageDocument } from '../page/document.ts'
import { readPage } from '../page/read-page.ts'
import { packFindings, type ReadingTask } from './messages.ts'

/** Returns text: receiving it costs less than a structured copy of every object. */
function perform(task: ReadingTask): string {
  switch (task.kind) {
    case 'page':
      return readOnePage(task)
    case 'robots':
      return JSON.stringify(parseRobots({ status: task.status, body: Buffer.from(task.body) }))
    case 'sitemap':
      return JSON.stringify(parseSitemap(Buffer.from(task.body).toString('utf8')))
    case 'extract': {
      const pages = task.pages.map(({ document, ...page }): CrawledPage => {
        return { ...page, document: JSON.parse(document) as PageDocument }
      })
      return packFindings(extractFindings({ ...task.site, pages, certificates: [] }), pages)
    }
  }
}

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
