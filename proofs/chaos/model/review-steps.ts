/** Commands of people: decide what needs review, take it back, dispute a match. */
import { checkDisputeJob } from '../../../src/review/index.ts'
import { decide, decideRefund, dispute, isForbidden, withdraw } from './review-rules.ts'
import { REREAD } from './rules.ts'
import type { Reply, Stage } from './stage.ts'
import { availableTo, chooseAccount, type Model, type ModelAccount, type ModelRequest, nameOf } from './state.ts'
import { expect, expectStatus, type Step } from './step.ts'
import { readSite } from './workers.ts'

const LISTED = new Set(['open', 'decided'])

function listed(model: Model, account: number): string[] {
  const { reviews } = chooseAccount(model, account)
  return [...reviews].filter(([, { state }]) => LISTED.has(state)).map(([domain]) => domain)
}

async function findReview(model: Model, stage: Stage, choice: { account: number; index: number }) {
  const owner = chooseAccount(model, choice.account)
  const domains = listed(model, choice.account)
  const domain = domains[choice.index % domains.length] ?? ''
  const state = owner.reviews.get(domain)?.state ?? 'open'
  const reply = await stage.call(`/v1/reviews?status=${state}&domain=${domain}`, { key: owner.key })
  expectStatus('the list of reviews', reply, 200)
  expect('what is listed', reply.body.data.length, 1)
  return { owner, domain, id: reply.body.data[0].id as string }
}

export function decideReview(account: number, index: number, action: 'accept' | 'reject' | 'reassign'): Step {
  return {
    kind: `POST decision`,
    words: `${nameOf(account)} decides its review ${index}: ${action}`,
    can: (model) => listed(model, account).length > 0,
    run: async (model, stage) => {
      const { owner, domain, id } = await findReview(model, stage, { account, index })
      const number = chooseNumber(model, owner, domain, action)
      const body = { action, ...(action === 'reassign' ? { company_number: number } : {}) }
      const reply = await stage.call(`/v1/reviews/${id}/decision`, { key: owner.key, body })
      if (isForbidden(owner, domain, number)) {
        expectStatus('a company whose credit came back', reply, 400)
        return '400'
      }
      expectStatus('a decision', reply, 200)
      expect('the decision', [reply.body.status, reply.body.decision.company_number], ['decided', number])
      decide(owner, domain, { action, number })
      return action
    },
  }
}

function chooseNumber(model: Model, owner: ModelAccount, domain: string, action: string): string | null {
  if (action === 'reject') return null
  if (action === 'reassign') return model.sites[0]?.own.number ?? null
  const looked = model.answers.get(owner.reviews.get(domain)?.resolutionId ?? '')
  return looked?.number ?? model.sites.find((site) => site.domain === domain)?.candidate ?? null
}

export function withdrawDecision(account: number, index: number): Step {
  return {
    kind: 'DELETE decision',
    words: `${nameOf(account)} takes back its decision ${index}`,
    can: (model) => listed(model, account).length > 0,
    run: async (model, stage) => {
      const { owner, domain, id } = await findReview(model, stage, { account, index })
      const reply = await stage.call(`/v1/reviews/${id}/decision`, { key: owner.key, method: 'DELETE' })
      expectStatus('a decision taken back', reply, 200)
      withdraw(model, owner, domain)
      const { state } = owner.reviews.get(domain) ?? {}
      expect('the review', [reply.body.status, reply.body.decision], [state, null])
      return state ?? 'none'
    },
  }
}

/** Also of matches that only the other account was given, which is refused. */
export function disputeMatch(account: number, index: number, namesAnother: boolean): Step {
  const matches = (model: Model) => [...model.answers.values()].filter(({ number }) => number !== null)
  return {
    kind: 'POST dispute',
    words: `${nameOf(account)} disputes match ${index}${namesAnother ? ' and names another company' : ''}`,
    can: (model) => matches(model).length > 0,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const all = matches(model)
      const looked = all[index % all.length]
      if (!looked) throw new Error('there is no match')
      const others = model.sites.flatMap(({ own }) => own.number ?? []).filter((number) => number !== looked.number)
      const right = namesAnother ? (others[0] ?? null) : null
      const expected = dispute(model, owner, { looked, right })
      const body = right === null ? { reason: 'It is another company.' } : { company_number: right }
      const reply = await stage.call(`/v1/resolutions/${looked.id}/dispute`, { key: owner.key, body })
      expectStatus('a dispute', reply, expected.status)
      if (expected.status === 404) return '404'
      const { request, isNew } = expected
      // A match of the rules is compared with what the rules say now.
      const isByRules = looked.number === looked.numberByRules
      if (request && isNew) await followRefund(model, stage, owner, { request, reply, isByRules })
      const { status, credits } = await readRefund(stage, owner, looked.domain)
      expect('what became of the credit', [status, credits], [request?.status ?? null, availableTo(owner)])
      return request?.status ?? 'nothing to refund'
    },
  }
}

/** A site that was read in the last minutes decides at once; any other is read again by a worker. */
async function followRefund(
  model: Model,
  stage: Stage,
  owner: ModelAccount,
  { request, reply, isByRules }: { request: ModelRequest; reply: Reply; isByRules: boolean },
): Promise<void> {
  const known = model.known.get(request.domain)
  const isFresh = known !== undefined && known.expiresAt > model.now && known.resolvedAt >= model.now - REREAD
  if (!isFresh) {
    expect('a refund that is not decided yet', reply.body.refund_status, 'checking')
    await stage.work([checkDisputeJob])
  }
  const isReaderAsked = !isByRules || owner.acceptsReader
  const fresh = isFresh ? known : await readSite(model, stage, request.domain, isReaderAsked)
  decideRefund(model, owner, request, { fresh, isByRules })
}

async function readRefund(stage: Stage, owner: ModelAccount, domain: string) {
  const reviews = await stage.call(`/v1/reviews?status=decided&domain=${domain}`, { key: owner.key })
  const me = await stage.call('/v1/auth/me', { key: owner.key })
  const decision = reviews.body.data[0]?.decision
  return { status: decision?.refund_status ?? null, credits: me.body.credits.available }
}
