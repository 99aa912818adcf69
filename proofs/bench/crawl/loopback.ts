/** Leads an HTTP client that knows nothing of the simulated web to its ports. The name still decides who answers. */
import { type AgentOptions, globalAgent, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import tls from 'node:tls'
import type { SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'

const HOST = '127.0.0.1'

class LoopbackHttpAgent extends HttpAgent {
  readonly #port: number

  constructor(port: number, options: AgentOptions) {
    super(options)
    this.#port = port
  }

  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>) {
    return super.createConnection({ ...options, host: HOST, port: this.#port }, callback)
  }
}

class LoopbackHttpsAgent extends HttpsAgent {
  readonly #port: number

  constructor(port: number, options: AgentOptions) {
    super(options)
    this.#port = port
  }

  override createConnection(...[options, callback]: Parameters<HttpsAgent['createConnection']>) {
    return super.createConnection({ ...options, host: HOST, port: this.#port }, callback)
  }
}

export function openLoopbackAgents(web: SimulatedWeb, options: AgentOptions) {
  return {
    http: new LoopbackHttpAgent(web.httpPort, options),
    https: new LoopbackHttpsAgent(web.httpsPort, options),
  }
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
  const open = new LoopbackHttpAgent(web.httpPort, {})
  globalAgent.createConnection = (options, callback) => open.createConnection(options, callback)
  return {
    [Symbol.dispose]: () => {
      tls.connect = original
      Reflect.deleteProperty(globalAgent, 'createConnection')
    },
  }
}
