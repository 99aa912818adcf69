/** The download site: an index page with one link, and the Basic Company Data product of the current month. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { BULK_HEADER, toBulkRow } from './bulk-row.ts'
import { type Company, isGone } from './company.ts'
import { formatCsvLine } from './csv.ts'
import { type BulkFault, type FaultSwitch, faultAnswer } from './faults.ts'
import type { Answer } from './loopback-server.ts'
import type { Register } from './register.ts'
import type { ChannelStats } from './stats.ts'
import { zipOneFile } from './zip.ts'

export interface BulkOptions {
  /** The real file holds the live register only; a world may list dissolved companies that are worth importing. */
  includesDissolved: boolean
}

const ANSWERED_FAULTS: readonly BulkFault[] = ['answer404', 'answer500', 'answer503']
const ROWS_PER_CHUNK = 500

export function bulkDownloads(
  register: Register,
  options: BulkOptions,
  watch: { faults: FaultSwitch<BulkFault>; stats: ChannelStats },
): Answer {
  const { faults, stats } = watch

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<number> {
    if (faults.strikes('delay')) await sleep(faults.delayMs)
    if (faults.strikes('drop')) {
      request.socket.destroy()
      return 0
    }
    const fault = ANSWERED_FAULTS.find((each) => faults.strikes(each))
    const trouble = fault ? faultAnswer(fault) : null
    if (trouble) {
      response.writeHead(trouble.status, { 'Content-Type': trouble.contentType }).end(trouble.body)
      return trouble.status
    }
    const stem = `BasicCompanyDataAsOneFile-${register.today().slice(0, 7)}-01`
    const path = new URL(request.url ?? '/', 'http://register').pathname
    if (path === '/en_output.html') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(indexPage(stem))
      return 200
    }
    if (path !== `/${stem}.zip`) {
      response.writeHead(404).end()
      return 404
    }
    await sendFile(response, stem, request.method === 'HEAD')
    return 200
  }

  async function sendFile(response: ServerResponse, stem: string, isHead: boolean): Promise<void> {
    const publishedAt = register.clock.now()
    const archive = await zipOneFile(`${stem}.csv`, publishedAt, csvOf(register, options))
    response.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Length': archive.length,
      'Last-Modified': publishedAt.toUTCString(),
    })
    if (isHead) response.end()
    else if (faults.strikes('halfBody'))
      response.write(archive.subarray(0, archive.length / 2), () => response.destroy())
    else response.end(archive)
  }

  return async (request, response) => {
    const at = register.clock.now().getTime()
    const status = await answer(request, response)
    stats.record({ at, key: null, path: request.url ?? '', status })
  }
}

/** Ordered by name. Rows are written as they are asked for, each as its company is at that moment. */
function* csvOf(register: Register, options: BulkOptions): Generator<string> {
  yield `${BULK_HEADER}\n`
  const companies = [...register.companies()]
    .filter((company) => options.includesDissolved || !isGone(company))
    .sort(byName)
  for (let start = 0; start < companies.length; start += ROWS_PER_CHUNK) {
    const chunk = companies.slice(start, start + ROWS_PER_CHUNK)
    yield chunk.map((company) => `${formatCsvLine(toBulkRow(company, register.sicTexts))}\n`).join('')
  }
}

function byName(a: Company, b: Company): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

function indexPage(stem: string): string {
  return `<html><head><title>Free Company Data Product</title></head><body>
<h1>Free Company Data Product</h1>
<h2>Company data as one file:</h2>
<ul><li><a href="${stem}.zip">${stem}.zip  (468Mb)</a></li></ul>
</body></html>
`
}
