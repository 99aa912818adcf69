/** `npm run candidates -- <csv>`: how often a company's domain is among those guessed from its name. */
import { readFileSync } from 'node:fs'
import { DomainError } from '../src/errors.ts'
import { guessDomains } from '../src/websites/guess/guess-domains.ts'
import { parseKnownCompanies } from './guesses/known-companies.ts'
import { DEPTH_MAX, DEPTHS, presentRecall, type Ranked, rankCompany, toRecall } from './guesses/recall.ts'

const PROGRESS_EVERY = 1_000
const RULES_SHOWN = 12

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error(
    'Usage: npm run candidates -- <csv>\nThe file needs the columns company_number, company_name and registrable_domain.',
  )
  process.exit(2)
}
try {
  measure(file)
} catch (error) {
  const isExpected = error instanceof DomainError || (error instanceof Error && 'code' in error)
  console.error(isExpected ? error.message : error)
  process.exitCode = 1
}

function measure(path: string): void {
  const companies = parseKnownCompanies(readFileSync(path, 'utf8'))
  // Processor time, as guessing waits for nothing: what else the machine does is not counted.
  const before = process.cpuUsage()
  const ranked = companies.map((company, index) => {
    if (index > 0 && index % PROGRESS_EVERY === 0) console.error(`${index} of ${companies.length} companies`)
    return rankCompany(company, guessDomains(company, DEPTH_MAX))
  })
  const { user, system } = process.cpuUsage(before)
  const cpuMsPerCompany = Number(((user + system) / 1_000 / Math.max(1, companies.length)).toFixed(2))
  console.log(formatSummary(ranked))
  console.log(`\n${cpuMsPerCompany} ms of processor time a company`)
  console.log(JSON.stringify({ ...presentRecall(toRecall(ranked)), cpu_ms_per_company: cpuMsPerCompany }))
}

function formatSummary(ranked: Ranked[]): string {
  const parts: Array<[string, Ranked[]]> = [
    ['all companies', ranked],
    ['domain of its own', ranked.filter(({ company }) => !company.isShared)],
    ['domain shared with others', ranked.filter(({ company }) => company.isShared)],
    ...[...Map.groupBy(ranked, ({ company }) => company.source)].map(([source, some]): [string, Ranked[]] => [
      `source ${source || 'not given'}`,
      some,
    ]),
  ]
  const head = `${'found among the first'.padEnd(28)}${DEPTHS.map((depth) => String(depth).padStart(8)).join('')}`
  const lines = parts.map(([title, some]) => {
    const { byCompany, companies } = toRecall(some)
    return `${title.padEnd(28)}${DEPTHS.map((depth) => toPercent(byCompany[depth])).join('')}   of ${companies}`
  })
  const { byPair, pairs } = toRecall(ranked)
  lines.push(`${'every domain'.padEnd(28)}${DEPTHS.map((depth) => toPercent(byPair[depth])).join('')}   of ${pairs}`)
  return [head, ...lines, '', 'what found it', ...listRules(ranked)].join('\n')
}

function listRules(ranked: Ranked[]): string[] {
  const found = ranked.filter(({ rule }) => rule !== null)
  return [...Map.groupBy(found, ({ rule }) => rule)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, RULES_SHOWN)
    .map(([rule, some]) => `${String(some.length).padStart(6)}  ${rule}`)
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(8)
}
