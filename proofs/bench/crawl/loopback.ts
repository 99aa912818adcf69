/** Leads an HTTP client that knows nothing of the simulated web to its ports. The name still decides who answers. */
import { type AgentOptions, globalAgent, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import tls from 'node:tls'
import type { SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'

const HOST = '127.0.0.1'

/** Makes the connections of an agent lead to a port of this machine. */
function lead<Dialler extends HttpAgent>(agent: Dialler, port: number): Dialler {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => connect({ ...options, host: HOST, port }, callback)
  return agent
}

export function openLoopbackAgents(web: SimulatedWeb, options: AgentOptions) {
  return { http: lead(new HttpAgent(options), web.httpPort), https: lead(new HttpsAgent(options), web.httpsPort) }
}

type Connect = (options: tls.ConnectionOptions, onConnected?: () => void) => tls.TLSSocket

/**
 * For what dials past the agents, so that nothing leaves the machine: got-scraping asks every new host once which protocol
 * it speaks, and Crawlee asks for robots.txt by a client of its own.
 */
export function redirectOthers(web: SimulatedWeb): Disposable {
  const original = tls.connect
  const connect: Connect = original
  const redirected: Connect = (options, onConnected) =>
    connect({ ca: web.certificateAuthority, ...options, host: HOST, port: web.httpsPort }, onConnected)
  tls.connect = redirected as typeof tls.connect
  const open = lead(new HttpAgent(), web.httpPort)
  globalAgent.createConnection = (options, callback) => open.createConnection(options, callback)
  return {
    [Symbol.dispose]: () => {
      tls.connect = original
      Reflect.deleteProperty(globalAgent, 'createConnection')
    },
  }
}
