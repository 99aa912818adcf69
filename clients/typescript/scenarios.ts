/** Runs clients/scenarios.json against the service of the environment, and prints the results as JSON. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Nameplate, NameplateError, type ReviewDecision, verifyWebhook } from './src/index.ts'

interface Scenarios {
  clients: Record<string, { key: string; through?: string; retriesMax?: number; timeoutSeconds?: number }>
  steps: Step[]
}

interface Step {
  name: string
  client?: string
  call: string
  with?: Input
  store?: Record<string, string>
  expect: Record<string, unknown>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the file says what each call gets; the service checks it
type Input = Record<string, any>
type Call = (client: Nameplate, input: Input) => Promise<unknown>

const CALLS: Record<string, Call> = {
  resolve: (client, { follow, ...input }) => (follow ? followResolve(client, input) : resolve(client, input)),
  enrich: (client, { domain, ...options }) => client.enrich(domain, options),
  enrichRow: (client, { domain, ...options }) => client.enrichRow(domain, options),
  findWebsite: (client, { companyNumber, ...options }) => client.findWebsite(companyNumber, options),
  evidence: (client, { resolutionId, ...options }) => client.evidence(resolutionId, options),
  'history.list': (client, filter) => collect(client.history.list(filter)),
  'history.get': (client, { resolutionId }) => client.history.get(resolutionId),
  'history.changes': (client, { resolutionId, ...options }) => client.history.changes(resolutionId, options),
  'history.share': (client, { resolutionId, ...options }) => client.history.share(resolutionId, options),
  'history.shareLinks': async (client, { resolutionId }) => toList(await client.history.shareLinks(resolutionId)),
  'history.revokeShareLink': (client, { id }) => client.history.revokeShareLink(id),
  evidenceRecord: (client, { resolutionId }) => client.evidenceRecord(resolutionId),
  evidenceDocument: async (client, { resolutionId }) => describeBytes(await client.evidenceDocument(resolutionId)),
  company: (client, { companyNumber }) => client.company(companyNumber),
  companyGroup: (client, { companyNumber, ...page }) => client.companyGroup(companyNumber, page),
  filings: (client, { companyNumber, ...page }) => client.filings(companyNumber, page),
  filingDocument: async (client, { companyNumber, transactionId }) =>
    describeBytes(await client.filingDocument(companyNumber, transactionId)),
  officer: (client, { officerId }) => client.officer(officerId),
  checkDisqualifications: (client, { officerId }) => client.checkDisqualifications(officerId),
  searchCompanies: (client, { take, ...criteria }) => collect(client.searchCompanies(criteria), take),
  signals: (client, options) => collect(client.signals(options)),
  raiseTestSignal: (client, options) => client.raiseTestSignal(options),
  watchlist: (client) => collect(client.watchlist()),
  watch: (client, { companyNumber }) => client.watch(companyNumber),
  unwatch: (client, { companyNumber }) => client.unwatch(companyNumber),
  account: (client) => client.account(),
  ledger: (client) => collect(client.ledger()),
  usage: (client) => client.usage(),
  'reviews.list': (client, options) => collect(client.reviews.list(options)),
  'reviews.decide': (client, { id, ...decision }) => client.reviews.decide(id, decision as ReviewDecision),
  'reviews.dispute': (client, { resolutionId, ...details }) => client.reviews.dispute(resolutionId, details),
  'bulk.preflight': (client, { rows }) => client.bulk.preflight(rows),
  'bulk.create': (client, { rows, ...options }) => client.bulk.create(rows, options),
  'bulk.get': (client, { id }) => client.bulk.get(id),
  'bulk.wait': (client, { id }) => waitForBulk(client, id),
  'bulk.results': (client, { id }) => collect(client.bulk.results(id)),
  'bulk.cancel': (client, { id }) => client.bulk.cancel(id),
  'destinations.create': (client, { webhookUrl, signalType, ...options }) =>
    client.destinations.create(webhookUrl, signalType, options),
  'destinations.list': async (client) => toList(await client.destinations.list()),
  'destinations.test': (client, { id }) => client.destinations.test(id),
  'destinations.replay': (client, { id, ...options }) => client.destinations.replay(id, options),
  'destinations.delete': (client, { id }) => client.destinations.delete(id),
  verifyWebhook: (_client, { secret, headers, body, nowSeconds }) =>
    verifyWebhook({ secret, headers, body, nowSeconds }),
}

const resolve: Call = (client, { domain, ...options }) => client.resolve(domain, options)

async function followResolve(client: Nameplate, { domain }: Input): Promise<object> {
  let followed = false
  const onProgress = () => {
    followed = true
  }
  const answer = await client.resolve(domain, { onProgress })
  return { followed, answer }
}

async function waitForBulk(client: Nameplate, id: string): Promise<object> {
  const bulk = await client.bulk.wait(id, { waitSeconds: 60 })
  const { total, ...counts } = bulk.counts
  return { bulk, countsAddUp: Object.values(counts).reduce((sum, count) => sum + count, 0) === total }
}

async function collect(items: AsyncIterable<unknown>, take = Number.POSITIVE_INFINITY): Promise<object> {
  const collected: unknown[] = []
  for await (const item of items) {
    collected.push(item)
    if (collected.length >= take) break
  }
  return toList(collected)
}

const describeBytes = (bytes: Uint8Array) => ({
  count: bytes.length,
  starts: new TextDecoder().decode(bytes.slice(0, 5)),
})

const toList = (items: unknown[]) => ({ items, count: items.length })

async function runStep(client: Nameplate, { call, with: input = {} }: Step, stored: Map<string, unknown>) {
  const run = CALLS[call]
  if (!run) throw new Error(`no such call: ${call}`)
  const filled = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fill(value, stored)]))
  try {
    return await run(client, filled)
  } catch (error) {
    if (!(error instanceof NameplateError)) throw error
    const { name: kind, status, code, retryable, fields, retryAfterSeconds, requestId } = error
    return { error: { kind, status, code, retryable, fields, retryAfterSeconds, hasRequestId: requestId !== null } }
  }
}

function fill(value: unknown, stored: Map<string, unknown>): unknown {
  return typeof value === 'string' && value.startsWith('$') ? stored.get(value.slice(1)) : value
}

function lookUp(answer: unknown, path: string): unknown {
  let found = answer
  for (const part of path.split('.')) {
    if (Array.isArray(found) && part === '#') found = found.length
    else found = (found as Record<string, unknown> | null | undefined)?.[part]
  }
  return found ?? null
}

const { clients, steps } = JSON.parse(readFileSync(join(import.meta.dirname, '../scenarios.json'), 'utf8')) as Scenarios

function createClient(name: string): Nameplate {
  const { key, through, retriesMax, timeoutSeconds = 30 } = clients[name] ?? { key: name }
  const baseUrl =
    through === undefined ? process.env['NAMEPLATE_API_URL'] : `${process.env['NAMEPLATE_PROXY_URL']}${through}`
  return new Nameplate({ apiKey: process.env[key], baseUrl, retriesMax, timeoutMs: timeoutSeconds * 1_000 })
}

const stored = new Map<string, unknown>()
const results: object[] = []
for (const step of steps) {
  const answer = await runStep(createClient(step.client ?? 'live'), step, stored)
  for (const [name, path] of Object.entries(step.store ?? {})) stored.set(name, lookUp(answer, path))
  const wanted = Object.entries(step.expect).map(([path, value]) => ({ path, value: fill(value, stored) }))
  const differences = wanted
    .map(({ path, value }) => ({ path, expected: value, seen: lookUp(answer, path) }))
    .filter(({ expected, seen }) => expected !== seen)
  results.push({ name: step.name, passed: differences.length === 0, differences })
}
console.log(JSON.stringify(results, null, 2))
