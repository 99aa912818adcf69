import type { FetchedEvent } from '../client.ts'

/** Prints each thing that happens during `nameplate listen`: a line of text, or with `json` one JSON object. */
export class ListenOutput {
  readonly #json: boolean

  constructor({ json }: { json: boolean }) {
    this.#json = json
  }

  listening(started: { to: URL; signalType: string; secret: string }): void {
    const { to, signalType, secret } = started
    this.#print({ happened: 'listening', forward_to: to.href, signal_type: signalType, secret }, [
      `Listening for your account's events (${signalType}). Each goes to ${to.href}`,
      `They are signed with this secret until you stop: ${secret}`,
      `Give it to your receiver, for instance:  export WEBHOOK_SECRET='${secret}'`,
      'Ctrl-C stops.',
    ])
  }

  forwarded(event: FetchedEvent, { status, durationMs }: { status: number; durationMs: number }): void {
    this.#print({ happened: 'handed_on', ...summarize(event), status, duration_ms: durationMs }, [
      `${timeOfDay()}  ${describe(event)}  → ${status}  ${durationMs} ms`,
    ])
  }

  unanswered(event: FetchedEvent, failure: { to: URL; reason: string; waitMs: number }): void {
    const { to, reason, waitMs } = failure
    this.#print({ happened: 'unanswered', ...summarize(event), reason, next_try_ms: waitMs }, [
      `${timeOfDay()}  ${describe(event)}  → no response from ${to.href}: ${reason}. Again in ${waitMs / 1_000} s.`,
    ])
  }

  serviceAway(reason: string, waitMs: number): void {
    this.#print({ happened: 'service_away', reason, next_try_ms: waitMs }, [
      `${timeOfDay()}  ${reason} Again in ${waitMs / 1_000} s.`,
    ])
  }

  stopped(): void {
    this.#print({ happened: 'stopped' }, ['Stopped.'])
  }

  #print(record: { happened: string; [member: string]: unknown }, lines: readonly string[]): void {
    if (this.#json) return console.log(JSON.stringify({ at: new Date().toISOString(), ...record }))
    for (const line of lines) console.log(line)
  }
}

/** The members of an event's data that name its subject; which of them are present depends on the event's type. */
interface Subject {
  company_number?: string | null
  company_name?: string | null
  domain?: string | null
}

function parseSubject({ body }: FetchedEvent): Subject {
  try {
    return (JSON.parse(body) as { data?: Subject }).data ?? {}
  } catch {
    return {}
  }
}

function describe(event: FetchedEvent): string {
  const { company_number: number, company_name: name, domain } = parseSubject(event)
  return [event.signal_type, domain, number, name].filter(Boolean).join('  ')
}

function summarize(event: FetchedEvent) {
  const { company_number: companyNumber = null, company_name: companyName = null } = parseSubject(event)
  return {
    event_id: event.event_id,
    signal_type: event.signal_type,
    company_number: companyNumber,
    company_name: companyName,
    attempt: event.attempt,
  }
}

function timeOfDay(): string {
  return new Date().toLocaleTimeString('en-GB')
}
