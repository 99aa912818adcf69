/** Commands about the account itself: keys, credits, test mode, and what its owner can read of its books. */
import { findAccount, startSession } from '../../../src/accounts/index.ts'
import { grantByOperator } from '../../../src/accounts/operators.ts'
import { addJob } from './rules.ts'
import { availableTo, chooseAccount, HOUR, heldBy, nameOf } from './state.ts'
import { expect, expectStatus, type Step } from './step.ts'

/** The same reference is granted once. */
export function topUp(account: number, credits: number, reference: string): Step {
  return {
    kind: 'top-up',
    words: `${nameOf(account)} is granted ${credits} credits for ${reference}`,
    run: async (model, { app }) => {
      const owner = chooseAccount(model, account)
      const granted = await grantByOperator(app, { accountId: owner.id, amountCredits: credits, reference })
      const isNew = !owner.granted.has(reference)
      expect('whether it was granted', granted !== null, isNew)
      if (isNew) owner.balance += credits
      owner.granted.add(reference)
      return isNew ? 'granted' : 'granted before'
    },
  }
}

/** Old keys that may work beside the current one. */
const OLD_KEYS_MAX = 9

export function rotateKey(account: number, overlapHours: number): Step {
  return {
    kind: 'POST /v1/auth/api-key/rotate',
    words: `${nameOf(account)} rotates its key and keeps the old one for ${overlapHours} hours`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const found = await findAccount(stage.app.db, owner.id)
      if (!found) throw new Error(`account ${owner.id} is gone`)
      const { token } = await startSession(stage.app, found)
      const body = { mode: 'live', overlap_hours: overlapHours }
      const reply = await stage.call('/v1/auth/api-key/rotate', { token, body })
      const living = owner.oldKeys.filter(({ until }) => until > model.now).length
      if (overlapHours > 0 && living >= OLD_KEYS_MAX) {
        expectStatus('one key too many', reply, 402)
        return 'too many'
      }
      expectStatus('a new key', reply, 200)
      // Without an overlap every older key ends.
      if (overlapHours === 0) for (const old of owner.oldKeys) old.until = Math.min(old.until, model.now)
      owner.oldKeys.push({ key: owner.key, until: model.now + overlapHours * HOUR })
      owner.key = reply.body.api_key
      return overlapHours > 0 ? 'with overlap' : 'at once'
    },
  }
}

export function useOldKey(account: number, index: number): Step {
  return {
    kind: 'an old key',
    words: `${nameOf(account)} uses old key ${index}`,
    can: (model) => chooseAccount(model, account).oldKeys.length > 0,
    run: async (model, stage) => {
      const { oldKeys, ...owner } = chooseAccount(model, account)
      const old = oldKeys[index % oldKeys.length]
      const reply = await stage.call('/v1/auth/me', { key: old?.key ?? '' })
      expectStatus('an old key', reply, old && old.until > model.now ? 200 : 401)
      if (reply.status === 200) expect('whose it is', reply.body.account_id, owner.id)
      return String(reply.status)
    },
  }
}

export function readProfile(account: number): Step {
  return {
    kind: 'GET /v1/auth/me',
    words: `${nameOf(account)} reads its credits`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const { body } = await stage.call('/v1/auth/me', { key: owner.key })
      const { balance } = owner
      expect('the credits', body.credits, { balance, held: heldBy(owner), available: availableTo(owner) })
      return balance === 0 ? 'none left' : 'some left'
    },
  }
}

export function readLedger(account: number): Step {
  return {
    kind: 'GET /v1/account/ledger',
    words: `${nameOf(account)} reads its ledger`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const { body } = await stage.call('/v1/account/ledger?limit=1', { key: owner.key })
      const [last] = body.data
      const [balance, held] = last ? [last.balance_after, last.held_after] : [0, 0]
      expect('the balance after the last entry', [balance, held], [owner.balance, heldBy(owner)])
      return last ? last.kind : 'empty'
    },
  }
}

/** The status that a test key gets for each test domain. */
export const TEST_DOMAINS = {
  'matched.test': 200,
  'needs-review.test': 200,
  'no-match.test': 200,
  'slow.test': 202,
  'failed.test': 202,
  'no-credits.test': 402,
  'rate-limited.test': 429,
  'alderfinch.co.uk': 400,
} as const

/** A test key spends nothing, whatever it asks. */
export function askInTestMode(account: number, domain: keyof typeof TEST_DOMAINS): Step {
  return {
    kind: 'test key',
    words: `${nameOf(account)} asks for ${domain} with its test key`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const reply = await stage.call('/v1/enrich', { key: owner.testKey, body: { domain } })
      expectStatus(domain, reply, TEST_DOMAINS[domain])
      if (reply.status < 300) {
        expect('the charge', [reply.body.charged, reply.body.charge_reason], [false, 'test_mode'])
        expect('the credits', reply.headers.get('credits-remaining'), String(availableTo(owner)))
      }
      if (reply.status === 202) addJob(model, owner, { id: reply.body.job_id, kind: 'domain', subject: domain })
      return String(reply.status)
    },
  }
}

/** Watching a company costs nothing. */
export function watch(account: number, company: number, isWatched: boolean): Step {
  return {
    kind: isWatched ? 'POST /v1/watchlist' : 'DELETE /v1/watchlist',
    words: `${nameOf(account)} ${isWatched ? 'watches' : 'no longer watches'} company ${company}`,
    run: async (model, stage) => {
      const { key } = chooseAccount(model, account)
      const numbers = model.sites.flatMap(({ own }) => own.number ?? [])
      const number = numbers[company % numbers.length] ?? ''
      const reply = isWatched
        ? await stage.call('/v1/watchlist', { key, body: { company_number: number } })
        : await stage.call(`/v1/watchlist/${number}`, { key, method: 'DELETE' })
      if (![200, 201, 404].includes(reply.status)) expectStatus('a watch', reply, 200)
      return String(reply.status)
    },
  }
}

/** The account accepts the second reader from now on, or refuses it. */
export function chooseReader(account: number, accepts: boolean): Step {
  return {
    kind: 'PATCH /v1/account/settings',
    words: `${nameOf(account)} ${accepts ? 'accepts' : 'refuses'} the second reader`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const body = { second_reader: accepts }
      const reply = await stage.call('/v1/account/settings', { key: owner.key, method: 'PATCH', body })
      expectStatus('a setting', reply, 200)
      expect('the setting', reply.body.second_reader, accepts)
      owner.acceptsReader = accepts
      return accepts ? 'accepted' : 'refused'
    },
  }
}
