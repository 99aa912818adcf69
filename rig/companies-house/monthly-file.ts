/** The download site: an index page with one link, and the Basic Company Data product of the current month. */
import { BULK_HEADER, toBulkRow } from './bulk-row.ts'
import { type Company, isGone } from './company.ts'
import { formatCsvLine } from './csv.ts'
import type { Answer } from './loopback-server.ts'
import type { Register } from './register.ts'
import { zipOneFile } from './zip.ts'

const ROWS_PER_CHUNK = 500

export function monthlyDownload(register: Register): Answer {
  return async (request, response) => {
    const stem = `BasicCompanyDataAsOneFile-${register.today().slice(0, 7)}-01`
    const path = new URL(request.url ?? '/', 'http://register').pathname
    if (path === '/en_output.html') response.writeHead(200, { 'Content-Type': 'text/html' }).end(indexPage(stem))
    else if (path !== `/${stem}.zip`) response.writeHead(404).end()
    else {
      const publishedAt = register.clock.now()
      const archive = await zipOneFile(`${stem}.csv`, publishedAt, csvOf(register))
      response.writeHead(200, {
        'Content-Type': 'application/zip',
        'Content-Length': archive.length,
        'Last-Modified': publishedAt.toUTCString(),
      })
      response.end(request.method === 'HEAD' ? undefined : archive)
    }
  }
}

/** Returns the live companies, ordered by name. Rows are written as they are asked for, each as its company is at that moment. */
function* csvOf(register: Register): Generator<string> {
  yield `${BULK_HEADER}\n`
  const companies = [...register.companies()].filter((company) => !isGone(company)).sort(byName)
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
