/** What a REST resource answers, before it becomes HTTP. */
export interface RestAnswer {
  status: number
  /** Sent as JSON; without it the body is empty. */
  body?: unknown
}
