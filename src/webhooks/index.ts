/**
 * Webhooks: events reach the systems of the accounts they concern. Destinations, events, deliveries, listeners.
 *
 * Promises: an event and its deliveries exist when, and only when, the change that caused it is committed; every delivery
 * is tried until it is accepted or its attempts are spent, signed over the exact bytes that are stored; a slow or dead
 * receiver delays no other; what a disabled destination missed can be replayed for 30 days.
 * Never does: decide which accounts an event concerns. The publisher names them.
 */

export { DESTINATION_KINDS, type DestinationKind } from './cards/address.ts'
export type { OutgoingEvent } from './deliver/attempt.ts'
export {
  type LoggedAttempt,
  listDeliveries,
  readBacklog,
  readPace,
  replayEvents,
} from './deliver/deliveries.ts'
export {
  type Destination,
  deleteDestination,
  deleteDestinationsOfList,
  destinationNotFound,
  disableDestinations,
  enableDestination,
  enableDestinations,
  getDestination,
  listDestinations,
  registerDestination,
  rotateSecret,
} from './destinations/destinations.ts'
export {
  SEALED_PREVIOUS_WEBHOOK_SECRET,
  SEALED_WEBHOOK_ADDRESS,
  SEALED_WEBHOOK_SECRET,
} from './destinations/secret.ts'
export { type Trial, tryDestination } from './destinations/try-destination.ts'
export {
  deliverJob,
  forgetEventsJob,
  publishAuditJob,
  retryJob,
  sendDisabledJob,
  wakeDestinationsJob,
} from './jobs.ts'
export { assertListening, closeListener, fetchEvents, openListener, waitForEvents } from './listen/listeners.ts'
export { AUDIT_ENTRY } from './publish/audit-stream.ts'
export { findSubscribers, type NewEvent, publishEvents } from './publish/publish.ts'
export { replaceInEvents } from './publish/replace-in-events.ts'
