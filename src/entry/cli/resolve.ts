import type { Command } from 'commander'
import { formatPercent } from '../../lib/text/wording.ts'
import { type EvidenceItem, parseDomain, type Resolution, resolveDomain } from '../../resolver/index.ts'
import { openSecondReader } from '../../second-reader/index.ts'
import { printJson, type WithApp } from './output.ts'

export function addResolveCommand(program: Command, withApp: WithApp): void {
  program
    .command('resolve')
    .description('read a web site and say which UK company runs it')
    .argument('<domain>', 'a domain, an address or an e-mail address')
    .option('--explain', 'with the whole argument: quotes, weights, candidates, pages read')
    .option('--no-second-reader', 'by the rules alone, even where a language model is configured')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nNothing is stored and nothing is charged. It takes up to 20 seconds.')
    .action(async (pasted: string, options: { explain?: boolean; secondReader?: boolean }, command: Command) =>
      withApp(command, async (app, output) => {
        const domain = parseDomain(pasted)
        if (!output.json && process.stderr.isTTY) console.error(`Reading ${domain} …`)
        const reading = { ...app, secondReader: options.secondReader === false ? null : await openSecondReader(app) }
        const { captures: _, ...resolution } = await resolveDomain(reading, domain)
        if (output.json) return printJson(resolution)
        for (const line of options.explain ? explain(resolution) : summarise(resolution)) console.log(line)
      }),
    )
}

/** Without the pages as they came. */
type Shown = Omit<Resolution, 'captures'>

const HEADLINES: Record<Resolution['outcome'], string> = {
  matched: 'matched',
  needs_review: 'needs review',
  no_match: 'no match',
  non_uk_entity: 'not a UK company',
  scrape_failed: 'could not be read',
}

function describeReading(reading: Shown['secondReading']): string[] {
  if (!reading) return []
  const quote = reading.quote ? [`  “${reading.quote}” (${reading.url})`] : []
  return [`Second reader (${reading.model}): ${READINGS[reading.decision]} ${reading.why}`, ...quote]
}

const READINGS = { match: 'found it.', confirm: 'agrees.', object: 'objects.' }

function summarise(resolution: Shown): string[] {
  const { domain, outcome, reason, company, confidence, candidates, secondReading } = resolution
  const lines = [`${domain}: ${HEADLINES[outcome]}`, reason, ...describeReading(secondReading)]
  if (company && confidence !== null) {
    lines.push('', `  ${company.name}, ${company.number}, ${company.status}. Confidence ${formatPercent(confidence)}.`)
  } else {
    lines.push(
      ...candidates.map((one) => `  ${one.company.name}, ${one.company.number}: ${formatPercent(one.confidence)}`),
    )
  }
  return lines
}

/** The answer as an argument: what was decided, the words it rests on, what speaks against it, how it was weighed. */
function explain(resolution: Shown): string[] {
  return [
    ...summarise(resolution),
    ...explainChecklist(resolution),
    ...explainEvidence(resolution),
    ...explainWeights(resolution),
    ...explainCandidates(resolution),
    ...explainPages(resolution),
  ]
}

function explainChecklist({ explanation: { checklist } }: Shown): string[] {
  if (checklist.length === 0) return []
  return ['', 'Checklist', ...checklist.map(({ isMet, says }) => `  ${isMet ? '✓' : '✗'} ${says}`)]
}

function explainEvidence({ evidence, outcome }: Shown): string[] {
  const show = ({ says, quote, url, fetchedAt, contentSha256, strength }: EvidenceItem) => [
    `  “${quote}”`,
    `      ${says}${strength === 'against' ? '' : ` (${strength})`}`,
    `      ${url} · ${fetchedAt.toISOString().slice(0, 19)}Z · sha256 ${contentSha256.slice(0, 12)}…`,
  ]
  const isGround = ({ strength, kind }: EvidenceItem) =>
    strength !== 'against' || (outcome === 'non_uk_entity' && kind === 'foreign_company')
  const proves = evidence.filter(isGround)
  const against = evidence.filter((item) => !isGround(item))
  return [
    ...(proves.length > 0 ? ['', 'The words it rests on', ...proves.flatMap(show)] : []),
    ...(against.length > 0 ? ['', 'What else is said there', ...against.flatMap(show)] : []),
  ]
}

function explainWeights({ explanation, candidates }: Shown): string[] {
  const { prior, features, total, runnerUp, margin, version } = explanation
  const [best] = candidates
  if (!best) return []
  const bits = (weight: number) => `${weight > 0 ? '+' : ''}${weight.toFixed(1)}`.padStart(7)
  const lines = features.map(({ kind, says, weight, found, registered }) => {
    const compared = [found && `site: ${found}`, registered && `register: ${registered}`].filter(Boolean).join(' | ')
    return `  ${bits(weight)}  ${KINDS[kind]}${says}${compared ? `\n           ${compared}` : ''}`
  })
  return [
    '',
    `The case for ${best.company.name}, in bits`,
    `  ${bits(prior)}  Before reading: one company among all.`,
    ...lines,
    `  ${bits(total)}  in all${runnerUp ? `; next is ${runnerUp.companyName} with ${runnerUp.total.toFixed(1)}, ${margin?.toFixed(1)} behind` : ''}.`,
    `           These are the odds of ${formatPercent(best.confidence)} (weights ${version}).`,
  ]
}

const KINDS = { evidence: '', veto: 'Veto: ', calibration: 'Calibration: ' } as const

function explainCandidates({ outcome, candidates }: Shown): string[] {
  const others = outcome === 'matched' ? candidates.slice(1) : candidates
  if (others.length === 0) return []
  return [
    '',
    'Candidates',
    ...others.flatMap(({ company, confidence, reasons }) => [
      `  ${company.name}, ${company.number}, ${company.status}, ${company.address.postcode ?? 'no postcode'}: ${formatPercent(confidence)}`,
      ...reasons.slice(0, 3).map((reason) => `      ${reason}`),
    ]),
  ]
}

function explainPages({ crawl }: Shown): string[] {
  return [
    '',
    'Pages read',
    ...(crawl.redirectedTo ? [`  The domain leads to ${crawl.redirectedTo}.`] : []),
    ...crawl.attempts.map(
      ({ url, outcome, milliseconds }) => `  ${outcome.padEnd(8)} ${url} (${Math.round(milliseconds)} ms)`,
    ),
  ]
}
