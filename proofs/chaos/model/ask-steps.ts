/** Commands that ask: for a domain by each of the endpoints, for a company, again, and two at once. */
import { type Asked, addJob, askCompany, askDomain } from './rules.ts'
import type { Reply, Request, Stage } from './stage.ts'
import { availableTo, chooseAccount, DAY, type Model, type ModelAccount, nameOf } from './state.ts'
import { expect, expectStatus, type Step } from './step.ts'

export const ENDPOINTS = ['/v1/resolve/domain', '/v1/enrich', '/v1/partner/enrich-company'] as const

export interface DomainChoice {
  account: number
  site: number
  endpoint: (typeof ENDPOINTS)[number]
  maxAgeDays?: number | undefined
  idempotencyKey?: string | undefined
}

const under = (key: string | undefined) => (key ? ` under ${key}` : '')

export function askForDomain(choice: DomainChoice): Step {
  const { account, site, endpoint, maxAgeDays, idempotencyKey } = choice
  const age = maxAgeDays === undefined ? '' : ` at most ${maxAgeDays} days old`
  return {
    kind: `POST ${endpoint}`,
    words: `${nameOf(account)} asks ${endpoint} for site ${site}${age}${under(idempotencyKey)}`,
    run: (model, stage) => {
      const { domain = '' } = model.sites[site] ?? {}
      const body = {
        domain,
        ...(maxAgeDays === undefined ? {} : { max_age_days: maxAgeDays }),
      }
      const asker = chooseAccount(model, account)
      return askOnce(model, stage, asker, { path: endpoint, body, idempotencyKey }, () =>
        askDomainOver(model, asker, body),
      )
    },
  }
}

/** A request to send. */
interface Question {
  path: string
  body: { domain?: string; company_number?: string; max_age_days?: number; refresh?: boolean }
  idempotencyKey?: string | undefined
}

type CheckReply = (reply: Reply) => string

function askDomainOver(model: Model, asker: ModelAccount, body: Question['body']): CheckReply {
  const { domain = '', max_age_days: maxAgeDays } = body
  const asked = askDomain(model, asker, { domain, maxAgeDays })
  return (reply) => checkDomain(model, asker, domain, asked, reply)
}

function checkDomain(model: Model, asker: ModelAccount, domain: string, asked: Asked, reply: Reply): string {
  if (asked.kind === 'refused') return checkRefusal(reply)
  const { body } = reply
  if (asked.kind === 'queued') {
    expectStatus(`${domain} is to be read`, reply, 202)
    expect('a new job', [body.status, body.charged, body.charge_reason], ['pending', false, 'pending'])
    addJob(model, asker, { id: body.job_id, kind: 'domain', subject: domain })
    expectCredits(asker, reply, false)
    return 'queued'
  }
  expectStatus(`${domain} is known`, reply, 200)
  const shown = { kind: 'known', ...readOutcome(body), charged: body.charged, reason: body.charge_reason }
  expect(`the answer for ${domain}`, shown, asked)
  expectCredits(asker, reply, asked.charged)
  return asked.reason
}

/** One endpoint answers in its own words, two are flat. */
export function readOutcome(body: Reply['body']): { outcome: string; number: string | null } {
  if (body.result) return { outcome: body.result.match_status, number: body.result.company_number }
  return { outcome: body.outcome, number: body.company?.company_number ?? null }
}

function checkRefusal(reply: Reply): string {
  expectStatus('there is no credit', reply, 402)
  expect('why', reply.body.code, 'insufficient_credits')
  expect('what is left', reply.headers.get('credits-spent'), '0')
  return '402'
}

function expectCredits(asker: ModelAccount, { headers }: Reply, charged: boolean): void {
  const said = [headers.get('credits-spent'), headers.get('credits-remaining')]
  expect('the credits in the headers', said, [charged ? '1' : '0', String(availableTo(asker))])
}

/** With an `Idempotency-Key` the work is done once a day: repeated, or refused where the request is another. */
async function askOnce(
  model: Model,
  stage: Stage,
  asker: ModelAccount,
  { path, body, idempotencyKey }: Question,
  ask: () => CheckReply,
): Promise<string> {
  const request: Request = { key: asker.key, body, idempotencyKey }
  const kept = idempotencyKey === undefined ? undefined : asker.replies.get(idempotencyKey)
  if (!kept || kept.until <= model.now) {
    const check = ask()
    const reply = await stage.call(path, request)
    const outcome = check(reply)
    if (idempotencyKey !== undefined && reply.status < 300) keepReply(model, asker, idempotencyKey, path, body, reply)
    else if (idempotencyKey !== undefined) asker.replies.delete(idempotencyKey)
    return outcome
  }
  const reply = await stage.call(path, request)
  if (kept.path !== path || kept.body !== JSON.stringify(body)) {
    expectStatus('another request under the same key', reply, 422)
    expect('why', reply.body.code, 'idempotency_key_reused')
    return '422'
  }
  if (kept.status === 202) expectJobAgain(reply, kept.answer)
  else if (isSearching(kept.answer)) expectSearchAgain(reply, kept.answer)
  else {
    expectStatus('the same again', reply, kept.status)
    expect('the answer again', reply.body, kept.answer)
  }
  expect('that it is a repeat', reply.headers.get('idempotency-replayed'), 'true')
  expectCredits(asker, reply, false)
  return 'replayed'
}

/** A repeat of a request that was queued shows how far its job is now, or its answer. */
function expectJobAgain(reply: Reply, queued: Reply['body']): void {
  expect('queued or answered', [200, 202].includes(reply.status), true)
  expect('what was asked for', reply.body.input_domain, queued.input_domain)
  if (reply.status === 202) expect('the job', reply.body.job_id, queued.job_id)
}

/** A repeat of a request that began a search for a company's site shows how far that search is now, or what it found. */
function expectSearchAgain(reply: Reply, begun: Reply['body']): void {
  expectStatus('the company again', reply, 200)
  expect('the company', reply.body.company.company_number, begun.company.company_number)
  expect('the search', reply.body.website.job_id, begun.website.job_id)
}

const isSearching = (answer: Reply['body']): boolean => answer.website?.status === 'searching'

function keepReply(
  model: Model,
  asker: ModelAccount,
  idempotencyKey: string,
  path: string,
  body: object,
  { status, body: answer }: Reply,
): void {
  asker.replies.set(idempotencyKey, { path, body: JSON.stringify(body), until: model.now + DAY, status, answer })
}

/** Sends an earlier request again, word for word. */
export function askAgain(account: number, index: number): Step {
  return {
    kind: 'send again',
    words: `${nameOf(account)} sends request ${index} again under its key`,
    can: (model) => chooseAccount(model, account).replies.size > 0,
    run: (model, stage) => {
      const asker = chooseAccount(model, account)
      const keys = [...asker.replies.keys()]
      const idempotencyKey = keys[index % keys.length] ?? ''
      const { path = '', body: text = '{}' } = asker.replies.get(idempotencyKey) ?? {}
      const body = JSON.parse(text) as Question['body']
      const check = () => (body.domain ? askDomainOver(model, asker, body) : askCompanyOver(model, asker, body))
      return askOnce(model, stage, asker, { path, body, idempotencyKey }, check)
    },
  }
}

const COMPANY_ENDPOINT = '/v1/resolve/company'

export function askForCompany(choice: {
  account: number
  company: number
  refresh: boolean
  idempotencyKey?: string | undefined
}): Step {
  const { account, company, refresh, idempotencyKey } = choice
  return {
    kind: `POST ${COMPANY_ENDPOINT}`,
    words: `${nameOf(account)} asks for company ${company}${refresh ? ' anew' : ''}${under(idempotencyKey)}`,
    run: (model, stage) => {
      const asker = chooseAccount(model, account)
      const numbers = model.sites.flatMap(({ own }) => own.number ?? [])
      const body = { company_number: numbers[company % numbers.length] ?? '', refresh }
      const question = { path: COMPANY_ENDPOINT, body, idempotencyKey }
      return askOnce(model, stage, asker, question, () => askCompanyOver(model, asker, body))
    },
  }
}

function askCompanyOver(model: Model, asker: ModelAccount, body: Question['body']): CheckReply {
  const { company_number: number = '', refresh = false } = body
  const asked = askCompany(model, asker, { number, refresh })
  return (reply) => {
    expectStatus(`company ${number}`, reply, 200)
    const { status, charged, charge_reason: reason, job_id: jobId } = reply.body.website
    if (asked.kind === 'refused') {
      expect('no credit for a site', [status, charged, reason], ['not_searched', false, 'no_credits_free'])
      expectCredits(asker, reply, false)
      return 'not searched'
    }
    if (asked.kind === 'queued') {
      expect('a new search', [status, charged, reason], ['searching', false, 'pending'])
      addJob(model, asker, { id: jobId, kind: 'company', subject: number })
      expectCredits(asker, reply, false)
      return 'queued'
    }
    expect(`the site of ${number}`, [status, charged, reason], [asked.outcome, asked.charged, asked.reason])
    expectCredits(asker, reply, asked.charged)
    return asked.reason
  }
}

/** Two requests at once for two domains: where one credit is left, one of them is refused. */
export function askAtOnce(account: number, sites: readonly [number, number]): Step {
  return {
    kind: 'two at once',
    words: `${nameOf(account)} asks for sites ${sites.join(' and ')} at once`,
    can: () => sites[0] !== sites[1],
    run: async (model, stage) => {
      const asker = chooseAccount(model, account)
      const domains = sites.map((site) => model.sites[site]?.domain ?? '')
      const ask = (domain: string) => stage.call(ENDPOINTS[0], { key: asker.key, body: { domain } })
      const replies = await Promise.all(domains.map(ask))
      const asked = domains.map((domain, index) => ({ domain, reply: replies[index] as Reply }))
      // Who was served first is not foretold: not who was refused, nor who took a credit that the other needed to have.
      asked.sort((one, other) => needOf(one.reply) - needOf(other.reply))
      const outcomes = asked.map(({ domain, reply }) => checkAtOnce(model, asker, domain, reply))
      return outcomes.sort().join(' + ')
    },
  }
}

const needOf = ({ status, body }: Reply) => (status === 402 ? 2 : Number(status === 202 || body.charged))

/** The headers say what was left at that moment, before or after the other, and so nothing here. */
function checkAtOnce(model: Model, asker: ModelAccount, domain: string, reply: Reply): string {
  const asked = askDomain(model, asker, { domain })
  if (asked.kind === 'refused') return checkRefusal(reply)
  if (asked.kind === 'queued') {
    expectStatus(`${domain} is to be read`, reply, 202)
    addJob(model, asker, { id: reply.body.job_id, kind: 'domain', subject: domain })
    return 'queued'
  }
  expectStatus(`${domain} is known`, reply, 200)
  expect(`the charge for ${domain}`, [reply.body.charged, reply.body.charge_reason], [asked.charged, asked.reason])
  return asked.reason
}

/** One request sent twice at the same time under one key: it is done once. */
export function askTwiceUnderOneKey(account: number, site: number, idempotencyKey: string): Step {
  return {
    kind: 'twice under one key',
    words: `${nameOf(account)} sends one request for site ${site} twice at once under ${idempotencyKey}`,
    can: (model) => {
      const kept = chooseAccount(model, account).replies.get(idempotencyKey)
      return !kept || kept.until <= model.now
    },
    run: async (model, stage) => {
      const asker = chooseAccount(model, account)
      const { domain = '' } = model.sites[site] ?? {}
      const body = { domain }
      const send = () => stage.call(ENDPOINTS[0], { key: asker.key, body, idempotencyKey })
      const replies = await Promise.all([send(), send()])
      const first = replies.find((reply) => reply.status !== 409 && !reply.headers.has('idempotency-replayed'))
      const second = replies.find((reply) => reply !== first)
      if (!first || !second) throw new Error('neither of the two was the first')
      const outcome = askDomainOver(model, asker, body)(first)
      if (first.status === 402) {
        if (second.status !== 402 && second.status !== 409) expectStatus('the second of two refused', second, 402)
        asker.replies.delete(idempotencyKey)
        return `${outcome} + ${second.status}`
      }
      keepReply(model, asker, idempotencyKey, ENDPOINTS[0], body, first)
      if (second.status === 409) expect('why', second.body.code, 'idempotency_key_in_use')
      else expect('the repeat', [second.status, second.body], [first.status, first.body])
      return `${outcome} + ${second.status === 409 ? '409' : 'replayed'}`
    },
  }
}
