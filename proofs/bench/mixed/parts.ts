/** What customers do, and how often each of it is among a hundred requests. */
import { Dice } from '../../../rig/synthetic-register/names.ts'
import type { Subjects } from './subjects.ts'

export interface PlannedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
  accepts: readonly number[]
  /** False where the answer is a refusal in spite of its status. */
  isRight?(text: string): boolean
}

export interface Part {
  name: string
  /** Of all parts together some hundred. */
  share: number
  /** Whether the time it takes counts among those that are promised. */
  isRead: boolean
  /** The most that are sent when the part is measured alone, where each costs far more than a request. */
  aloneMax?: number
  plan(subjects: Subjects, dice: Dice): PlannedRequest
}

const JOB_IDS_MAX = 400
const MCP_REVISION = '2026-07-28'
const JSON_TYPE = { 'content-type': 'application/json' }

type Credentials = Pick<PlannedRequest, 'headers'>

function asCustomer({ accounts }: Subjects, dice: Dice): Credentials {
  return { headers: { 'x-api-key': dice.pick(accounts).key } }
}

function get(path: string, { headers }: Credentials): PlannedRequest {
  return { method: 'GET', path, headers, accepts: [200] }
}

function post(path: string, { headers }: Credentials, body: object, accepts: readonly number[]): PlannedRequest {
  return { method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body), accepts }
}

const askForKnown = (path: string) => (subjects: Subjects, dice: Dice) =>
  post(path, asCustomer(subjects, dice), { domain: dice.pick(subjects.knownDomains) }, [200])

const ask = (path: string) => (subjects: Subjects, dice: Dice) => get(path, asCustomer(subjects, dice))

/** Customers come through a proxy that is believed, each with an address of its own. */
function addressOf(dice: Dice): Record<string, string> {
  return { 'x-forwarded-for': `198.18.${dice.below(256)}.${1 + dice.below(254)}` }
}

/** The site must be read, by a worker. */
export const NEW_DOMAIN: Part = { name: 'enrich, new', share: 2.5, isRead: false, aloneMax: 60, plan: askForNew }

export const PARTS: readonly Part[] = [
  { name: 'enrich, known', share: 25, isRead: true, plan: askForKnown('/v1/enrich') },
  { name: 'resolve, known', share: 20, isRead: true, plan: askForKnown('/v1/resolve/domain') },
  { name: 'partner, known', share: 10, isRead: true, plan: askForKnown('/v1/partner/enrich-company') },
  {
    name: 'company search',
    share: 15,
    isRead: true,
    plan: (subjects, dice) => {
      const name = encodeURIComponent(dice.pick(subjects.typedNames))
      return get(`/v1/companies/search?name=${name}`, asCustomer(subjects, dice))
    },
  },
  {
    name: 'company profile',
    share: 10,
    isRead: true,
    plan: (subjects, dice) => get(`/v1/companies/${dice.pick(subjects.companyNumbers)}`, asCustomer(subjects, dice)),
  },
  {
    name: 'job status',
    share: 8,
    isRead: true,
    plan: ({ jobIds }, dice) => get(`/v1/enrich/status/${dice.pick(jobIds)}`, { headers: addressOf(dice) }),
  },
  { name: 'signal feed', share: 4, isRead: true, plan: ask('/v1/signals') },
  { name: 'watchlist', share: 1.5, isRead: true, plan: ask('/v1/watchlist') },
  { name: 'watch', share: 0.75, isRead: false, plan: watch },
  { name: 'unwatch', share: 0.75, isRead: false, plan: unwatch },
  { name: 'usage', share: 1, isRead: true, plan: ask('/v1/account/usage') },
  { name: 'me', share: 1, isRead: true, plan: ask('/v1/auth/me') },
  NEW_DOMAIN,
  { name: 'agent tool', share: 1, isRead: true, plan: callTool },
  { name: 'sign-in', share: 0.3, isRead: false, aloneMax: 60, plan: signIn },
]

function watch(subjects: Subjects, dice: Dice): PlannedRequest {
  const account = dice.pick(subjects.accounts)
  const companyNumber = dice.pick(subjects.companyNumbers)
  subjects.watches.push({ account, companyNumber })
  const body = { company_number: companyNumber }
  return post('/v1/watchlist', { headers: { 'x-api-key': account.key } }, body, [200, 201])
}

/** What was watched longest; somebody who has nothing there unwatches a company all the same. */
function unwatch(subjects: Subjects, dice: Dice): PlannedRequest {
  const { account, companyNumber } = subjects.watches.shift() ?? {
    account: dice.pick(subjects.accounts),
    companyNumber: dice.pick(subjects.companyNumbers),
  }
  const headers = { 'x-api-key': account.key }
  return { method: 'DELETE', path: `/v1/watchlist/${companyNumber}`, headers, accepts: [200] }
}

function askForNew(subjects: Subjects, dice: Dice): PlannedRequest {
  const request = post('/v1/enrich', asCustomer(subjects, dice), { domain: subjects.takeNewDomain() }, [200, 202])
  const isRight = (text: string) => {
    const { job_id: jobId, status } = JSON.parse(text) as { job_id?: string; status: string }
    // A site that refuses at once may have been read before the question was answered.
    if (jobId === undefined) return status === 'completed'
    subjects.jobIds.push(jobId)
    if (subjects.jobIds.length > JOB_IDS_MAX) subjects.jobIds.shift()
    return true
  }
  return { ...request, isRight }
}

function callTool(subjects: Subjects, dice: Dice): PlannedRequest {
  const name = 'find_company_behind_domain'
  const { headers } = asCustomer(subjects, dice)
  const params = {
    name,
    arguments: { domain: dice.pick(subjects.knownDomains) },
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

function signIn({ accounts, password }: Subjects, dice: Dice): PlannedRequest {
  const email = `customer-${dice.below(accounts.length)}@example.com`
  return post('/v1/auth/login', { headers: addressOf(dice) }, { email, password }, [200])
}

const SHARES = PARTS.reduce((sum, { share }) => sum + share, 0)

export function pickPart(dice: Dice): Part {
  let left = dice.next() * SHARES
  for (const part of PARTS) {
    left -= part.share
    if (left < 0) return part
  }
  return PARTS[0] as Part
}

/** How many of so many requests name a domain that is new. */
export function countNewDomains(requests: number): number {
  return Math.ceil((requests * NEW_DOMAIN.share) / SHARES)
}
