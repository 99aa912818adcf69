/**
 * A sender with nothing but undici: no database, no names, no signatures, no log. It sends requests that our worker sent, byte
 * for byte, with the same trust, and reports what that took.
 */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import { serveParent } from '../../../rig/child.ts'
import type { SentRequest } from '../../../rig/web-process.ts'

export interface BareLoad {
  requests: readonly SentRequest[]
  /** How many are sent and measured; the list is repeated. */
  count: number
  /** At once, in all and to one host. */
  inFlight: number
  perHost: number
  /** Sent before it is measured, so that the connections are open by then. */
  before: number
}

export interface BareUsage {
  perSecond: number
  cpuMsEach: number
}

const [httpsPort = '', authorityFile = ''] = process.argv.slice(2)
const secureContext = createSecureContext({ ca: readFileSync(authorityFile, 'utf8'), minVersion: 'TLSv1.2' })
const OWN_HEADERS = new Set(['host', 'connection', 'content-length'])

const dial = buildConnector({ secureContext, allowH2: false, maxCachedSessions: 0 })

/** Dials where the simulated web is, as our worker does. */
function openAgent(perHost: number): Agent {
  return new Agent({
    connections: perHost,
    allowH2: false,
    connect: (target, callback) => {
      dial({ ...target, hostname: '127.0.0.1', port: httpsPort, servername: target.hostname }, callback)
    },
  })
}

async function send(load: BareLoad): Promise<BareUsage> {
  const agent = openAgent(load.perHost)
  const requests = load.requests.map(({ url, headers, body }) => {
    const { host, pathname, search } = new URL(url)
    const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))
    return { origin: `https://${host}`, path: pathname + search, headers: Object.fromEntries(kept), body }
  })
  const sendAll = async (count: number) => {
    let sent = 0
    const sendOn = async () => {
      while (sent < count) {
        const { origin, path, headers, body } = requests[sent % requests.length] as (typeof requests)[number]
        sent += 1
        const response = await agent.request({ origin, path, method: 'POST', headers, body })
        await response.body.text()
        if (response.statusCode !== 200) throw new Error(`${origin} answered ${response.statusCode}`)
      }
    }
    await Promise.all(Array.from({ length: load.inFlight }, sendOn))
  }
  await sendAll(load.before)
  const cpuBefore = process.cpuUsage()
  const startedAtMs = performance.now()
  await sendAll(load.count)
  const seconds = (performance.now() - startedAtMs) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  await agent.destroy()
  return { perSecond: load.count / seconds, cpuMsEach: (user + system) / 1_000 / load.count }
}

serveParent('ready', send)
