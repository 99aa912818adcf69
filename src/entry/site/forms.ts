import type { FastifyReply } from 'fastify'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { ERRORS } from '../http/errors.ts'

/** The message above the form of a page. */
export interface Notice {
  done?: string
  problem?: string
  /** The error code behind the problem. */
  code?: ErrorCode
  status?: number
}

/** A refusal is shown above the form that caused it. */
export async function answerForm(
  work: () => Promise<FastifyReply>,
  refuse: (refusal: { problem: string; code: ErrorCode; status: number }) => FastifyReply,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refuse({ problem: error.message, code: error.code, status: ERRORS[error.code].status })
  }
}

export function notice(page: Notice): Html | null {
  if (page.problem) return html`<p role="alert" class="bad">${page.problem}</p>`
  return page.done ? html`<p role="status" class="good">${page.done}</p>` : null
}
