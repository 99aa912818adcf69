/**
 * Webhooks: what happened reaches the systems of those it concerns. Destinations, events, deliveries, listeners.
 *
 * Promises: an event and its deliveries exist when, and only when, what caused it is committed; every delivery is tried
 * until it is accepted or its attempts are spent, signed over the very bytes that are stored; a receiver that is slow or
 * dead delays nobody else; what a disabled destination missed can be replayed for 30 days.
 * Never does: decide who is concerned. Whoever publishes says so.
 */
export { disableDestinations, enableDestinations } from './account-destinations.ts'
export type { OutgoingEvent } from './attempt.ts'
export { readBacklog } from './backlog.ts'
export { type LoggedAttempt, listDeliveries } from './deliveries.ts'
export {
  type Destination,
  deleteDestination,
  enableDestination,
  getDestination,
  listDestinations,
  registerDestination,
  rotateSecret,
} from './destinations.ts'
export { sendDisabledJob } from './disabled-email.ts'
export type { NewEvent } from './event-body.ts'
export { deliverJob, retryJob } from './lanes.ts'
export { assertListening, closeListener, fetchEvents, openListener } from './listeners.ts'
export { findSubscribers, publishEvents } from './publish.ts'
export { replayEvents } from './replay.ts'
export { SEALED_PREVIOUS_WEBHOOK_SECRET, SEALED_WEBHOOK_SECRET } from './secret.ts'
export { signatureHeaders } from './signature.ts'
export { forgetEventsJob, wakeDestinationsJob } from './sweep.ts'
export { type Trial, tryDestination } from './try-destination.ts'
export { waitForEvents } from './wait-for-events.ts'
