/**
 * The incoming webhooks of Slack and Teams: each takes a message at a secret address, checks its shape as the real service does,
 * and refuses in its words. A step of `misbehave` is the response to one request, whatever it contains.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { findSlackProblem } from './slack-rules.ts'
import { findTeamsProblem, TEAMS_BYTES_MAX } from './teams-rules.ts'

export interface ServiceAnswer {
  status: number
  text: string
  headers?: Record<string, string>
}

const BODY_BYTES_MAX = 1024 * 1024

class IncomingWebhook {
  /** Messages that were accepted, as JSON. */
  readonly messages: Array<Record<string, unknown>> = []
  /** Messages that were refused, with the reason. */
  readonly refused: string[] = []
  readonly #answers: ServiceAnswer[] = []
  readonly #check: (path: string, body: string) => ServiceAnswer

  constructor(check: (path: string, body: string) => ServiceAnswer) {
    this.#check = check
  }

  /** The responses to the next requests. */
  misbehave(...answers: ServiceAnswer[]): void {
    this.#answers.push(...answers)
  }

  readonly serve: RequestListener = (request, response) => void this.#serve(request, response)

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
    }
    const body = Buffer.concat(chunks).toString('utf8')
    const isJson = /^application\/json\b/.test(request.headers['content-type'] ?? '')
    const answer =
      this.#answers.shift() ??
      (isJson ? this.#check(request.url ?? '', body) : { status: 400, text: 'invalid_payload' })
    if (answer.status < 300) this.messages.push(JSON.parse(body) as Record<string, unknown>)
    else this.refused.push(answer.text)
    response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers }).end(answer.text)
  }
}

/** A channel with the address that its service gave it. */
export interface SimulatedChannel {
  name: string
  url: string
  service: Pick<IncomingWebhook, 'messages' | 'refused' | 'serve'>
}

/** A channel in Slack and one in Teams, at addresses such as the services give. */
export function createChannels(): SimulatedChannel[] {
  const [slack, teams] = ['/services/T0DEMO/B0DEMO/demonstration', `/workflows/demo${INVOKE}&sig=demonstration`]
  return [
    { name: 'Slack', url: `https://hooks.slack.com${slack}`, service: createSlack(slack) },
    { name: 'Teams', url: `https://prod-01.uksouth.logic.azure.com${teams}`, service: createTeams(teams) },
  ]
}

const INVOKE = '/triggers/manual/paths/invoke?api-version=1'

/** Takes messages at one path, such as `/services/T0/B0/secret`. Others have no service. */
export function createSlack(path: string): IncomingWebhook {
  return new IncomingWebhook((asked, body) => {
    if (asked !== path) return { status: 404, text: 'no_service' }
    const problem = findSlackProblem(body)
    return problem === null ? { status: 200, text: 'ok' } : { status: 400, text: problem }
  })
}

/** Takes messages at one path with its query, as a workflow of Power Automate does. */
export function createTeams(path: string): IncomingWebhook {
  return new IncomingWebhook((asked, body) => {
    if (asked !== path) return { status: 404, text: 'WorkflowNotFound' }
    if (Buffer.byteLength(body) > TEAMS_BYTES_MAX) return { status: 413, text: 'RequestEntityTooLarge' }
    const problem = findTeamsProblem(body)
    return problem === null ? { status: 202, text: '' } : { status: 400, text: problem }
  })
}
