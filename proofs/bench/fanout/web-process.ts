/** The receivers as a process of its own, so that their work is not the worker's. What came is checked when it is asked for. */
import { Webhook } from 'standardwebhooks'
import { type ReceivedRequest, Receiver, SimulatedWeb } from '../../../rig/web/index.ts'
import { describeWeb } from '../../../rig/web/setting.ts'

export type WebQuestion =
  /** By address. */
  | { kind: 'secrets'; secrets: Record<string, string> }
  /** Answered once so many have arrived since the last `take`. */
  | { kind: 'wait'; count: number }
  | { kind: 'take' }

export interface Arrival {
  url: string
  signalId: string
  arrivedAtMs: number
  isSigned: boolean
}

const WAIT_MS_MAX = 100_000
const [hosts = '0', authorityFile = ''] = process.argv.slice(2)
const receiver = new Receiver()
const secrets = new Map<string, string>()
const sites = Array.from({ length: Number(hosts) }, (_, place) => [`receiver-${place}.co.uk`, { receiver }] as const)
const web = await SimulatedWeb.fromSites(Object.fromEntries(sites))
const listening = await web.listen()

async function answer(question: WebQuestion): Promise<object> {
  if (question.kind === 'secrets')
    for (const [url, secret] of Object.entries(question.secrets)) secrets.set(url, secret)
  if (question.kind === 'wait') await receiver.waitFor(question.count, WAIT_MS_MAX)
  if (question.kind !== 'take') return {}
  const arrivals = receiver.received.map(toArrival)
  receiver.clear()
  return arrivals
}

function toArrival({ at, headers, path, body }: ReceivedRequest): Arrival {
  const url = `https://${headers['host'] ?? ''}${path}`
  const { data } = JSON.parse(body) as { data: { id: string } }
  return { url, signalId: data.id, arrivedAtMs: at.getTime(), isSigned: isSigned(secrets.get(url), body, headers) }
}

function isSigned(secret: string | undefined, body: string, headers: Record<string, string>): boolean {
  try {
    return secret !== undefined && Boolean(new Webhook(secret).verify(body, headers))
  } catch {
    return false
  }
}

process.on('message', (question: WebQuestion) => void answer(question).then((told) => process.send?.(told)))
process.once('disconnect', () => process.exit(0))
process.send?.(describeWeb(listening, authorityFile))
