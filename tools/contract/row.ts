/** The rows of the contract, and the checks that show that a deployment keeps them. */
import type { Answer } from './client.ts'
import { expectAnswer, expectRefusal, type Members } from './expectations.ts'
import type { LiveResolution, LiveResolutions } from './resolutions.ts'
import type { Request, Sender, Stage, Steps } from './stage.ts'

/** Returns how it was shown. Throws `Mismatch` when it is not kept, and `NotShown` when that could not be asked. */
export type Check = (stage: Stage) => Promise<string>

/** Rows by `id: words`. The words are the contract's own, with their subject. */
export type Rows = Record<string, Check | readonly Check[]>

export interface Area {
  title: string
  rows: Rows
}

export const area = (title: string, rows: Rows): Area => ({ title, rows })
export const row = (id: string, words: string, checks: Rows[string]): Rows => ({ [`${id}: ${words}`]: checks })
export const all = (rows: readonly Rows[]): Rows => Object.assign({}, ...rows) as Rows

/** An answer of the deployment. A run asks each request once; every row that needs its answer gets the same. */
export type Source = (stage: Stage) => Promise<Answer>

export const ask =
  (to: string, as?: Sender, body?: unknown, headers?: Record<string, string>): Source =>
  (stage) =>
    stage.ask({ to, as, body, headers } satisfies Request)

export const DOMAIN_PATHS = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company'] as const
export type DomainPath = (typeof DOMAIN_PATHS)[number]

/** A test domain: a fixed answer for every outcome and status, free of charge, in any deployment. */
export const tested = (path: DomainPath, domain: string): Source => ask(`POST ${path}`, 'testKey', { domain })
export const testedCompany = (number: string): Source =>
  ask('POST /v1/resolve/company', 'testKey', { company_number: number })

/** The job that a test domain starts, when it has ended. */
export const finished =
  (path: DomainPath, domain = 'slow.test'): Source =>
  (stage) =>
    stage.finished(path, domain)

type ResultOf<Step extends keyof Steps> = Awaited<ReturnType<Steps[Step]>>
type AnswerOf<Result> = { [Name in keyof Result]: Result[Name] extends Answer ? Name : never }[keyof Result]

/** An answer from a step that several rows share. */
export const from =
  <Step extends keyof Steps>(step: Step, name: AnswerOf<ResultOf<Step>>): Source =>
  async ({ steps }) =>
    ((await steps[step]()) as ResultOf<Step>)[name] as Answer

export const live =
  (outcome: keyof LiveResolutions, name: Exclude<keyof LiveResolution, 'spentCredits'>): Source =>
  async ({ steps }) =>
    (await steps.live())[outcome][name]

/** The status, and what is in the answer. */
export function gives(
  source: Source,
  status: number,
  members: Members | ((stage: Stage) => Members | Promise<Members>) = {},
): Check {
  return async (stage) => {
    const answer = await source(stage)
    return expectAnswer(answer, status, typeof members === 'function' ? await members(stage) : members)
  }
}

/** The status of an error, with its code where the contract settles it. */
export const refuses =
  (source: Source, status: number, code?: string): Check =>
  async (stage) =>
    expectRefusal(await source(stage), status, code)
