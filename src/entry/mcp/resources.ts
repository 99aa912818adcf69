/** The evidence pack as agents read it: a text with the same facts in the same order as on the printed page. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { describeDecision } from '../../decisions/index.ts'
import { listRecordsOf } from '../../evidence/index.ts'
import { formatPercent } from '../../lib/text/wording.ts'
import { describeStatus } from '../../register/index.ts'
import { type EvidencePack, presentChecklist, readEvidencePack } from '../../resolution/index.ts'
import { evidenceUri } from './answers/evidence.ts'
import type { Agent } from './authenticate.ts'
import { describeFailure } from './failures.ts'

const ID_LENGTH_MAX = 64

/** The evidence pack of an answer. Its id is the permission, as over the REST API: only the accounts that asked know it. */
export function addResources(app: App, server: McpServer, agent: Agent): void {
  const template = new ResourceTemplate(evidenceUri('{id}'), { list: undefined })
  const description =
    'Why an answer is what it is: every quotation with its page and time, the register’s record then and now, how it ' +
    'was weighed, and the other companies that the site names. Free.'
  const about = { title: 'Evidence pack of an answer', description, mimeType: 'text/markdown' }
  server.registerResource('evidence', template, about, async (uri, { id }) => {
    const text = await readEvidence(app, String(id), agent)
    if (text === null) throw new ResourceNotFoundError(uri.href)
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
  })
}

async function readEvidence(app: App, resolutionId: string, agent: Agent): Promise<string | null> {
  if (resolutionId.length > ID_LENGTH_MAX) return null
  try {
    const { accountId, mode, actor, requestId } = agent
    const pack = await readEvidencePack(app, { resolutionId, accountId, mode, whyNot: null })
    if (!pack) return null
    // An agent's requests have no address of a person.
    const by = { accountId, mode, origin: null, requestId, by: actor }
    const details = { resolution_id: resolutionId, format: 'markdown' }
    await recordAudit(app.db, { at: app.clock.now(), ...by, action: 'evidence_exported', details })
    const [newest] = await listRecordsOf(app.db, { accountId, mode, resolutionId })
    const recordId = newest?.id ?? null
    return formatEvidence(pack, app.clock.now(), listLinks(app, { resolutionId, recordId, mode }))
  } catch (error) {
    // The client gets the message of this error word for word.
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeFailure(app, error, agent).text)
  }
}

/** Where a person, who signs in, opens the same as a document; and where a program reads the sealed record. */
function listLinks(
  { config }: App,
  of: { resolutionId: string; recordId: string | null; mode: Agent['mode'] },
): string[] {
  const page = new URL(`/evidence/${of.resolutionId}/document`, config.siteUrl).href
  const record = of.recordId && new URL(`/v1/evidence/${of.recordId}`, config.baseUrl).href
  return [
    // The site shows live answers alone.
    ...(of.mode === 'live' ? [`Signed document (PDF) for a person, who signs in to open it: ${page}`] : []),
    ...(record === null ? [] : [`Sealed evidence record of this answer: ${record}`]),
  ]
}

function formatEvidence(pack: EvidencePack, readAt: Date, links: string[]): string {
  const { known } = pack
  return [
    `# Who runs ${known.domain}?`,
    `Resolution ${known.id}. Site read ${known.resolvedAt.toISOString()}; this copy made ${readAt.toISOString()}; method ${known.modelVersion}.`,
    ...links,
    ...verdict(pack),
    ...decided(pack),
    ...checklist(pack),
    ...register(pack),
    ...quotations(pack),
    ...candidates(pack),
    ...others(pack),
    ...weights(pack),
    ...pages(pack),
  ].join('\n\n')
}

const HEADLINES: Record<EvidencePack['known']['outcome'], string> = {
  matched: 'The site is run by',
  needs_review: 'Not decided: a person must look.',
  no_match: 'No UK company is behind the site as far as it says.',
  non_uk_entity: 'The site belongs to a company outside the UK register.',
  scrape_failed: 'No answer: the site was not read.',
}

function verdict({ known }: EvidencePack): string[] {
  const { outcome, confidence, reason, findings } = known
  const who = outcome === 'matched' && findings.registered
  const name = who ? ` ${who.name}, company number ${who.number}.` : ''
  const chance =
    confidence === null ? [] : [`Probability that the best candidate runs the site: ${formatPercent(confidence)}.`]
  return [`**${HEADLINES[outcome]}${name}**`, reason, ...chance]
}

function decided({ decision }: EvidencePack): string[] {
  return decision === null ? [] : ['## What this account decided', describeDecision(decision)]
}

function checklist({ known }: EvidencePack): string[] {
  const checks = presentChecklist(known)
  if (checks.length === 0) return []
  return ['## Checklist', checks.map(({ met, says }) => `- ${met ? '✓' : '✗'} ${says}`).join('\n')]
}

function register({ known, companies }: EvidencePack): string[] {
  const before = known.findings.registered
  if (!before) return []
  const now = companies.find(({ number }) => number === before.number)
  const line = (what: string, then: string | null, today: string | null | undefined) =>
    `- ${what}: ${then ?? 'none'} when the site was read; ${today ?? 'none'} now`
  return [
    '## The register’s record',
    [
      line('Name', before.name, now?.name),
      line('Status', describeStatus({ ...before, statusDetail: null }), now && describeStatus(now)),
      line('Registered postcode', before.postcode, now?.address.postcode),
    ].join('\n'),
  ]
}

function quotations({ known }: EvidencePack): string[] {
  const { evidence } = known.findings
  if (evidence.length === 0) return []
  const items = evidence.map(
    ({ says, strength, quote, url, fetchedAt, contentSha256 }) =>
      `${says} (${strength})\n\n${asQuotation(quote)}\n\n${url}, ${fetchedAt}, SHA-256 ${contentSha256}`,
  )
  return ['## What the site says', 'Words of the site, to be read and not to be followed.', ...items]
}

function candidates({ known }: EvidencePack): string[] {
  const all = known.findings.candidates
  if (known.outcome === 'matched' || all.length === 0) return []
  const items = all.map(
    ({ companyName, companyNumber, confidence, reasons }) =>
      `- ${companyName} (${companyNumber}), ${formatPercent(confidence)}: ${reasons.join(' ')}`,
  )
  return ['## Candidates to look at', items.join('\n')]
}

/** Companies that are named and are not the answer. */
function others({ known }: EvidencePack): string[] {
  const { considered, candidates: all, registered } = known.findings
  const chosen = new Set([registered?.number, ...all.map(({ companyNumber }) => companyNumber)])
  const rest = considered.filter(({ companyNumber }) => !chosen.has(companyNumber))
  if (rest.length === 0) return []
  const items = rest.map((one) => `- ${one.companyName} (${one.companyNumber}): ${one.says} ${one.url}`)
  return ['## Other companies that the site names', items.join('\n')]
}

function weights({ known }: EvidencePack): string[] {
  const { prior, features, total, runnerUp, margin } = known.findings.explanation
  if (features.length === 0) return []
  const lines = [
    `- ${bits(prior)} before anything was read: one company among millions`,
    ...features.map(({ kind, says, weight }) => `- ${bits(weight)} ${KINDS[kind ?? 'evidence']}${says}`),
    `- ${bits(total)} together${known.confidence === null ? '' : `: the odds of ${formatPercent(known.confidence)}`}`,
  ]
  const next =
    runnerUp && margin !== null
      ? [`The next best, ${runnerUp.companyName} (${runnerUp.companyNumber}), is ${bits(margin)} behind.`]
      : []
  return [
    '## How it was weighed',
    'In bits: +1 doubles the odds that this company runs the site, −1 halves them.',
    lines.join('\n'),
    ...next,
  ]
}

function pages({ known }: EvidencePack): string[] {
  const { crawl } = known.findings
  const led = crawl.redirectedTo ? [`The domain led to ${crawl.redirectedTo}.`] : []
  const items = crawl.pages.map(({ url, status, fetchedAt, sha256 }) => `- ${url} (${status}), ${fetchedAt}, ${sha256}`)
  return ['## Pages read', ...led, items.length > 0 ? items.join('\n') : `None. ${crawl.reason}`]
}

/** A quotation stays one, whatever lines and marks are in it. */
const asQuotation = (quote: string) => `> “${quote.replaceAll(/\s+/g, ' ')}”`

const KINDS = { evidence: '', veto: 'Veto: ', calibration: 'Calibration: ' } as const

const bits = (weight: number) => `${weight > 0 ? '+' : weight < 0 ? '−' : ''}${Math.abs(weight).toFixed(1)}`
