/** The daily file of all persons with significant control, in parts, as the register publishes it: JSON lines in a zip each. */
import type { Answer } from './loopback-server.ts'
import type { Register } from './register.ts'
import { isExemptions, isStatement } from './resources.ts'
import { zipOneFile } from './zip.ts'

const PARTS = 3
const PATH = /^\/psc-snapshot-(\d{4}-\d{2}-\d{2})_(\d+)of(\d+)\.zip$/

/** Serves `/en_pscdata.html` with links to the parts, and the parts. */
export function pscDownload(register: Register): Answer {
  return async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://register').pathname
    const day = register.today()
    const [, asked, part] = PATH.exec(path) ?? []
    if (path === '/en_pscdata.html') response.writeHead(200, { 'Content-Type': 'text/html' }).end(indexPage(day))
    else if (asked !== day || !part || Number(part) < 1 || Number(part) > PARTS) response.writeHead(404).end()
    else {
      const name = `psc-snapshot-${day}_${part}of${PARTS}.txt`
      const archive = await zipOneFile(name, register.clock.now(), linesOfPart(register, Number(part) - 1))
      response.writeHead(200, { 'Content-Type': 'application/zip', 'Content-Length': archive.length })
      response.end(request.method === 'HEAD' ? undefined : archive)
    }
  }
}

/** Parts are slices by position: statements come last, then exemptions, and the totals at the very end. */
function* linesOfPart(register: Register, part: number): Generator<string> {
  const records = [...register.companies()].flatMap((company) =>
    company.pscs.map((psc) => ({ company_number: company.number, data: psc })),
  )
  const people = records.filter(({ data }) => !isStatement(data) && !isExemptions(data))
  const statements = records.filter(({ data }) => isStatement(data))
  const exemptions = records.filter(({ data }) => isExemptions(data))
  const all = [...people, ...statements, ...exemptions]
  const size = Math.ceil(all.length / PARTS)
  for (const record of all.slice(part * size, (part + 1) * size)) yield `${JSON.stringify(record)}\n`
  if (part === PARTS - 1) {
    const totals = {
      kind: 'totals#persons-of-significant-control-snapshot',
      persons_of_significant_control_count: people.length,
      statements_count: statements.length,
      exemptions_count: exemptions.length,
      generated_at: register.clock.now().toISOString(),
    }
    yield `${JSON.stringify({ data: totals })}\n`
  }
}

function indexPage(day: string): string {
  const links = Array.from({ length: PARTS }, (_, part) => `psc-snapshot-${day}_${part + 1}of${PARTS}.zip`)
  return `<html><head><title>People with significant control</title></head><body>
<ul>${links.map((name) => `<li><a href="${name}">${name}</a></li>`).join('\n')}</ul>
</body></html>
`
}
