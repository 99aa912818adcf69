/** Every command there is, with what fast-check may choose about it. */
import fc from 'fast-check'
import {
  askInTestMode,
  chooseReader,
  readLedger,
  readProfile,
  rotateKey,
  TEST_DOMAINS,
  topUp,
  useOldKey,
  watch,
} from './account-steps.ts'
import { askAgain, askAtOnce, askForCompany, askForDomain, askTwiceUnderOneKey, ENDPOINTS } from './ask-steps.ts'
import { attendBulk, preflight, sendBulk, WORK } from './bulk-steps.ts'
import { changeSite, letPass, loseWorker, RENEW_PLANS, readJob, SPANS, SWEEP_HOLDS, SWEEP_WORK } from './job-steps.ts'
import { decideReview, disputeMatch, withdrawDecision } from './review-steps.ts'
import type { Model } from './state.ts'
import { type Step, toCommand, type World } from './step.ts'
import { SITES_EACH } from './subjects.ts'

const account = fc.nat(1)
const anySite = fc.nat(SITES_EACH - 1)
/** A match, a match that can be guessed and a review come most often, so that answers are asked for again. */
const site = fc.oneof(anySite, { weight: 2, arbitrary: fc.constantFrom(0, 2, 4, 5, 8) })
const index = fc.nat(5)
const sites = fc.uniqueArray(anySite, { minLength: 1, maxLength: 4 })
const idempotencyKey = fc.constantFrom('key-1', 'key-2', 'key-3')
const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const step = (one: Step) => fc.constant(one)

const question = fc.record({
  account,
  site,
  endpoint: fc.constantFrom(...ENDPOINTS),
  maxAgeDays: sometimes(fc.constantFrom(0, 5)),
  idempotencyKey: sometimes(idempotencyKey),
})
const search = fc.record({
  account,
  company: fc.nat(2),
  refresh: sometimes(fc.constant(true)).map((it) => it ?? false),
  idempotencyKey: sometimes(idempotencyKey),
})
const reading = fc.record({ reader: account, owner: account, index, endpoint: fc.constantFrom(0, 1) })

/** Asking and working come more often than the rest: the more there is to be wrong about. */
const WEIGHTED: Array<[weight: number, steps: fc.Arbitrary<Step>]> = [
  [9, question.map(askForDomain)],
  [3, search.map(askForCompany)],
  [6, step(WORK)],
  [3, reading.map(readJob)],
  [2, fc.tuple(account, index).map((it) => askAgain(...it))],
  [2, fc.tuple(account, fc.tuple(site, site)).map((it) => askAtOnce(...it))],
  [1, fc.tuple(account, site, idempotencyKey).map((it) => askTwiceUnderOneKey(...it))],
  [1, fc.tuple(account, fc.constantFrom(...testDomains())).map((it) => askInTestMode(...it))],
  [2, fc.tuple(fc.constantFrom('domain', 'company'), deaths()).map((it) => loseWorker(...it))],
  [3, fc.constantFrom(...Object.keys(SPANS)).map(letPass)],
  [1, step(SWEEP_WORK)],
  [1, step(SWEEP_HOLDS)],
  [1, step(RENEW_PLANS)],
  [1, site.map(changeSite)],
  [
    2,
    fc.tuple(account, fc.integer({ min: 1, max: 3 }), fc.constantFrom('one', 'two', 'three')).map((it) => topUp(...it)),
  ],
  [1, fc.tuple(account, fc.constantFrom(0, 24)).map((it) => rotateKey(...it))],
  [1, fc.tuple(account, index).map((it) => useOldKey(...it))],
  [1, fc.tuple(account, fc.boolean()).map((it) => chooseReader(...it))],
  [1, account.map(readProfile)],
  [1, account.map(readLedger)],
  [1, fc.tuple(account, fc.nat(2), fc.boolean()).map((it) => watch(...it))],
  [2, fc.tuple(account, index, fc.constantFrom('accept', 'reject', 'reassign')).map((it) => decideReview(...it))],
  [1, fc.tuple(account, index).map((it) => withdrawDecision(...it))],
  [3, fc.tuple(account, index, fc.boolean()).map((it) => disputeMatch(...it))],
  [1, fc.tuple(account, sites).map((it) => preflight(...it))],
  [2, fc.tuple(account, sites).map((it) => sendBulk(...it))],
  [2, fc.tuple(account, index, fc.constantFrom('read', 'cancel', 'resume')).map((it) => attendBulk(...it))],
]

export const COMMANDS: Array<fc.Arbitrary<fc.AsyncCommand<Model, World>>> = WEIGHTED.flatMap(([weight, steps]) =>
  Array.from({ length: weight }, () => steps.map(toCommand)),
)

function testDomains(): Array<keyof typeof TEST_DOMAINS> {
  return Object.keys(TEST_DOMAINS) as Array<keyof typeof TEST_DOMAINS>
}

function deaths() {
  return fc.constantFrom('at_once', 'reading', 'before_commit', 'given_up')
}
