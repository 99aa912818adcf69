/**
 * Incidents: what the operator says to the public about trouble, on the status page.
 *
 * Promises: an incident has a title, a start, what was said since in order, and an end once it is over; what was said is
 * never changed.
 * Never does: decide that there is trouble. An operator does, on the command line.
 */
export { addUpdate, endIncident, type Incident, listIncidents, openIncident } from './incidents.ts'
