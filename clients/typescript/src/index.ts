/**
 * Nameplate for TypeScript and JavaScript: which UK registered company is behind this web domain?
 *
 * Promises: a call waits for its answer and returns it, or throws a `NameplateError`; a call that creates or spends
 * something does so once, however often it is sent.
 * Never does: send the key anywhere but to `baseUrl`, or wait without an end.
 */
export type * from './bodies.ts'
export type { BulkClient, BulkInput, BulkWaitOptions } from './bulk.ts'
export { describeConnectionFailure } from './connection-failure.ts'
export type { DestinationClient, DestinationOptions, EventType, ReplayOptions } from './destinations.ts'
export {
  AuthenticationError,
  ConnectionError,
  type FieldError,
  InsufficientCreditsError,
  InvalidRequestError,
  JobFailedError,
  NameplateError,
  NotFoundError,
  RateLimitedError,
  StillRunningError,
  WebhookSignatureError,
} from './errors.ts'
export type { HistoryClient, HistoryFilter } from './history.ts'
export type { FetchedEvent, FetchOptions, ListenerClient } from './listeners.ts'
export { type FilingPage, type GroupPage, Nameplate, type SearchCriteria } from './nameplate.ts'
export type { ResolveOptions, WaitOptions } from './resolve.ts'
export type { DecisionDetails, ReviewClient, ReviewDecision } from './reviews.ts'
export type { NameplateOptions } from './transport.ts'
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './webhook.ts'
