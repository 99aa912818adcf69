import type { App } from '../../app.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { toDomainError } from '../http/errors.ts'
import type { Agent } from './authenticate.ts'

/** The next step for an agent, where the message alone does not name the tool to call. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  invalid_domain: 'If you have the name of a company and not its domain, call search_companies.',
  company_not_found: 'search_companies finds the number of a company by its name.',
  insufficient_credits: 'get_account shows the balance and what is held for work under way.',
  connection_cap_reached: 'get_account shows the cap and what is left of it today.',
  plan_limit_reached: 'unwatch_company makes room; get_account shows how many are watched.',
}

/** A failed call in words; what only we should know goes to the log. */
export function describeFailure(app: App, error: unknown, agent: Agent): { text: string; code: ErrorCode } {
  const refusal = toDomainError(error)
  const { code, message, cause, candidates = [], retryAfterSeconds } = refusal
  if (cause && !(cause instanceof DomainError)) {
    app.log.error({ event: 'tool.failed', request_id: agent.requestId, account_id: agent.accountId, error: cause })
  }
  const lines = [
    code === 'internal_error' ? `This is our mistake, and it has been recorded as ${agent.requestId}.` : message,
    ...candidates.map(
      (one) => `- ${one.company_name} (${one.company_number}), ${one.company_status_text ?? one.company_status}`,
    ),
    retryAfterSeconds === undefined ? null : `Wait ${retryAfterSeconds} s before you call again.`,
    code === 'insufficient_credits' ? `More credits are had at ${app.config.siteUrl.origin}.` : null,
    code === 'internal_error' ? 'Call once more; if it fails again, tell the user that id.' : null,
    NEXT[code] ?? null,
  ]
  return { text: lines.filter((line) => line !== null).join('\n'), code }
}
