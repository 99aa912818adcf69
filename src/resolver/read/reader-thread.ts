/** The program of a reader thread. Bytes from sites are parsed here only, never in the worker's main thread. */
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { isChallenge } from '../crawl/challenge.ts'
import { rankLinks } from '../crawl/link-promise.ts'
import { outlinePage, toPageAddress } from '../crawl/outline.ts'
import { parseSitemap } from '../crawl/page-sources.ts'
import { parseRobots } from '../crawl/robots.ts'
import { extractFindings } from '../extract/findings.ts'
import { switchOffCuesOf } from '../extract/role.ts'
import { matchSite } from '../match/match-site.ts'
import { present } from '../match/present.ts'
import { listLookups, toRegisterView } from '../match/register-view.ts'
import { readPage } from '../page/read-page.ts'
import type { Decision } from '../resolution.ts'
import { applyAnswer } from '../second-reader/apply.ts'
import { buildCase } from '../second-reader/case.ts'
import {
  type DecidableSite,
  type Extract,
  openPage,
  type PageRead,
  pack,
  packFindings,
  type ReaderSettings,
  type ReadingTask,
  unpackFindings,
} from './messages.ts'

const { withoutCuesOf } = (workerData ?? {}) as ReaderSettings
if (withoutCuesOf !== undefined) switchOffCuesOf(withoutCuesOf)

function perform(task: ReadingTask) {
  switch (task.kind) {
    case 'page':
      return readOnePage(task)
    case 'robots':
      return parseRobots({ status: task.status, body: Buffer.from(task.body) })
    case 'sitemap':
      return rankLinks(parseSitemap(Buffer.from(task.body).toString('utf8')), new URL(task.home)).map(toPageAddress)
    case 'extract':
      return extract(task)
    case 'decide':
      return decide(task)
    case 'case':
      return buildCase(match(task).site)
    case 'apply':
      return applyAnswer(match(task), task.given)
  }
}

function extract({ site, pages: closed, certificates }: ReadingTask & { kind: 'extract' }): Extract {
  const pages = closed.map(openPage)
  const findings = extractFindings({ ...site, pages, certificates })
  return {
    placeholder: findings.kind.placeholder,
    hasNumbers: findings.passages.some(({ numbers }) => numbers.length > 0),
    lookups: listLookups(findings),
    findings: packFindings(findings, pages),
  }
}

function match({ findings, pages, certificates, register }: DecidableSite) {
  return matchSite(unpackFindings(findings, pages.map(openPage), certificates), toRegisterView(register))
}

function decide(task: DecidableSite): Decision {
  const { verdict, site } = match(task)
  return present(verdict, site)
}

function readOnePage({
  body: bytes,
  url,
  home,
  contentType,
  headers,
  isCut,
}: ReadingTask & { kind: 'page' }): PageRead {
  const body = Buffer.from(bytes)
  const document = readPage(body, { url, contentType })
  document.cut ||= isCut
  const text = document.blocks.map((block) => block.text).join('\n')
  return {
    isChallenge: isChallenge({ headers, body, title: document.title, text }),
    content: {
      sha256: createHash('sha256').update(body).digest('hex'),
      outline: outlinePage(document, { url, home }),
      document: pack(document),
    },
  }
}

parentPort?.on('message', (task: ReadingTask) => parentPort?.postMessage(perform(task)))
