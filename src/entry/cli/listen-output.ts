import { z } from 'zod'
import { type FetchedEvent, parseJson } from './listener-client.ts'
import type { Output } from './output.ts'

/** What `nameplate listen` says: a line for each thing that happens, for people or as one JSON object. */
export class ListenOutput {
  readonly #isJson: boolean

  constructor({ json }: Output) {
    this.#isJson = json
  }

  listening(started: { to: URL; signalType: string; secret: string }): void {
    const { to, signalType, secret } = started
    this.#say({ happened: 'listening', forward_to: to.href, signal_type: signalType, secret }, [
      `Listening for your account's events (${signalType}). Each goes to ${to.href}`,
      `They are signed with this secret until you stop: ${secret}`,
      `Give it to your receiver, for instance:  export WEBHOOK_SECRET='${secret}'`,
      'Ctrl-C stops.',
    ])
  }

  handedOn(event: FetchedEvent, { status, durationMs }: { status: number; durationMs: number }): void {
    this.#say({ happened: 'handed_on', ...tell(event), status, duration_ms: durationMs }, [
      `${timeOfDay()}  ${describe(event)}  → ${status}  ${durationMs} ms`,
    ])
  }

  unanswered(event: FetchedEvent, failure: { to: URL; reason: string; waitMs: number }): void {
    const { to, reason, waitMs } = failure
    this.#say({ happened: 'unanswered', ...tell(event), reason, next_try_ms: waitMs }, [
      `${timeOfDay()}  ${describe(event)}  → nobody answers at ${to.href}: ${reason}. Again in ${waitMs / 1_000} s.`,
    ])
  }

  serviceAway(reason: string, waitMs: number): void {
    this.#say({ happened: 'service_away', reason, next_try_ms: waitMs }, [
      `${timeOfDay()}  ${reason} Again in ${waitMs / 1_000} s.`,
    ])
  }

  stopped(): void {
    this.#say({ happened: 'stopped' }, ['Stopped.'])
  }

  #say(record: { happened: string; [member: string]: unknown }, lines: readonly string[]): void {
    if (this.#isJson) return console.log(JSON.stringify({ at: new Date().toISOString(), ...record }))
    for (const line of lines) console.log(line)
  }
}

/** The members of an event that tell whom it is about; which of them there are depends on its type. */
const Subject = z.object({
  data: z.object({
    company_number: z.string().nullish(),
    company_name: z.string().nullish(),
    domain: z.string().nullish(),
  }),
})

function subjectOf({ body }: FetchedEvent) {
  return Subject.safeParse(parseJson(body)).data?.data ?? {}
}

function describe(event: FetchedEvent): string {
  const { company_number: number, company_name: name, domain } = subjectOf(event)
  return [event.signal_type, domain, number, name].filter(Boolean).join('  ')
}

function tell(event: FetchedEvent) {
  const { company_number: companyNumber = null, company_name: companyName = null } = subjectOf(event)
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
