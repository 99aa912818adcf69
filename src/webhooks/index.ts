/**
 * Webhooks: events reach the systems of the accounts they concern. Destinations, events, deliveries, listeners.
 *
 * Promises: an event and its deliveries exist when, and only when, the change that caused it is committed; every delivery
 * is tried until it is accepted or its attempts are spent, signed over the exact bytes that are stored; a slow or dead
 * receiver delays no other; what a disabled destination missed can be replayed for 30 days.
 * Never does: decide which accounts an event concerns. The publisher names them.
 */

export type { OutgoingEvent } from './deliver/attempt.ts'
export { readBacklog } from './deliver/backlog.ts'
export { type LoggedAttempt, listDeliveries } from './deliver/deliveries.ts'
export { deliverJob, retryJob } from './deliver/delivery-jobs.ts'
export { signatureHeaders } from './deliver/signature.ts'
export { forgetEventsJob, wakeDestinationsJob } from './deliver/sweep.ts'
export { disableDestinations, enableDestinations } from './destinations/account-destinations.ts'
export {
  type Destination,
  deleteDestination,
  enableDestination,
  getDestination,
  listDestinations,
  registerDestination,
  rotateSecret,
} from './destinations/destinations.ts'
export { sendDisabledJob } from './destinations/disabled-email.ts'
export { SEALED_PREVIOUS_WEBHOOK_SECRET, SEALED_WEBHOOK_SECRET } from './destinations/secret.ts'
export { type Trial, tryDestination } from './destinations/try-destination.ts'
export { assertListening, closeListener, fetchEvents, openListener } from './listen/listeners.ts'
export { waitForEvents } from './listen/wait-for-events.ts'
export type { NewEvent } from './publish/event-body.ts'
export { findSubscribers, publishEvents } from './publish/publish.ts'
export { replayEvents } from './publish/replay.ts'
