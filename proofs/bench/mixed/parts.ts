/** The requests that customers send, and how often each is among a hundred. */
import type { PlannedRequest } from '../../../rig/load.ts'
import type { Random } from '../../../rig/random.ts'
import { sum } from '../../../rig/statistics.ts'
import type { Subjects } from './subjects.ts'

export interface Part {
  name: string
  /** Requests of this part among about a hundred. */
  share: number
  /** Its time counts among those that are promised. */
  isRead: boolean
  plan(subjects: Subjects, random: Random): PlannedRequest
}

const JOB_IDS_MAX = 400
const MCP_REVISION = '2026-07-28'
const JSON_TYPE = { 'content-type': 'application/json' }

type Credentials = Pick<PlannedRequest, 'headers'>

function asCustomer({ accounts }: Subjects, random: Random): Credentials {
  return { headers: { 'x-api-key': random.pick(accounts).key } }
}

function get(path: string, { headers }: Credentials): PlannedRequest {
  return { method: 'GET', path, headers, accepts: [200] }
}

function post(path: string, { headers }: Credentials, body: object, accepts: readonly number[]): PlannedRequest {
  return { method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body), accepts }
}

const askForKnown = (path: string) => (subjects: Subjects, random: Random) =>
  post(path, asCustomer(subjects, random), { domain: random.pick(subjects.knownDomains) }, [200])

const ask = (path: string) => (subjects: Subjects, random: Random) => get(path, asCustomer(subjects, random))

/** Customers come through a trusted proxy, each from another address. */
function addressOf(random: Random): Record<string, string> {
  return { 'x-forwarded-for': `198.18.${random.below(256)}.${1 + random.below(254)}` }
}

type Plan = Part['plan']
const read = (name: string, share: number, plan: Plan): Part => ({ name, share, isRead: true, plan })
const other = (name: string, share: number, plan: Plan): Part => ({ name, share, isRead: false, plan })

/** A worker must read the site. */
export const NEW_DOMAIN = other('enrich, new', 2.5, askForNew)

export const PARTS: readonly Part[] = [
  read('enrich, known', 25, askForKnown('/v1/enrich')),
  read('resolve, known', 20, askForKnown('/v1/resolve/domain')),
  read('partner, known', 10, askForKnown('/v1/partner/enrich-company')),
  read('company search', 15, (subjects, random) => {
    const name = encodeURIComponent(random.pick(subjects.typedNames))
    return get(`/v1/companies/search?name=${name}`, asCustomer(subjects, random))
  }),
  read('company profile', 10, (subjects, random) =>
    get(`/v1/companies/${random.pick(subjects.companyNumbers)}`, asCustomer(subjects, random)),
  ),
  read('job status', 8, ({ jobIds }, random) =>
    get(`/v1/enrich/status/${random.pick(jobIds)}`, { headers: addressOf(random) }),
  ),
  read('signal feed', 4, ask('/v1/signals')),
  read('watchlist', 1.5, ask('/v1/watchlist')),
  other('watch', 0.75, watch),
  other('unwatch', 0.75, unwatch),
  read('usage', 1, ask('/v1/account/usage')),
  read('me', 1, ask('/v1/auth/me')),
  NEW_DOMAIN,
  read('agent tool', 1, callTool),
  other('sign-in', 0.3, signIn),
]

function watch(subjects: Subjects, random: Random): PlannedRequest {
  const account = random.pick(subjects.accounts)
  const companyNumber = random.pick(subjects.companyNumbers)
  subjects.watches.push({ account, companyNumber })
  const body = { company_number: companyNumber }
  return post('/v1/watchlist', { headers: { 'x-api-key': account.key } }, body, [200, 201])
}

/** Unwatches what was watched longest; an account without a watch unwatches a company all the same. */
function unwatch(subjects: Subjects, random: Random): PlannedRequest {
  const { account, companyNumber } = subjects.watches.shift() ?? {
    account: random.pick(subjects.accounts),
    companyNumber: random.pick(subjects.companyNumbers),
  }
  const headers = { 'x-api-key': account.key }
  return { method: 'DELETE', path: `/v1/watchlist/${companyNumber}`, headers, accepts: [200] }
}

function askForNew(subjects: Subjects, random: Random): PlannedRequest {
  const request = post('/v1/enrich', asCustomer(subjects, random), { domain: subjects.takeNewDomain() }, [200, 202])
  const isRight = (text: string) => {
    const { job_id: jobId, status } = JSON.parse(text) as { job_id?: string; status: string }
    // A site that refuses at once may have been read before the response was sent.
    if (jobId === undefined) return status === 'completed'
    subjects.jobIds.push(jobId)
    if (subjects.jobIds.length > JOB_IDS_MAX) subjects.jobIds.shift()
    return true
  }
  return { ...request, isRight }
}

function callTool(subjects: Subjects, random: Random): PlannedRequest {
  const name = 'find_company_behind_domain'
  const { headers } = asCustomer(subjects, random)
  const params = {
    name,
    arguments: { domain: random.pick(subjects.knownDomains) },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MCP_REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    },
  }
  const mcp = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MCP_REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const request = post('/mcp', { headers: { ...headers, ...mcp } }, message, [200])
  return { ...request, isRight: (text) => text.includes('"result"') && !text.includes('"isError":true') }
}

function signIn({ accounts, password }: Subjects, random: Random): PlannedRequest {
  const email = `customer-${random.below(accounts.length)}@example.com`
  return post('/v1/auth/login', { headers: addressOf(random) }, { email, password }, [200])
}

const BY_NAME = new Map(PARTS.map((part) => [part.name, part]))
const SHARES = Object.fromEntries(PARTS.map(({ name, share }) => [name, share]))
const SHARES_SUM = sum(PARTS.map(({ share }) => share))

export interface PartRequest extends PlannedRequest {
  part: Part
}

export function drawPart(part: Part, subjects: Subjects): (random: Random) => PartRequest {
  return (random) => ({ ...part.plan(subjects, random), part })
}

/** Draws each part as often as its share has it. */
export function drawMix(subjects: Subjects): (random: Random) => PartRequest {
  return (random) => drawPart(BY_NAME.get(random.pickByWeight(SHARES)) ?? NEW_DOMAIN, subjects)(random)
}

/** Returns how many of so many requests name a domain that is new. */
export function countNewDomains(requests: number): number {
  return Math.ceil((requests * NEW_DOMAIN.share) / SHARES_SUM)
}
