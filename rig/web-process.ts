/**
 * The simulated web as a process, so that its work is not counted as the service's: the sites of a world, made-up sites, and
 * receivers of webhooks. `startWeb` starts it; run as a program, this file is it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { serveParent, startChild } from './child.ts'
import { drawSite } from './drawn-sites.ts'
import { makeSite } from './made-up-sites.ts'
import { type ReceivedRequest, Receiver, SimulatedWeb } from './web/index.ts'
import { describeWeb } from './web/setting.ts'

export interface WebContents {
  /** A folder. */
  world?: string
  /** The first so many of `makeSite`. */
  madeUpSites?: number
  /** In place of a world: all domains of `drawDomain`, with a register of so many synthetic companies. */
  drawnFrom?: number
  /** Hosts of receivers: `receiver-0.co.uk` and so on. */
  receivers?: number
  /** The receivers keep only so many requests. */
  keepMax?: number
}

export interface Arrival {
  url: string
  signalId: string
  arrivedAtMs: number
  isSigned: boolean
}

/** A request as a receiver got it. */
export interface SentRequest {
  url: string
  headers: Record<string, string>
  body: string
}

export interface WebProcess extends AsyncDisposable {
  pid: number
  /** The value of SIMULATED_WEB that leads the service to it. */
  setting: string
  countRequests(): Promise<number>
  countArrived(): Promise<number>
  /** Gives the receivers the secret of each address. */
  learnSecrets(secrets: Record<string, string>): Promise<void>
  /** Returns once so many deliveries have arrived since the last `takeArrivals`. */
  waitForArrivals(count: number): Promise<void>
  /** Returns the first `count` requests since the last `takeArrivals`. */
  listReceived(count: number): Promise<SentRequest[]>
  takeArrivals(): Promise<Arrival[]>
}

export function receiverHost(index: number): string {
  return `receiver-${index}.co.uk`
}

type Question =
  | { kind: 'requests' | 'arrived' | 'take' }
  | { kind: 'secrets'; secrets: Record<string, string> }
  | { kind: 'wait' | 'list'; count: number }

export async function startWeb(contents: WebContents): Promise<WebProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-web-'))
  const argv = [JSON.stringify(contents), join(folder, 'authority.pem')]
  const child = await startChild<string>(import.meta.filename, { arguments: argv })
  const ask = <Reply>(question: Question) => child.ask<Reply>(question)
  return {
    pid: child.pid,
    setting: child.ready,
    countRequests: () => ask({ kind: 'requests' }),
    countArrived: () => ask({ kind: 'arrived' }),
    learnSecrets: (secrets) => ask({ kind: 'secrets', secrets }),
    waitForArrivals: (count) => ask({ kind: 'wait', count }),
    listReceived: (count) => ask({ kind: 'list', count }),
    takeArrivals: () => ask({ kind: 'take' }),
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const WAIT_MS_MAX = 100_000

async function serve(contents: WebContents, authorityFile: string): Promise<void> {
  const { madeUpSites = 0, receivers = 0, keepMax } = contents
  const receiver = new Receiver({ kind: 'ok' }, keepMax === undefined ? {} : { keepMax })
  const secrets = new Map<string, string>()
  const web = await (await openContents(contents)).listen()
  for (let index = 0; index < receivers; index += 1) web.setSite(receiverHost(index), { receiver })
  for (let index = 0; index < madeUpSites; index += 1) {
    const { domain, site } = makeSite(index)
    if (site) web.setSite(domain, site)
  }
  const takeArrivals = () => {
    const arrivals = receiver.received.map((request) => toArrival(request, secrets))
    receiver.clear()
    return arrivals
  }
  serveParent(describeWeb(web, authorityFile), async (question: Question) => {
    switch (question.kind) {
      case 'requests':
        return web.stats.requests
      case 'arrived':
        return receiver.arrived
      case 'secrets':
        for (const [url, secret] of Object.entries(question.secrets)) secrets.set(url, secret)
        return null
      case 'wait':
        await receiver.waitFor(question.count, WAIT_MS_MAX)
        return null
      case 'list':
        return receiver.received.slice(0, question.count).map(toSentRequest)
      case 'take':
        return takeArrivals()
    }
  })
}

async function openContents({ world, drawnFrom }: WebContents): Promise<SimulatedWeb> {
  if (drawnFrom !== undefined) return SimulatedWeb.fromDraw((host) => drawSite(host, drawnFrom))
  return world === undefined ? SimulatedWeb.fromSites({}) : SimulatedWeb.fromWorld(world)
}

function toSentRequest({ headers, path, body }: ReceivedRequest): SentRequest {
  return { url: `https://${headers['host'] ?? ''}${path}`, headers, body }
}

function toArrival(request: ReceivedRequest, secrets: ReadonlyMap<string, string>): Arrival {
  const { url, headers, body } = toSentRequest(request)
  const { at } = request
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

if (import.meta.main) {
  const [contents = '{}', authorityFile = ''] = process.argv.slice(2)
  await serve(JSON.parse(contents) as WebContents, authorityFile)
}
